#ifndef LINKSPAN_DESCRIBE_DETAIL_UNION_CHOICE_HPP
#define LINKSPAN_DESCRIBE_DETAIL_UNION_CHOICE_HPP

#include <linkspan/describe/detail/members.hpp>
#include <linkspan/json/detail/json_kind.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

// Properties that distinguish the alternatives of a std::variant: their kinds of JSON values, and the literals of their
// structs.
namespace linkspan::inline LINKSPAN_ABI::detail {

// A set of kinds of JSON values.
class json_kinds {
public:
    constexpr json_kinds(std::initializer_list<json_kind> kinds)
    {
        for (auto const kind : kinds)
            bits_ |= 1U << static_cast<unsigned>(kind);
    }

    constexpr bool has(json_kind kind) const noexcept { return (bits_ >> static_cast<unsigned>(kind) & 1U) != 0; }
    constexpr bool intersects(json_kinds other) const noexcept { return (bits_ & other.bits_) != 0; }
    constexpr json_kinds operator|(json_kinds other) const noexcept { return json_kinds(bits_ | other.bits_); }

private:
    constexpr explicit json_kinds(unsigned bits) : bits_(bits) {}

    unsigned bits_ = 0; // bit n: the kind of value n is in the set
};

template<class T>
constexpr json_kinds kinds_of();

template<class... Ts>
constexpr json_kinds kinds_of_all(std::variant<Ts...>*)
{
    return (kinds_of<Ts>() | ...);
}

// Returns the kinds of JSON values that values of `T` can have.
template<class T>
constexpr json_kinds kinds_of()
{
    using enum type_kind;
    constexpr auto kind = kind_of<T>;
    if constexpr (kind == custom)
        return kinds_of<typename json_as<T>::type>();
    else if constexpr (kind == null)
        return {json_kind::null};
    else if constexpr (kind == boolean)
        return {json_kind::boolean};
    else if constexpr (kind == integer || kind == number)
        return {json_kind::number};
    else if constexpr (kind == text || kind == enumeration || kind == literal)
        return {json_kind::text};
    else if constexpr (kind == constant)
        return kinds_of<std::remove_cvref_t<decltype(T::value)>>();
    else if constexpr (kind == optional || kind == nullable)
        return kinds_of<typename T::value_type>() | json_kinds{json_kind::null};
    else if constexpr (kind == box)
        return kinds_of<typename T::value_type>();
    else if constexpr (kind == json_array || kind == list || kind == set || kind == array || kind == tuple)
        return {json_kind::array};
    else if constexpr (kind == json_object || kind == map || kind == structure)
        return {json_kind::object};
    else if constexpr (kind == one_or_many)
        return kinds_of<typename T::value_type>() | json_kinds{json_kind::array};
    else if constexpr (kind == choice)
        return kinds_of_all(static_cast<T*>(nullptr));
    else
        return {json_kind::null, json_kind::boolean, json_kind::number,
                json_kind::text, json_kind::array,   json_kind::object};
}

// Returns whether each value of `T` is an object in JSON.
template<class T>
constexpr bool is_object()
{
    constexpr auto kinds = kinds_of<T>();
    return kinds.has(json_kind::object) && !kinds.intersects({json_kind::null, json_kind::boolean, json_kind::number,
                                                              json_kind::text, json_kind::array});
}

// The value type of a box, or the type itself.
template<class T>
struct unboxed {
    using type = T;
};
template<class T>
struct unboxed<box<T>> {
    using type = T;
};

// Returns the string that member `name` of a struct always has; empty if the member is missing, may be missing, or is
// not a literal.
template<class T>
constexpr std::optional<std::string_view> literal_of(std::string_view name)
{
    std::optional<std::string_view> out;
    if constexpr (kind_of<T> == type_kind::structure)
        for_each_member<T>([&]<std::size_t Index>() {
            if constexpr (kind_of<member_type<T, Index>> == type_kind::literal && !may_be_missing<T, Index>)
                if (notes_of<T>[Index].name == name)
                    out = member_type<T, Index>::value;
        });
    return out;
}

// Returns whether two structs have a literal of the same name with different strings, so that no object matches both.
template<class A, class B>
constexpr bool literals_differ()
{
    bool differ = false;
    if constexpr (kind_of<A> == type_kind::structure && kind_of<B> == type_kind::structure)
        for_each_member<A>([&]<std::size_t Index>() {
            constexpr auto name = notes_of<A>[Index].name;
            constexpr auto mine = literal_of<A>(name);
            constexpr auto theirs = literal_of<B>(name);
            differ = differ || (mine && theirs && mine != theirs);
        });
    return differ;
}

// Returns whether two types are literals with different strings.
template<class A, class B>
constexpr bool texts_differ()
{
    if constexpr (kind_of<A> == type_kind::literal && kind_of<B> == type_kind::literal)
        return A::value != B::value;
    else
        return false;
}

// Returns whether no JSON value matches both types.
template<class A, class B>
constexpr bool are_disjoint()
{
    return !kinds_of<A>().intersects(kinds_of<B>()) ||
           literals_differ<typename unboxed<A>::type, typename unboxed<B>::type>() || texts_differ<A, B>();
}

// Returns whether no JSON value matches two of the types.
template<class... Ts>
constexpr bool are_alternatives_disjoint()
{
    bool all = true;
    auto const compare = [&]<class T, std::size_t At>() {
        std::size_t other = 0;
        ((all = all && (other++ == At || are_disjoint<T, Ts>())), ...);
    };
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (compare.template operator()<Ts, Index>(), ...);
    }(std::index_sequence_for<Ts...>());
    return all;
}

} // namespace linkspan::detail

#endif
