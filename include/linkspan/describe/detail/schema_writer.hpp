#ifndef LINKSPAN_DESCRIBE_DETAIL_SCHEMA_WRITER_HPP
#define LINKSPAN_DESCRIBE_DETAIL_SCHEMA_WRITER_HPP

#include <linkspan/describe/detail/constant_text.hpp>
#include <linkspan/describe/detail/members.hpp>
#include <linkspan/describe/detail/schema_keywords.hpp>
#include <linkspan/describe/detail/struct_uses.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/schema/schema_dialect.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Default-constructs a `T` in a variable that is not const, because g++ 12 rejects const objects and temporaries with
// strings in constant expressions.
template<class T>
constexpr bool default_construct()
{
    T made{};
    static_cast<void>(made);
    return true;
}

// A type that can be default-constructed in a constant expression.
template<class T>
concept constant_default_constructible = requires { typename std::bool_constant<default_construct<T>()>; };

// The type of a member that is present.
template<class T>
struct without_optional {
    using type = T;
};
template<class T>
struct without_optional<std::optional<T>> {
    using type = T;
};

// Writes the schema of a type in a constant expression. Structs are counted first: a struct that is used once is
// written inline; structs that are used more often, and recursive structs, become definitions.
class schema_writer : schema_keywords {
public:
    constexpr explicit schema_writer(schema_dialect dialect) : dialect_(dialect) {}

    template<class Root>
    constexpr constant_text write()
    {
        if constexpr (kind_of<Root> == type_kind::box)
            return write<typename Root::value_type>();
        else if constexpr (kind_of<Root> == type_kind::custom)
            return write<typename json_as<Root>::type>();
        uses_.template visit<Root>();
        root_ = type_id<Root>;
        out_ += is_draft_7() ? R"({"$schema":"http://json-schema.org/draft-07/schema#")" : "{";
        if constexpr (kind_of<Root> == type_kind::structure) {
            write_struct<Root>();
        } else {
            if constexpr (kind_of<Root> == type_kind::choice)
                put_type("object");
            write_type<Root>(member_notes());
        }
        write_definitions();
        out_ += '}';
        return std::move(out_);
    }

private:
    friend class struct_uses<schema_writer>;

    constexpr bool is_draft_7() const { return dialect_ == schema_dialect::draft_7; }

    constexpr void write_definitions()
    {
        auto const is_shared = [this](auto const& one) { return one.uses > 1 && one.id != root_; };
        if (std::ranges::none_of(uses_.all(), is_shared))
            return;
        key(is_draft_7() ? "definitions" : "$defs") += '{';
        for (auto const& one : uses_.all())
            if (is_shared(one)) {
                key(one.name.view()) += '{';
                (this->*one.write)();
                out_ += '}';
            }
        out_ += '}';
    }

    template<class T>
    constexpr void write_struct()
    {
        write_inline<T>(member_notes());
    }

    // `member`: notes of the member of this type, whose texts replace those of the struct.
    template<class T>
    constexpr void write_inline(member_notes const& member)
    {
        constexpr auto const& notes = struct_notes<T>;
        put_type("object");
        member_notes texts;
        texts.title = member.title.empty() ? notes.title : std::string_view();
        texts.description = member.description.empty() ? notes.description : std::string_view();
        write_texts(texts);
        key("properties") += '{';
        for_each_member<T>([&]<std::size_t Index>() {
            if constexpr (Index != rest_index<T>)
                write_member<T, Index>();
        });
        out_ += '}';
        write_required<T>();
        if constexpr (rest_index<T> != member_count<T>)
            write_rest<T>();
        else if constexpr (notes.closed)
            key("additionalProperties") += "false";
        write_keywords(notes);
    }

    template<class T>
    constexpr void write_rest()
    {
        constexpr auto const& notes = notes_of<T>[rest_index<T>];
        open("additionalProperties");
        write_type<typename member_type<T, rest_index<T>>::mapped_type>(of_elements(notes));
        write_texts(notes);
        write_keywords(notes);
        close();
    }

