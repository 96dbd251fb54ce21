#ifndef LINKSPAN_MODEL_ARGUMENTS_HPP
#define LINKSPAN_MODEL_ARGUMENTS_HPP

#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/json_writer.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// One argument of a tool call: a name and a value, as in `{"city", "Oslo"}`.
///
/// The constructor serializes the argument; the object refers neither to the name nor to the value. Programs usually
/// write an argument in braces, as a parameter of a constructor of `arguments`.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
class call_argument {
public:
    /// Constructs an empty argument, which `arguments` ignores.
    call_argument() = default;

    /// Constructs an argument with any JSON value.
    ///
    /// \param name The key of the member, in UTF-8; escaped as JSON requires.
    /// \param value The value of the member. NaN and infinities are written as `null`.
    /// \throws std::bad_alloc
    call_argument(std::string_view name, boost::json::value const& value)
    {
        append_quoted(text_, name);
        text_ += ':';
        append_json(text_, value);
    }

    /// Constructs an argument with a string value: a literal, a `std::string` or a `std::string_view`.
    ///
    /// \param name The key of the member, in UTF-8; escaped as JSON requires.
    /// \param value The string, in UTF-8; escaped as JSON requires.
    /// \throws std::bad_alloc
    // Needed because Boost.JSON 1.81 has no implicit conversion from std::string to value.
    template<std::convertible_to<std::string_view> Text>
        requires(!std::is_same_v<Text, std::nullptr_t>) // `nullptr` is the JSON value null
    call_argument(std::string_view name, Text const& value)
    {
        append_quoted(text_, name);
        text_ += ':';
        append_quoted(text_, value);
    }

    /// Returns the member as JSON text, as in `"city":"Oslo"`. Empty for a default-constructed argument.
    std::string_view text() const noexcept { return text_; }

private:
    std::string text_;
};

/// Arguments of a tool call as the text of a JSON object.
///
/// The arguments are serialized once, when the object is constructed; each attempt of a call sends the same text.
///
///     co_await hub.async_call("add", {{"a", 2}, {"b", 3}});
///     co_await hub.async_call("add", R"({"a": 2, "b": 3})"_json); // using namespace linkspan::literals
///
/// A plain string does not convert to `arguments`, because its meaning would be ambiguous: JSON text, or the value of
/// an argument. Use `raw_json` or `_json` for JSON text.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools": `params.arguments`.
class arguments {
public:
    /// Constructs the empty object `{}`: a call without arguments.
    arguments() : text_("{}") {}

    /// Constructs arguments from a JSON object of any size.
    ///
    /// \param object The arguments. NaN and infinities are written as `null`. The text is not checked: strings must be
    /// UTF-8.
    /// \throws std::bad_alloc
    arguments(boost::json::object const& object)
    {
        text_.reserve(128); // one allocation for most calls
        append_json(text_, object);
    }

    /// Constructs arguments from JSON text, for example text that a model produced, and checks the text.
    ///
    /// The text must be one JSON object with at most `json_scan::max_depth` (512) nested levels, without duplicate keys
    /// in any object, and with valid UTF-8 and valid escapes. For other text, `problem()` is not empty, and a call with
    /// these arguments completes with `invalid_arguments` before anything is sent. The check reads the text once.
    ///
    /// \param text The JSON text, which is copied.
    /// \throws std::bad_alloc
    arguments(raw_json text) : text_(text.text()), problem_(detail::problem_of_arguments(text_)) {}

    /// Constructs arguments from JSON text without checking it.
    ///
    /// \par Preconditions
    /// `text` is one JSON object without duplicate keys.
    /// \param text The JSON text, which is moved from.
    /// \returns Arguments whose `problem()` is empty.
    static arguments unchecked(std::string text)
    {
        arguments out{nothing()};
        out.text_ = std::move(text);
        return out;
    }

    /// Rejects a plain string at compile time, because its meaning would be ambiguous.
    template<std::convertible_to<std::string_view> Text>
    arguments(Text const&)
    {
        static_assert(!std::is_same_v<Text, Text>,
                      "linkspan: a plain string does not convert to arguments: use R\"({...})\"_json or "
                      "raw_json(text) for JSON text, or braces as in {{\"name\", value}}");
    }

    /// Constructs arguments from one to eight name-value pairs in braces, as in `{{"a", 2}, {"b", 3}}`.
    ///
    /// Use a `boost::json::object` for more pairs, and for values that are braced lists. After a duplicate name,
    /// `problem()` is not empty.
    ///
    /// \throws std::bad_alloc
    // Parameters instead of an initializer_list: g++ before 14 rejects its array in a co_await expression.
    arguments(call_argument const& first, call_argument const& second = {}, call_argument const& third = {},
              call_argument const& fourth = {}, call_argument const& fifth = {}, call_argument const& sixth = {},
              call_argument const& seventh = {}, call_argument const& eighth = {})
        : text_("{")
    {
        for (auto const* const one : {&first, &second, &third, &fourth, &fifth, &sixth, &seventh, &eighth})
            append(*one);
        text_ += '}';
        problem_ = detail::problem_of_arguments(text_); // names may be duplicates
    }

    /// Returns the JSON text. Valid until the object is modified or destroyed.
    std::string_view text() const noexcept { return text_; }

    /// Returns the reason why the text is rejected, with a byte position or a JSON Pointer if one is known. Empty if
    /// the text is valid, and if the text was not checked.
    std::string_view problem() const noexcept { return problem_; }

    /// Moves the JSON text out of the object.
    std::string take() && noexcept { return std::move(text_); }

private:
    void append(call_argument const& one)
    {
        if (!one.text().empty())
            (text_ += text_.size() == 1 ? "" : ",") += one.text();
    }

    struct nothing {};
    explicit arguments(nothing) noexcept {}

    std::string text_;    // the JSON text
    std::string problem_; // set by the constructors that check the text; empty: valid or not checked
};

namespace detail {

// Both functions append arguments as JSON text, and return the reason why the arguments are rejected; empty: the
// arguments are valid, or were not checked. The function for a JSON object appends its text without an intermediate
// copy.

inline std::string append_arguments(std::string& out, arguments const& args)
{
    out += args.text();
    return std::string(args.problem());
}

inline std::string append_arguments(std::string& out, boost::json::object const& args)
{
    linkspan::append_json(out, args); // qualified, because `detail` has functions of this name
    return {};
}

} // namespace detail

/// A type whose values are arguments of a tool call: `arguments`, or a type that converts to it implicitly, such as
/// `boost::json::object`.
template<class Type>
concept argument_source = std::convertible_to<Type const&, arguments>;

} // namespace linkspan

#endif
