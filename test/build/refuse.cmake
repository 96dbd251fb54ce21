# Included by the checks of the sources: counts and prints their refusals.

set(refusals 0)

# Prints a refusal of the file `path` and counts it.
macro(refuse sentence)
    message(NOTICE "${path}: ${sentence}")
    math(EXPR refusals "${refusals} + 1")
endmacro()
