#ifndef LINKSPAN_DESCRIBE_STRUCT_HPP
#define LINKSPAN_DESCRIBE_STRUCT_HPP

#include <linkspan/describe/detail/tool_codec.hpp>
#include <linkspan/describe/for_each_argument.hpp>
#include <linkspan/describe/notes.hpp>

#include <boost/describe/class.hpp>

#include <array>

/// Describes the members of a struct, with notes for its schema and its constraints.
///
///     struct forecast_request { std::string city; std::optional<int> days = 3; };
///     LINKSPAN_STRUCT(forecast_request, (city, "City name", min_length{1}), (days, min{1}, max{14}))
///
/// Each entry is the name of a member, or, in parentheses, the name of a member followed by notes in any order: types
/// and objects of namespace `linkspan::note`, without qualification, and at most one string literal, which is the
/// description of the member. Notes of the struct itself follow its name: `LINKSPAN_STRUCT((forecast_request, "Query",
/// closed), ...)`.
///
/// A described struct can be converted with `encode` and `decode`, checked with `check`, has a schema (`schema_text`),
/// and can be the argument or the result of a typed call or of a `local_tool`.
///
/// Types of members and their JSON representations:
///
/// | type                                          | JSON                                                   |
/// |-----------------------------------------------|--------------------------------------------------------|
/// | `bool`                                        | boolean                                                |
/// | integers, except character types              | number without a fraction, in the range of the type    |
/// | `double`, `float`                             | finite number                                          |
/// | `std::string`                                 | string                                                 |
/// | described enumerations (`LINKSPAN_ENUM`)      | string: the name of the enumerator                     |
/// | `literal<"...">`, `constant<...>`             | exactly this string, boolean or integer                |
/// | `null_type`                                   | `null`                                                 |
/// | `std::optional<T>`                            | as `T`; empty: omitted as a member, `null` in an array |
/// | `nullable<T>`                                 | as `T`, or `null`; absent: as an empty optional        |
/// | `box<T>`                                      | as `T`                                                 |
/// | `std::vector<T>`                              | array                                                  |
/// | `std::set<T>`                                 | array of distinct elements                             |
/// | `std::array<T, N>`, `std::tuple`, `std::pair` | array of this size                                     |
/// | `one_or_many<T>`                              | as `T`, or array                                       |
/// | `std::map<std::string, T>`                    | object                                                 |
/// | `std::unordered_map<std::string, T>`          | object                                                 |
/// | described structs                             | object                                                 |
/// | `rest<T>`                                     | members of the object that no other member describes   |
/// | `std::variant<Ts...>`                         | as one of the alternatives                             |
/// | `boost::json::value`, `object`, `array`       | any value, object, array                               |
/// | types with a specialization of `json_as`      | as `json_as<T>::type`                                  |
///
/// A struct with a member of another type does not compile where the struct is converted or its schema is used.
///
/// \par Preconditions
/// `T` is complete and at namespace scope, and its members are public. The macro is in the namespace of `T`. `T` has at
/// most 52 members and no bases: describe a struct with bases by `BOOST_DESCRIBE_STRUCT`, and add notes to it by
/// `LINKSPAN_NOTES`.
#define LINKSPAN_STRUCT(T, ...)                                                                                        \
    LINKSPAN_DETAIL_CHECK_MEMBERS(LINKSPAN_DETAIL_FIRST(T), __VA_ARGS__)                                               \
    LINKSPAN_DETAIL_DESCRIBE(LINKSPAN_DETAIL_FIRST(T),                                                                 \
                             LINKSPAN_DETAIL_MAP(LINKSPAN_DETAIL_COMMA_FIRST, _, __VA_ARGS__))                         \
    LINKSPAN_DETAIL_NOTES(LINKSPAN_DETAIL_FIRST(T), T, __VA_ARGS__)

/// Adds notes to a struct that is described by `BOOST_DESCRIBE_STRUCT`. The entries have the form of those of
/// `LINKSPAN_STRUCT`.
///
///     struct detailed_request : forecast_request { bool hourly = false; };
///     BOOST_DESCRIBE_STRUCT(detailed_request, (forecast_request), (hourly))
///     LINKSPAN_NOTES(detailed_request, (hourly, "One value per hour"), (city, max_length{50}))
///
/// Members without notes may be omitted. The entries may also contain members of described bases; their notes replace
/// those of the base.
///
/// \par Preconditions
/// `T` is complete and at namespace scope. The macro is in the namespace of `T`.
#define LINKSPAN_NOTES(T, ...)                                                                                         \
    LINKSPAN_DETAIL_CHECK_MEMBERS(LINKSPAN_DETAIL_FIRST(T), __VA_ARGS__)                                               \
    LINKSPAN_DETAIL_NOTES(LINKSPAN_DETAIL_FIRST(T), T, __VA_ARGS__)

#define LINKSPAN_DETAIL_DESCRIBE(T, ...) LINKSPAN_DETAIL_DESCRIBE_TAIL(T, LINKSPAN_DETAIL_TAIL(__VA_ARGS__))
#define LINKSPAN_DETAIL_DESCRIBE_TAIL(T, ...) BOOST_DESCRIBE_STRUCT(T, (), (__VA_ARGS__))
#define LINKSPAN_DETAIL_COMMA_FIRST(_, member) , LINKSPAN_DETAIL_FIRST(member)

// The generic lambda makes the requirement depend on a template parameter, so that a missing member fails the
// static_assert with its message.
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
