# Included by the checks of the sources: counts and prints their violations.

set(violations 0)

# Prints a violation in the file `path` and counts it.
macro(reject sentence)
    message(NOTICE "${path}: ${sentence}")
    math(EXPR violations "${violations} + 1")
endmacro()
