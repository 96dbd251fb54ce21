#ifndef LINKSPAN_DESCRIBE_FOR_EACH_ARGUMENT_HPP
#define LINKSPAN_DESCRIBE_FOR_EACH_ARGUMENT_HPP

// The first of `(a, b, c)`, or what has no parentheses as it is; and the others, each behind a comma.
#define LINKSPAN_DETAIL_FIRST(entry) LINKSPAN_DETAIL_IF(LINKSPAN_DETAIL_IS_LIST(entry), FIRST_OF, SAME)(entry)
#define LINKSPAN_DETAIL_REST(entry) LINKSPAN_DETAIL_IF(LINKSPAN_DETAIL_IS_LIST(entry), REST_OF, NOTHING)(entry)

#define LINKSPAN_DETAIL_SAME(entry) entry
#define LINKSPAN_DETAIL_NOTHING(entry)
#define LINKSPAN_DETAIL_FIRST_OF(list) LINKSPAN_DETAIL_HEAD list
#define LINKSPAN_DETAIL_REST_OF(list) LINKSPAN_DETAIL_COMMA_TAIL list
#define LINKSPAN_DETAIL_HEAD(first, ...) first
#define LINKSPAN_DETAIL_TAIL(first, ...) __VA_ARGS__
#define LINKSPAN_DETAIL_COMMA_TAIL(first, ...) __VA_OPT__(, ) __VA_ARGS__

#define LINKSPAN_DETAIL_IF(condition, then, otherwise) LINKSPAN_DETAIL_IF_(condition, then, otherwise)
#define LINKSPAN_DETAIL_IF_(condition, then, otherwise) LINKSPAN_DETAIL_IF_##condition(then, otherwise)
#define LINKSPAN_DETAIL_IF_1(then, otherwise) LINKSPAN_DETAIL_##then
#define LINKSPAN_DETAIL_IF_0(then, otherwise) LINKSPAN_DETAIL_##otherwise

#define LINKSPAN_DETAIL_IS_LIST(entry) LINKSPAN_DETAIL_SECOND(LINKSPAN_DETAIL_PROBE entry, 0, )
#define LINKSPAN_DETAIL_PROBE(...) , 1
#define LINKSPAN_DETAIL_SECOND(...) LINKSPAN_DETAIL_SECOND_(__VA_ARGS__)
#define LINKSPAN_DETAIL_SECOND_(first, second, ...) second

// f(a, x) for each x, one behind the other: at most 85 of them, or 341 for MAP_MANY. Each scan of the text expands one.
#define LINKSPAN_DETAIL_MAP(f, a, ...) __VA_OPT__(LINKSPAN_DETAIL_SCAN(LINKSPAN_DETAIL_MAP_STEP(f, a, __VA_ARGS__)))
#define LINKSPAN_DETAIL_MAP_MANY(f, a, ...)                                                                            \
    __VA_OPT__(LINKSPAN_DETAIL_SCAN_MANY(LINKSPAN_DETAIL_MAP_STEP(f, a, __VA_ARGS__)))
#define LINKSPAN_DETAIL_MAP_STEP(f, a, x, ...)                                                                         \
    f(a, x) __VA_OPT__(LINKSPAN_DETAIL_MAP_AGAIN LINKSPAN_DETAIL_PARENTHESES(f, a, __VA_ARGS__))
#define LINKSPAN_DETAIL_MAP_AGAIN() LINKSPAN_DETAIL_MAP_STEP
#define LINKSPAN_DETAIL_PARENTHESES ()

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
