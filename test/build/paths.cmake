# Included by the checks of all headers and bodies: makes INCLUDE absolute, and sets `paths` to the files below it.

get_filename_component(INCLUDE "${INCLUDE}" ABSOLUTE) # file(GLOB RELATIVE) requires an absolute path
file(GLOB_RECURSE paths RELATIVE "${INCLUDE}" "${INCLUDE}/*.hpp" "${INCLUDE}/*.ipp")
if(NOT paths)
    message(FATAL_ERROR "INCLUDE: expected the folder that contains linkspan/, found '${INCLUDE}'")
endif()
