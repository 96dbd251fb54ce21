#ifndef LINKSPAN_DESCRIBE_FOR_EACH_ARGUMENT_HPP
#define LINKSPAN_DESCRIBE_FOR_EACH_ARGUMENT_HPP

// Preprocessor utilities of LINKSPAN_STRUCT, LINKSPAN_NOTES and LINKSPAN_ENUM.

// FIRST(entry) expands to the first element of a list `(a, b, c)`, or to the entry itself if it has no parentheses.
// REST(entry) expands to the second and later elements, each preceded by a comma, or to nothing if the entry has no
// parentheses.
#define LINKSPAN_DETAIL_FIRST(entry) LINKSPAN_DETAIL_IF(LINKSPAN_DETAIL_IS_LIST(entry), FIRST_OF, SAME)(entry)
#define LINKSPAN_DETAIL_REST(entry) LINKSPAN_DETAIL_IF(LINKSPAN_DETAIL_IS_LIST(entry), REST_OF, NOTHING)(entry)

// Parts of FIRST and REST: entries without parentheses, and lists.
#define LINKSPAN_DETAIL_SAME(entry) entry
#define LINKSPAN_DETAIL_NOTHING(entry)
#define LINKSPAN_DETAIL_FIRST_OF(list) LINKSPAN_DETAIL_HEAD list
#define LINKSPAN_DETAIL_REST_OF(list) LINKSPAN_DETAIL_COMMA_TAIL list
#define LINKSPAN_DETAIL_HEAD(first, ...) first
#define LINKSPAN_DETAIL_TAIL(first, ...) __VA_ARGS__
#define LINKSPAN_DETAIL_COMMA_TAIL(first, ...) __VA_OPT__(, ) __VA_ARGS__

// IF(condition, then, otherwise): LINKSPAN_DETAIL_<then> if the condition expands to 1, LINKSPAN_DETAIL_<otherwise> if
// it expands to 0.
#define LINKSPAN_DETAIL_IF(condition, then, otherwise) LINKSPAN_DETAIL_IF_(condition, then, otherwise)
#define LINKSPAN_DETAIL_IF_(condition, then, otherwise) LINKSPAN_DETAIL_IF_##condition(then, otherwise)
#define LINKSPAN_DETAIL_IF_1(then, otherwise) LINKSPAN_DETAIL_##then
#define LINKSPAN_DETAIL_IF_0(then, otherwise) LINKSPAN_DETAIL_##otherwise

// IS_LIST(entry): 1 if the entry is in parentheses, else 0. PROBE expands only if parentheses follow, and then inserts
// the argument 1 before the 0.
#define LINKSPAN_DETAIL_IS_LIST(entry) LINKSPAN_DETAIL_SECOND(LINKSPAN_DETAIL_PROBE entry, 0, )
#define LINKSPAN_DETAIL_PROBE(...) , 1
#define LINKSPAN_DETAIL_SECOND(...) LINKSPAN_DETAIL_SECOND_(__VA_ARGS__)
#define LINKSPAN_DETAIL_SECOND_(first, second, ...) second

// MAP(f, a, x1, x2, ...) expands to f(a, x1) f(a, x2) and so on, for at most 85 arguments x; MAP_MANY for at most 341.
// Each scan of the text expands one argument.
#define LINKSPAN_DETAIL_MAP(f, a, ...) __VA_OPT__(LINKSPAN_DETAIL_SCAN(LINKSPAN_DETAIL_MAP_STEP(f, a, __VA_ARGS__)))
#define LINKSPAN_DETAIL_MAP_MANY(f, a, ...)                                                                            \
    __VA_OPT__(LINKSPAN_DETAIL_SCAN_MANY(LINKSPAN_DETAIL_MAP_STEP(f, a, __VA_ARGS__)))
#define LINKSPAN_DETAIL_MAP_STEP(f, a, x, ...)                                                                         \
    f(a, x) __VA_OPT__(LINKSPAN_DETAIL_MAP_AGAIN LINKSPAN_DETAIL_PARENTHESES(f, a, __VA_ARGS__))
#define LINKSPAN_DETAIL_MAP_AGAIN() LINKSPAN_DETAIL_MAP_STEP
#define LINKSPAN_DETAIL_PARENTHESES ()

// SCAN rescans its arguments 85 times (4^3 + 4^2 + 4 + 1), SCAN_MANY 341 times.
#define LINKSPAN_DETAIL_SCAN_MANY(...)                                                                                 \
    LINKSPAN_DETAIL_SCAN(LINKSPAN_DETAIL_SCAN(LINKSPAN_DETAIL_SCAN(LINKSPAN_DETAIL_SCAN(__VA_ARGS__))))
#define LINKSPAN_DETAIL_SCAN(...)                                                                                      \
    LINKSPAN_DETAIL_SCAN_2(LINKSPAN_DETAIL_SCAN_2(LINKSPAN_DETAIL_SCAN_2(LINKSPAN_DETAIL_SCAN_2(__VA_ARGS__))))
#define LINKSPAN_DETAIL_SCAN_2(...)                                                                                    \
    LINKSPAN_DETAIL_SCAN_1(LINKSPAN_DETAIL_SCAN_1(LINKSPAN_DETAIL_SCAN_1(LINKSPAN_DETAIL_SCAN_1(__VA_ARGS__))))
#define LINKSPAN_DETAIL_SCAN_1(...)                                                                                    \
    LINKSPAN_DETAIL_SCAN_0(LINKSPAN_DETAIL_SCAN_0(LINKSPAN_DETAIL_SCAN_0(LINKSPAN_DETAIL_SCAN_0(__VA_ARGS__))))
#define LINKSPAN_DETAIL_SCAN_0(...) __VA_ARGS__

#endif