    template<class T, std::size_t Index>
    constexpr void write_member()
    {
        using type = typename without_optional<member_type<T, Index>>::type;
        constexpr auto const& notes = notes_of<T>[Index];
        open(notes.name);
        bool const has_siblings = !notes.title.empty() || !notes.description.empty() || notes.default_value ||
                                  notes.examples.front() || notes.deprecated || !notes.keywords.front().name.empty();
        if (is_draft_7() && has_siblings && is_reference<type>()) {
            // Draft 7 ignores keywords beside $ref.
            key("allOf") += "[{";
            write_type<type>(notes);
            out_ += "}]";
        } else {
            write_type<type>(notes);
        }
        write_texts(notes);
        write_default<T, Index>();
        if (notes.examples.front()) {
            key("examples") += '[';
            for (auto const& one : notes.examples)
                if (one)
                    put(comma(), one);
            out_ += ']';
        }
        write_keywords(notes);
        close();
    }

    template<class T>
    constexpr void write_required()
    {
        bool any = false;
        for_each_member<T>([&]<std::size_t Index>() {
            if constexpr (!may_be_missing<T, Index> && Index != rest_index<T>) {
                if (!std::exchange(any, true))
                    key("required") += '[';
                put_quoted(comma(), notes_of<T>[Index].name);
            }
        });
        if (any)
            out_ += ']';
    }

    // Writes the default of a note, or the initializer of an optional if the struct can be constructed in a constant
    // expression.
    template<class T, std::size_t Index>
    constexpr void write_default()
    {
        if constexpr (notes_of<T>[Index].default_value) {
            put(key("default"), notes_of<T>[Index].default_value);
        } else if constexpr (kind_of<member_type<T, Index>> == type_kind::optional) {
            if constexpr (constant_default_constructible<T>) {
                T made{};
                if (auto const& value = made.*member_pointer<T, Index>)
                    write_value(*value);
            }
        }
    }

    // Writes the initializer of an optional as default, if it is a finite number or another scalar.
    template<class T>
    constexpr void write_value(T const& value)
    {
        if constexpr (kind_of<T> == type_kind::number) {
            if (value >= std::numeric_limits<T>::lowest() && value <= std::numeric_limits<T>::max())
                put_number(key("default"), value);
        } else if constexpr (std::constructible_from<json_literal, T const&>)
            put(key("default"), json_literal(value));
        else if constexpr (kind_of<T> == type_kind::enumeration)
            put_quoted(key("default"), linkspan::name_of(value));
    }

    // Writes the keywords of a type. Constraints of numbers and strings are written for the elements of a list.

    template<class T>
    constexpr void write_type(member_notes const& notes)
    {
        using enum type_kind;
        constexpr auto kind = kind_of<T>;
        if constexpr (kind == custom)
            write_type<typename json_as<T>::type>(notes);
        else if constexpr (kind == box)
            write_type<typename T::value_type>(notes);
        else if constexpr (kind == null)
            put_type("null");
        else if constexpr (kind == boolean)
            put_type("boolean");
        else if constexpr (kind == integer || kind == number)
            write_number<T>(notes);
        else if constexpr (kind == text)
            write_text(notes);
        else if constexpr (kind == enumeration)
            write_enum<T>();
        else if constexpr (kind == literal)
            put_quoted(key("const"), T::value);
        else if constexpr (kind == constant)
            put(key("const"), T::value);
        else if constexpr (kind == json_object || kind == map)
            write_map<T>(notes);
        else if constexpr (kind == json_array || kind == list || kind == set || kind == array)
            write_list<T>(notes);
        else if constexpr (kind == tuple)
            write_tuple(static_cast<T*>(nullptr));
        else if constexpr (kind == nullable || kind == optional) // an element, which cannot be omitted
            write_nullable<typename T::value_type>(notes);
        else if constexpr (kind == one_or_many)
            write_alternatives<typename T::value_type, std::vector<typename T::value_type>>("anyOf", notes);
        else if constexpr (kind == choice)
            write_choice(static_cast<T*>(nullptr), notes);
        else if constexpr (kind == structure)
            write_reference<T>(notes);
    }

