#ifndef LINKSPAN_DESCRIBE_ENUM_HPP
#define LINKSPAN_DESCRIBE_ENUM_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/for_each_argument.hpp>

#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace linkspan::inline LINKSPAN_ABI {

/// An enumerator and its name in JSON.
template<class Enum>
struct enum_name {
    Enum value;            ///< the enumerator
    std::string_view name; ///< its name in JSON, with static storage duration; may be empty
};

/// Describes an enumeration whose names in JSON differ from the names in C++. An enumeration is a string in JSON.
///
///     enum class language { en, zh_hans };
///     LINKSPAN_ENUM(language, (en), (zh_hans, "zh-hans"))
///
/// Each entry is an enumerator in parentheses, followed by its name in JSON if the names differ; at most 341 entries.
/// The macro must be in the namespace of the enumeration. The macro defines the function `linkspan_names(Enum)`, which
/// a program may also define itself. An enumeration described by `BOOST_DESCRIBE_ENUM` needs no `LINKSPAN_ENUM` if its
/// names in JSON are those of C++.
#define LINKSPAN_ENUM(E, ...)                                                                                          \
    [[maybe_unused]] constexpr auto linkspan_names(E)                                                                  \
    {                                                                                                                  \
        using linkspan_name = ::linkspan::enum_name<E>;                                                                \
        return ::std::to_array<linkspan_name>({LINKSPAN_DETAIL_MAP_MANY(LINKSPAN_DETAIL_ENUM_NAME, E, __VA_ARGS__)});  \
    }
#define LINKSPAN_DETAIL_ENUM_NAME(E, entry)                                                                            \
    linkspan_name{E::LINKSPAN_DETAIL_HEAD entry, LINKSPAN_DETAIL_ENUM_TEXT entry},
#define LINKSPAN_DETAIL_ENUM_TEXT(name, ...)                                                                           \
    LINKSPAN_DETAIL_IF(LINKSPAN_DETAIL_SECOND(__VA_OPT__(_, 1, ) _, 0, ), SECOND_OF, QUOTE_OF)(name, __VA_ARGS__)
#define LINKSPAN_DETAIL_SECOND_OF(name, text, ...) text
#define LINKSPAN_DETAIL_QUOTE_OF(name, ...) #name

namespace detail {

// An enumeration with a function linkspan_names().
template<class Enum>
concept named_enum = std::is_enum_v<Enum> && requires(Enum value) { linkspan_names(value); };

// An enumeration described by BOOST_DESCRIBE_ENUM.
template<class Enum>
concept described_enum = std::is_enum_v<Enum> && boost::describe::has_describe_enumerators<Enum>::value;

template<class Enum>
constexpr auto names_of_enum()
{
    if constexpr (named_enum<Enum>) {
        return linkspan_names(Enum());
    } else {
        using list = boost::describe::describe_enumerators<Enum>;
        std::array<enum_name<Enum>, boost::mp11::mp_size<list>::value> out{};
        std::size_t at = 0;
        boost::mp11::mp_for_each<list>([&](auto one) { out[at++] = {one.value, one.name}; });
        return out;
    }
}

} // namespace detail

/// All described enumerators of an enumeration with their names in JSON, in the order of the description: a
/// `std::array<enum_name<Enum>, N>`. The names of `LINKSPAN_ENUM` take precedence over those of `BOOST_DESCRIBE_ENUM`.
template<class Enum>
    requires(detail::named_enum<Enum> || detail::described_enum<Enum>)
inline constexpr auto enum_names = detail::names_of_enum<Enum>();

/// Returns the name of an enumerator in JSON.
///
/// \param value The enumerator.
/// \returns The name, with static storage duration. If the enumerator is not described, a default-constructed view,
/// whose `data()` is null; an empty name has a `data()` that is not null.
template<class Enum>
constexpr std::string_view name_of(Enum value) noexcept
{
    auto const found = std::ranges::find(enum_names<Enum>, value, &enum_name<Enum>::value);
    return found == enum_names<Enum>.end() ? std::string_view() : found->name;
}

} // namespace linkspan

#endif
