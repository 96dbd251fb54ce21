#ifndef LINKSPAN_DESCRIBE_DETAIL_STRUCT_USES_HPP
#define LINKSPAN_DESCRIBE_DETAIL_STRUCT_USES_HPP

#include <linkspan/describe/detail/constant_text.hpp>
#include <linkspan/describe/detail/members.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

template<class T>
constexpr std::string_view full_name()
{
    return __PRETTY_FUNCTION__;
}

// Identifies a type. A text instead of an address, because g++ 12 with sanitizers cannot compare addresses in constant
// expressions.
template<class T>
inline constexpr std::string_view type_id = full_name<T>();

// Returns the name of a struct without its namespaces and template arguments.
template<class T>
constexpr std::string_view type_name()
{
    std::string_view name = __PRETTY_FUNCTION__;
    name.remove_prefix(name.find("T = ") + 4);
    name = name.substr(0, name.find_first_of(";]<"));
    return name.substr(name.rfind(':') + 1);
}

// Finds the structs that a type contains, and counts how often each is used. Each struct has one entry with a unique
// name. `Writer` has a member function template `write_struct<T>()`.
template<class Writer>
class struct_uses {
public:
    struct definition {
        std::string_view id;     // type_id of the struct
        constant_text name;      // name of the definition in the schema
        unsigned uses;           // number of members, elements and alternatives of this type; 1 for the root
        void (Writer::*write)(); // writes the schema of the struct
    };

    constexpr std::vector<definition> const& all() const noexcept { return all_; }

    // Precondition: visit() was called for a type that contains `T`.
    template<class T>
    constexpr definition const& find() const
    {
        return *std::ranges::find(all_, type_id<T>, &definition::id);
    }

    // Adds the structs that `T` contains. A struct that was visited before is counted but not visited again.
    template<class T>
    constexpr void visit()
    {
        using enum type_kind;
        require_json_form<T>();
        constexpr auto kind = kind_of<T>;
        if constexpr (kind == custom)
            visit<typename json_as<T>::type>();
        else if constexpr (kind == tuple || kind == choice)
            visit_all(static_cast<T*>(nullptr));
        else if constexpr (kind == map)
            visit<typename T::mapped_type>();
        else if constexpr (kind == structure)
            visit_struct<T>();
        else if constexpr (kind == one_or_many)
            visit<std::pair<typename T::value_type, typename T::value_type>>(); // used twice: alone and in a list
        else if constexpr (requires { typename T::value_type; } && kind != text && kind != json_object &&
                           kind != json_array && kind != constant && kind != literal)
            visit<typename T::value_type>();
    }

private:
    template<template<class...> class Template, class... Ts>
    constexpr void visit_all(Template<Ts...>*)
    {
        (visit<Ts>(), ...);
    }

    template<class T>
    constexpr void visit_struct()
    {
        if (auto const found = std::ranges::find(all_, type_id<T>, &definition::id); found != all_.end()) {
            ++found->uses;
            return;
        }
        all_.push_back({type_id<T>, unused_name(type_name<T>()), 1, &Writer::template write_struct<T>});
        for_each_member<T>([&]<std::size_t Index>() { visit<member_type<T, Index>>(); });
    }

    // Returns `name`, or `name` with a number such as "node_2" if another struct has that name.
    constexpr constant_text unused_name(std::string_view name) const
    {
        for (int number = 1;; ++number) {
            constant_text out;
            out += name;
            if (number != 1)
                put_integer(out += '_', number);
            auto const is_same = [&](definition const& one) { return one.name.view() == out.view(); };
            if (std::ranges::none_of(all_, is_same))
                return out;
        }
    }

    std::vector<definition> all_; // in the order of the first visit
};

} // namespace linkspan::detail

#endif