    // Returns whether a type is written as a reference to a definition or to the root.
    template<class T>
    constexpr bool is_reference() const
    {
        using enum type_kind;
        if constexpr (kind_of<T> == box) {
            return is_reference<typename T::value_type>();
        } else if constexpr (kind_of<T> == custom) {
            return is_reference<typename json_as<T>::type>();
        } else if constexpr (kind_of<T> == structure) {
            auto const& found = uses_.template find<T>();
            return found.uses > 1 || found.id == root_;
        } else {
            return false;
        }
    }

    template<class T>
    constexpr void write_reference(member_notes const& notes)
    {
        if (!is_reference<T>())
            return write_inline<T>(notes);
        key("$ref") += "\"#";
        if (root_ != type_id<T>)
            (out_ += is_draft_7() ? "/definitions/" : "/$defs/") += uses_.template find<T>().name.view();
        out_ += '"';
    }

    template<class T>
    constexpr void write_map(member_notes const& notes)
    {
        put_type("object");
        if constexpr (kind_of<T> == type_kind::map && !std::same_as<typename T::mapped_type, boost::json::value>)
            write_elements<typename T::mapped_type>("additionalProperties", notes);
        write_count("minProperties", notes.min_properties);
        write_count("maxProperties", notes.max_properties);
    }

    template<class T>
    constexpr void write_list(member_notes const& notes)
    {
        put_type("array");
        if constexpr (kind_of<T> != type_kind::json_array)
            write_elements<typename T::value_type>("items", notes);
        if constexpr (kind_of<T> == type_kind::array) {
            write_count("minItems", std::tuple_size_v<T>);
            write_count("maxItems", std::tuple_size_v<T>);
        } else {
            write_count("minItems", notes.min_items);
            write_count("maxItems", notes.max_items);
        }
        if (kind_of<T> == type_kind::set || notes.unique_items)
            key("uniqueItems") += "true";
    }

    template<class T>
    constexpr void write_elements(std::string_view keyword, member_notes const& notes)
    {
        open(keyword);
        write_type<T>(of_elements(notes));
        close();
    }

    template<template<class...> class Template, class... Ts>
    constexpr void write_tuple(Template<Ts...>*)
    {
        put_type("array");
        key(is_draft_7() ? "items" : "prefixItems") += '[';
        (write_alternative<Ts>(member_notes()), ...);
        out_ += ']';
        key(is_draft_7() ? "additionalItems" : "items") += "false";
        write_count("minItems", sizeof...(Ts));
        write_count("maxItems", sizeof...(Ts));
    }

    template<class T>
    constexpr void write_nullable(member_notes const& notes)
    {
        using enum type_kind;
        constexpr auto kind = kind_of<T>;
        if constexpr (kind == boolean || kind == integer || kind == number || kind == text) {
            or_null_ = true;
            write_type<T>(notes);
        } else {
            write_alternatives<T, null_type>("anyOf", notes);
        }
    }

    template<class... Ts>
    constexpr void write_choice(std::variant<Ts...>*, member_notes const& notes)
    {
        write_alternatives<Ts...>(are_alternatives_disjoint<Ts...>() ? "oneOf" : "anyOf", notes);
    }

    template<class... Ts>
    constexpr void write_alternatives(std::string_view keyword, member_notes const& notes)
    {
        key(keyword) += '[';
        (write_alternative<Ts>(notes), ...);
        out_ += ']';
    }

    template<class T>
    constexpr void write_alternative(member_notes const& notes)
    {
        comma() += '{';
        write_type<T>(notes);
        out_ += '}';
    }

    // Returns the constraints of numbers and strings. Assigns members, because clang 16 cannot evaluate a modified copy
    // of notes in a constant expression.
    static constexpr member_notes of_elements(member_notes const& notes)
    {
        member_notes out;
        out.pattern = notes.pattern;
        out.format = notes.format;
        out.minimum = notes.minimum;
        out.maximum = notes.maximum;
        out.exclusive_minimum = notes.exclusive_minimum;
        out.exclusive_maximum = notes.exclusive_maximum;
        out.multiple_of = notes.multiple_of;
        out.min_length = notes.min_length;
        out.max_length = notes.max_length;
        return out;
    }

    schema_dialect dialect_;          // set by the constructor
    std::string_view root_;           // type_id of the root; set by write()
    struct_uses<schema_writer> uses_; // filled by write() before the schema is written
};

} // namespace linkspan::detail

#endif
