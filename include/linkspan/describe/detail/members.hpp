#ifndef LINKSPAN_DESCRIBE_DETAIL_MEMBERS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_MEMBERS_HPP

#include <linkspan/describe/detail/kind.hpp>
#include <linkspan/describe/notes.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

// Compile-time description of a described struct: its members in the order of the description, those of bases first,
// and their notes.
namespace linkspan::inline LINKSPAN_ABI::detail {

template<class T>
using member_list = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

template<class T>
inline constexpr std::size_t member_count = boost::mp11::mp_size<member_list<T>>::value;

template<class T, std::size_t Index>
inline constexpr auto member_pointer = boost::mp11::mp_at_c<member_list<T>, Index>::pointer;

template<class T, std::size_t Index>
using member_type = std::remove_cvref_t<decltype(std::declval<T&>().*member_pointer<T, Index>)>;

template<class Class, class Member>
Class class_of(Member Class::*);

// Converts to `T const*` but not to a pointer to a base of `T`, so that notes of a base are not found for a derived
// struct.
template<class T>
struct exact_pointer {
    template<std::same_as<T> U>
    constexpr operator U const*() const noexcept
    {
        return nullptr;
    }
};

// Returns the notes of LINKSPAN_STRUCT or LINKSPAN_NOTES for `T`: those of the struct, then those of annotated members.
template<class T>
constexpr auto written_notes()
{
    if constexpr (requires { linkspan_notes(exact_pointer<T>()); })
        return linkspan_notes(exact_pointer<T>());
    else
        return std::array<member_notes, 1>{};
}

// The notes are computed once per struct, because compilers limit the steps of constant evaluation.
template<class T>
inline constexpr auto own_notes = written_notes<T>();

// The notes of the struct itself.
template<class T>
inline constexpr member_notes struct_notes = own_notes<T>.front();

// Returns the notes of all members: notes of `T` take precedence over notes of the base that declares the member.
template<class T>
constexpr auto find_notes()
{
    std::array<member_notes, member_count<T>> out{};
    std::size_t at = 0;
    boost::mp11::mp_for_each<member_list<T>>([&]<class Member>(Member member) {
        auto& notes = out[at++];
        auto const take = [&](auto const& written) {
            for (auto const& one : written)
                if (one.member == member.name)
                    notes = one;
        };
        using owner = decltype(class_of(Member::pointer));
        if constexpr (!std::same_as<owner, T>)
            take(own_notes<owner>);
        take(own_notes<T>);
        notes.member = member.name;
        if (!notes.name.data()) // an empty name with data() is a valid name
            notes.name = member.name;
    });
    return out;
}

template<class T>
inline constexpr auto found_notes = find_notes<T>();

template<class T>
constexpr bool all_notes_have_members()
{
    constexpr auto const& notes = found_notes<T>;
    for (auto const& one : own_notes<T>)
        if (!one.member.empty() && std::ranges::find(notes, one.member, &member_notes::member) == notes.end())
            return false;
    return true;
}

template<class T>
constexpr bool all_names_differ()
{
    constexpr auto const& notes = found_notes<T>;
    for (std::size_t i = 0; i != notes.size(); ++i)
        for (std::size_t j = 0; j != i; ++j)
            if (notes[i].name == notes[j].name)
                return false;
    return true;
}

template<class T>
constexpr auto checked_notes()
{
    static_assert(all_notes_have_members<T>(),
                  "linkspan: a note names a member that the struct does not describe: add the member to "
                  "BOOST_DESCRIBE_STRUCT");
    static_assert(all_names_differ<T>(), "linkspan: two members of a struct have the same name in JSON");
    return found_notes<T>;
}

// The notes of all members in their order; `name` is the name in JSON.
template<class T>
inline constexpr auto notes_of = checked_notes<T>();

// Whether a member may be missing in JSON.
template<class T, std::size_t Index>
inline constexpr bool may_be_missing = [] {
    constexpr auto kind = kind_of<member_type<T, Index>>;
    constexpr auto const& notes = notes_of<T>[Index];
    return !notes.required && (kind == type_kind::optional || kind == type_kind::nullable || notes.default_value);
}();

// The index of the member of type rest; `member_count<T>` if there is none.
template<class T>
inline constexpr std::size_t rest_index = []<std::size_t... Index>(std::index_sequence<Index...>) {
    constexpr std::array is_rest{is_a<member_type<T, Index>, rest>..., true};
    static_assert(std::ranges::count(is_rest, true) <= 2, "linkspan: a struct must have at most one rest");
    return static_cast<std::size_t>(std::ranges::find(is_rest, true) - is_rest.begin());
}(std::make_index_sequence<member_count<T>>());

// Returns the index of the member with the JSON name `name`; `member_count<T>` if there is none. `next` is the index to
// compare first: peers usually send members in the order of the description.
template<class T>
std::size_t find_member(std::string_view name, std::size_t next)
{
    constexpr auto const& notes = notes_of<T>;
    if (next < notes.size() && notes[next].name == name && next != rest_index<T>)
        return next;
    for (std::size_t i = 0; i != notes.size(); ++i)
        if (notes[i].name == name && i != rest_index<T>)
            return i;
    return notes.size();
}

// Calls f.template operator()<Index>() for each member in order.
template<class T, class Function>
constexpr void for_each_member(Function f)
{
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (f.template operator()<Index>(), ...);
    }(std::make_index_sequence<member_count<T>>());
}

} // namespace linkspan::detail

#endif
