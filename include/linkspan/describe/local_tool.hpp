#ifndef LINKSPAN_DESCRIBE_LOCAL_TOOL_HPP
#define LINKSPAN_DESCRIBE_LOCAL_TOOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/describe/tool_result.hpp>
#include <linkspan/model/tool.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan {

/// Thrown by the function of a `local_tool`: the tool failed, as this says; the caller of the tool reads it.
class tool_failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A function over described structs as a tool: what a server lists and runs.
///
///     linkspan::local_tool const add("add", "Adds two numbers",
///                                    [](operands const& two) { return sum{two.a + two.b}; }, {.idempotent = true});
///
/// The function takes one described struct, or nothing. What it returns becomes the result: a described struct or a map
/// is structured content, and text; another value is that in `{"result": ...}`; a `std::string` is text; `void` is
/// nothing. Where the struct is a `ToolCall`, its name and hints are those of the tool, and need not be said again.
///
/// Thread safety: `run` is as safe as the function. Copies share nothing but what the function shares.
///
/// Specification: 2025-11-25 and 2026-07-28, server/tools.
class local_tool {
public:
    template<class Function>
    local_tool(std::string name, std::string description, Function function, tool_annotations hints = {})
        : local_tool(signature_of<Function>(), std::move(name), std::move(description), std::move(function), hints)
    {}

    /// Of a function over a `ToolCall`.
    template<class Function>
        requires ToolCall<typename detail::function_signature<Function>::argument>
    local_tool(std::string description, Function function)
        : local_tool(std::string(detail::function_signature<Function>::argument::tool), std::move(description),
                     std::move(function), detail::hints_of<typename detail::function_signature<Function>::argument>)
    {}

    /// As a server lists it.
    tool const& definition() const noexcept { return definition_; }

    /// Runs the function. Gives the members of a result, as JSON text. Arguments that are not as the struct and its
    /// notes say, and what the function throws, are results too: the tool failed, and the text says why.
    LINKSPAN_DECL std::string run(std::string_view arguments) const;

private:
    template<class Function>
    using signature_of = detail::function_signature<Function>;

    template<class Signature, class Function>
    local_tool(Signature, std::string name, std::string description, Function function, tool_annotations hints)
    {
        using argument = typename Signature::argument;
        using result = typename Signature::result;
        detail::require_clear_result<result>();
        definition_.name = std::move(name);
        definition_.description = std::move(description);
        definition_.input_schema = schema_text<argument>;
        definition_.output_schema = detail::output_schema_text<result>;
        definition_.annotations = hints;
        definition_.has_hints = true;
        run_ = [function = std::move(function)](std::string_view arguments) mutable {
            argument given{};
            mismatches problems;
            if (!decode(given, arguments, problems))
                throw tool_failure("invalid arguments: " + to_string(problems));
            return detail::result_of_call<Signature>(function, given);
        };
    }

    tool definition_;
    std::function<std::string(std::string_view arguments)> run_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/local_tool.ipp>
#endif

#endif
