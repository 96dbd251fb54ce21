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

namespace linkspan {

/// One argument of a call: its name and its value, as in `{"city", "Oslo"}`.
class call_argument {
public:
    /// None: for the parameters of `arguments` that a caller leaves out.
    call_argument() = default;

    call_argument(std::string_view name, boost::json::value const& value)
    {
        append_quoted(text_, name);
        text_ += ':';
        append_json(text_, value);
    }

    // Boost.JSON 1.81 makes no value of a std::string without its name.
    template<std::convertible_to<std::string_view> Text>
        requires(!std::is_same_v<Text, std::nullptr_t>) // which is JSON's null
    call_argument(std::string_view name, Text const& value)
    {
        append_quoted(text_, name);
        text_ += ':';
        append_quoted(text_, value);
    }

    /// The member of the object, as JSON; empty for none.
    std::string_view text() const noexcept { return text_; }

private:
    std::string text_;
};

/// The arguments of a call, as text: serialised once, whatever the number of attempts.
///
///     co_await hub.async_call("add", {{"a", 2}, {"b", 3}});
///     co_await hub.async_call("add", R"({"a": 2, "b": 3})"_json); // using namespace linkspan::literals
///
/// A plain string is no JSON, and so does not convert: name the intention by `raw_json` or `_json`.
class arguments {
public:
    /// No arguments.
    arguments() : text_("{}") {}

    arguments(boost::json::object const& object)
    {
        text_.reserve(128); // most calls need no more, and so one allocation
        append_json(text_, object);
    }

    /// Text from outside. It is read once: a text that is not one whole JSON object, or has a key twice in one object
    /// at any level, has a `problem()`, and a call with it completes with `invalid_arguments` before anything is sent.
    /// That costs some 0.1 µs for small arguments, and no allocation.
    arguments(raw_json text) : text_(text.text()), problem_(detail::problem_of_arguments(text_)) {}

    /// Text that is known to be one JSON object without duplicate keys, because the program has written or checked it.
    /// It is not read.
    static arguments unchecked(std::string text)
    {
        arguments out{nothing()};
        out.text_ = std::move(text);
        return out;
    }

    /// Refuses a plain string: text and JSON could not be told apart.
    template<std::convertible_to<std::string_view> Text>
    arguments(Text const&)
    {
        static_assert(!std::is_same_v<Text, Text>,
                      "linkspan: a plain string is no form of arguments: take R\"({...})\"_json or raw_json(text) for "
                      "JSON, or braces as in {{\"name\", value}}");
    }

    /// Up to eight in braces; take a `boost::json::object` for more. Parameters, and no initializer_list, whose array
    /// g++ before 14 refuses in a `co_await` expression; for the same reason a value there is no list in braces.
    arguments(call_argument const& first, call_argument const& second = {}, call_argument const& third = {},
              call_argument const& fourth = {}, call_argument const& fifth = {}, call_argument const& sixth = {},
              call_argument const& seventh = {}, call_argument const& eighth = {})
        : text_("{")
    {
        for (auto const* const one : {&first, &second, &third, &fourth, &fifth, &sixth, &seventh, &eighth})
            append(*one);
        text_ += '}';
        problem_ = detail::problem_of_arguments(text_); // a key may be there twice
    }

    std::string_view text() const noexcept { return text_; }

    /// Why no call is made with this text, as a sentence with a JSON Pointer; empty: the text is a JSON object.
    std::string_view problem() const noexcept { return problem_; }

    std::string take() && noexcept { return std::move(text_); }

private:
    void append(call_argument const& one)
    {
        if (!one.text().empty())
            (text_ += text_.size() == 1 ? "" : ",") += one.text();
    }

    struct nothing {};
    explicit arguments(nothing) noexcept {}

    std::string text_;
    std::string problem_;
};

} // namespace linkspan

#endif
