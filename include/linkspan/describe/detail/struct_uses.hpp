#ifndef LINKSPAN_DESCRIBE_DETAIL_STRUCT_USES_HPP
#define LINKSPAN_DESCRIBE_DETAIL_STRUCT_USES_HPP

#include <linkspan/describe/detail/constant_text.hpp>
#include <linkspan/describe/detail/members.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::detail {

template<class T>
constexpr std::string_view full_name()
{
    return __PRETTY_FUNCTION__;
}

// Tells types apart. With the sanitizers g++ 12 does not compare addresses while it compiles.
template<class T>
inline constexpr std::string_view type_id = full_name<T>();

// What a struct is called, without its namespaces.
template<class T>
constexpr std::string_view type_name()
{
    std::string_view name = __PRETTY_FUNCTION__;
    name.remove_prefix(name.find("T = ") + 4);
    name = name.substr(0, name.find_first_of(";]<"));
    return name.substr(name.rfind(':') + 1);
}

// Which structs there are within a type, and how often each is used. `Writer` has a `write_struct<T>()` for each.
template<class Writer>
class struct_uses {
public:
    struct definition {
        std::string_view id;
        constant_text name;
        unsigned uses;
        void (Writer::*write)();
    };

    constexpr std::vector<definition> const& all() const noexcept { return all_; }

    // Precondition: it was visited.
    template<class T>
    constexpr definition const& find() const
    {
        return *std::ranges::find(all_, type_id<T>, &definition::id);
    }

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
            visit<std::pair<typename T::value_type, typename T::value_type>>(); // it stands alone, and in a list
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
        all_.push_back({type_id<T>, free_name(type_name<T>()), 1, &Writer::template write_struct<T>});
        for_each_member<T>([&]<std::size_t Index>() { visit<member_type<T, Index>>(); });
    }

    // `name`, or with a number behind it, as in "node_2", where others are called so.
    constexpr constant_text free_name(std::string_view name) const
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

    std::vector<definition> all_;
};

} // namespace linkspan::detail

#endif
