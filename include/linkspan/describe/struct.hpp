#ifndef LINKSPAN_DESCRIBE_STRUCT_HPP
#define LINKSPAN_DESCRIBE_STRUCT_HPP

#include <linkspan/describe/for_each_argument.hpp>
#include <linkspan/describe/notes.hpp>

#include <boost/describe/class.hpp>

#include <array>

/// Describes a struct, and says about its members what their types cannot: behind each, notes in any order, those of
/// `linkspan::note` and a text that describes it. At most 52 members; in the namespace of the struct.
///
///     struct forecast_request { std::string city; std::optional<int> days = 3; };
///     LINKSPAN_STRUCT(forecast_request, (city, "City name", min_length{1}), (days, min{1}, max{14}))
///
/// Notes about the struct stand beside its name: `LINKSPAN_STRUCT((forecast_request, "What is asked", closed), ...)`.
///
/// Requires: T is complete, at namespace scope; its members are public. A struct with bases is described by
/// `BOOST_DESCRIBE_STRUCT`, and gets its notes from `LINKSPAN_NOTES`.
#define LINKSPAN_STRUCT(T, ...)                                                                                        \
    LINKSPAN_DETAIL_CHECK_MEMBERS(LINKSPAN_DETAIL_FIRST(T), __VA_ARGS__)                                               \
    LINKSPAN_DETAIL_DESCRIBE(LINKSPAN_DETAIL_FIRST(T),                                                                 \
                             LINKSPAN_DETAIL_MAP(LINKSPAN_DETAIL_COMMA_FIRST, _, __VA_ARGS__))                         \
    LINKSPAN_DETAIL_NOTES(LINKSPAN_DETAIL_FIRST(T), T, __VA_ARGS__)

/// As `LINKSPAN_STRUCT`, for a struct that `BOOST_DESCRIBE_STRUCT` describes; members without notes may be left out.
#define LINKSPAN_NOTES(T, ...)                                                                                         \
    LINKSPAN_DETAIL_CHECK_MEMBERS(LINKSPAN_DETAIL_FIRST(T), __VA_ARGS__)                                               \
    LINKSPAN_DETAIL_NOTES(LINKSPAN_DETAIL_FIRST(T), T, __VA_ARGS__)

#define LINKSPAN_DETAIL_DESCRIBE(T, ...) LINKSPAN_DETAIL_DESCRIBE_TAIL(T, LINKSPAN_DETAIL_TAIL(__VA_ARGS__))
#define LINKSPAN_DETAIL_DESCRIBE_TAIL(T, ...) BOOST_DESCRIBE_STRUCT(T, (), (__VA_ARGS__))
#define LINKSPAN_DETAIL_COMMA_FIRST(_, member) , LINKSPAN_DETAIL_FIRST(member)

// A lambda makes the question depend on a type, so that the answer "no" is a sentence.
#define LINKSPAN_DETAIL_CHECK_MEMBERS(T, ...) LINKSPAN_DETAIL_MAP(LINKSPAN_DETAIL_CHECK_MEMBER, T, __VA_ARGS__)
#define LINKSPAN_DETAIL_CHECK_MEMBER(T, member) LINKSPAN_DETAIL_CHECK_NAME(T, LINKSPAN_DETAIL_FIRST(member))
#define LINKSPAN_DETAIL_CHECK_NAME(T, name) LINKSPAN_DETAIL_CHECK_NAME_(T, name)
#define LINKSPAN_DETAIL_CHECK_NAME_(T, name)                                                                           \
    static_assert([]<class S>(S* s) { return requires { s->name; }; }(static_cast<T*>(nullptr)),                       \
                  "linkspan: " #T " has no member '" #name "' to describe or annotate");

#define LINKSPAN_DETAIL_NOTES(T, entry, ...)                                                                           \
    [[maybe_unused]] constexpr auto linkspan_notes(T const*)                                                           \
    {                                                                                                                  \
        using namespace ::linkspan::note;                                                                              \
        return ::std::array{::linkspan::detail::make_notes("" LINKSPAN_DETAIL_REST(entry))                             \
                                LINKSPAN_DETAIL_MAP(LINKSPAN_DETAIL_COMMA_NOTES, T, __VA_ARGS__)};                     \
    }
#define LINKSPAN_DETAIL_COMMA_NOTES(_, member)                                                                         \
    , ::linkspan::detail::make_notes(LINKSPAN_DETAIL_QUOTE(LINKSPAN_DETAIL_FIRST(member)) LINKSPAN_DETAIL_REST(member))
#define LINKSPAN_DETAIL_QUOTE(name) LINKSPAN_DETAIL_QUOTE_(name)
#define LINKSPAN_DETAIL_QUOTE_(name) #name

#endif
