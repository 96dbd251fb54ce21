#ifndef LINKSPAN_DESCRIBE_MEMBER_NAME_HPP
#define LINKSPAN_DESCRIBE_MEMBER_NAME_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/detail/members.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

template<class T, class Value>
consteval std::string_view name_of_member(Value T::*member)
{
    std::string_view out;
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        auto const check = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
            if constexpr (std::is_same_v<std::remove_const_t<decltype(member_pointer<T, I>)>, Value T::*>)
                if (member_pointer<T, I> == member)
                    out = notes_of<T>[I].name;
        };
        (check(std::integral_constant<std::size_t, Index>()), ...);
    }(std::make_index_sequence<member_count<T>>());
    if (out.empty())
        throw "linkspan: member_name: the struct is described without this member";
    return out;
}

} // namespace detail

/// Name of a described member in JSON: the name of the member, or that of its note `named`.
///
///     static_assert(linkspan::member_name<&get_forecast::city> == "city");
///
/// The program does not compile if the description of the struct does not contain the member.
///
/// \tparam Member Pointer to a data member of a described struct.
template<auto Member>
inline constexpr std::string_view member_name = detail::name_of_member(Member);

} // namespace linkspan

#endif
