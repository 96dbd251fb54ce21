#ifndef LINKSPAN_DESCRIBE_DETAIL_SCHEMA_KEYWORDS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_SCHEMA_KEYWORDS_HPP

#include <linkspan/describe/detail/constant_text.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/notes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Writes the keywords of a schema that contain no other schemas, in a constant expression.
class schema_keywords {
protected:
    // Appends a key, with a comma unless the object is empty, and returns the text for its value.
    constexpr constant_text& key(std::string_view name)
    {
        if (out_.back() != '{')
            out_ += ',';
        put_quoted(out_, name);
        return out_ += ':';
    }

    constexpr void open(std::string_view name) { key(name) += '{'; }

    constexpr void close() { out_ += '}'; }

    // Appends a comma unless the array is empty, and returns the text for the next element.
    constexpr constant_text& comma()
    {
        if (out_.back() != '[')
            out_ += ',';
        return out_;
    }

    constexpr void write_texts(member_notes const& notes)
    {
        if (!notes.title.empty())
            put_quoted(key("title"), notes.title);
        if (!notes.description.empty())
            put_quoted(key("description"), notes.description);
    }

    constexpr void write_keywords(member_notes const& notes)
    {
        if (notes.deprecated)
            key("deprecated") += "true";
        for (auto const& one : notes.keywords)
            if (!one.name.empty())
                put(key(one.name), one.value);
    }

    template<class T>
    constexpr void write_number(member_notes const& notes)
    {
        put_type(std::is_integral_v<T> ? "integer" : "number");
        if (notes.minimum)
            put(key("minimum"), notes.minimum);
        else if (std::is_unsigned_v<T> && !notes.exclusive_minimum)
            key("minimum") += '0';
        if (notes.maximum)
            put(key("maximum"), notes.maximum);
        if (notes.exclusive_minimum)
            put(key("exclusiveMinimum"), notes.exclusive_minimum);
        if (notes.exclusive_maximum)
            put(key("exclusiveMaximum"), notes.exclusive_maximum);
        if (notes.multiple_of)
            put(key("multipleOf"), notes.multiple_of);
    }

    constexpr void write_text(member_notes const& notes)
    {
        put_type("string");
        write_count("minLength", notes.min_length);
        write_count("maxLength", notes.max_length);
        if (!notes.pattern.empty())
            put_quoted(key("pattern"), notes.pattern);
        if (!notes.format.empty())
            put_quoted(key("format"), notes.format);
    }

    // Appends the keyword `type` with `name`, or with `name` and "null" if `or_null_` is set.
    constexpr void put_type(std::string_view name)
    {
        if (std::exchange(or_null_, false)) {
            put_quoted(key("type") += '[', name);
            out_ += R"(,"null"])";
        } else {
            put_quoted(key("type"), name);
        }
    }

    constexpr void write_count(std::string_view name, std::optional<std::size_t> count)
    {
        if (count)
            put_integer(key(name), static_cast<std::int64_t>(*count));
    }

    template<class T>
    constexpr void write_enum()
    {
        put_type("string");
        key("enum") += '[';
        for (auto const& one : enum_names<T>)
            put_quoted(comma(), one.name);
        out_ += ']';
    }

    constant_text out_;    // the schema up to here
    bool or_null_ = false; // set by a nullable for the next type; cleared by put_type()
};

} // namespace linkspan::detail

#endif
