#ifndef LINKSPAN_JSON_DETAIL_OBJECT_WRITER_HPP
#define LINKSPAN_JSON_DETAIL_OBJECT_WRITER_HPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_writer.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Appends one JSON object to a text, member by member. The functions whose names begin with `optional_` add no member
// for an empty value.
//
// Invariant: between the calls, the text ends with a complete member or with the opening brace of the object.
class object_writer {
public:
    explicit object_writer(std::string& out) : out_(out) { out_ += '{'; }
    object_writer(object_writer const&) = delete;
    object_writer& operator=(object_writer const&) = delete;

    // Adds the key of a member, whose value the caller appends to the returned text.
    std::string& key(std::string_view name)
    {
        if (out_.back() != '{')
            out_ += ',';
        append_quoted(out_, name);
        return out_ += ':';
    }

    void text(std::string_view name, std::string_view value) { append_quoted(key(name), value); }
    void raw(std::string_view name, std::string_view json) { key(name) += json; }
    void boolean(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }

    template<class Number>
        requires(std::integral<Number> || std::floating_point<Number>) && (!std::same_as<Number, bool>)
    void number(std::string_view name, Number value)
    {
        if constexpr (std::signed_integral<Number>)
            append_number(key(name), std::int64_t{value});
        else if constexpr (std::unsigned_integral<Number>)
            append_number(key(name), std::uint64_t{value});
        else
            append_number(key(name), value);
    }

    void optional_text(std::string_view name, std::string_view value)
    {
        if (!value.empty())
            text(name, value);
    }

    void optional_raw(std::string_view name, std::string_view json)
    {
        if (!json.empty())
            raw(name, json);
    }

    template<class Number>
    void optional_number(std::string_view name, std::optional<Number> value)
    {
        if (value)
            number(name, *value);
    }

    // Adds members as JSON text, without braces.
    void members(std::string_view json)
    {
        if (json.empty())
            return;
        if (out_.back() != '{')
            out_ += ',';
        out_ += json;
    }

    // Ends the object. No other function may be called afterwards.
    void close() { out_ += '}'; }

private:
    std::string& out_; // set by the constructor
};

} // namespace linkspan::detail

#endif
