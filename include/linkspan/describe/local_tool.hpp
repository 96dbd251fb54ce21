#ifndef LINKSPAN_DESCRIBE_LOCAL_TOOL_HPP
#define LINKSPAN_DESCRIBE_LOCAL_TOOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/detail/tool_function.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/model/tool.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Thrown by the function of a `local_tool` to report that the tool failed.
///
/// The result of the tool has `isError` and the text of the exception. A `server` reports other exceptions of the
/// function to the client as the error -32603, without their texts.
///
///     throw linkspan::tool_failure("account 7 is closed");
class tool_failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Tool of a server, implemented by a function with a described struct as its parameter.
///
///     linkspan::local_tool const add("add", "Adds two numbers",
///                                    [](operands const& two) { return sum{two.a + two.b}; }, {.idempotent = true});
///
/// The function has one parameter, a described struct (by value or by const reference), or no parameters. The input
/// schema is that of the struct. The result of the tool depends on the return type of the function:
/// - a type whose JSON is always an object (a described struct, a map): structured content, and its JSON as text;
/// - `std::string`: text, without an output schema;
/// - `void`: no content, without an output schema;
/// - a type whose JSON is never an object: an object whose member `result` is the value, as structured content, and the
///   JSON of the value as text.
///
/// Other return types do not compile.
///
/// If the struct is a `ToolCall`, the tool has the name and the hints of the struct:
///
///     linkspan::local_tool const tool("Forecast of a city",
///                                     [](get_forecast const& request) { return find(request.city); });
///
/// \par Thread safety
/// Distinct objects: safe, if their functions may be called concurrently. The same condition applies to concurrent
/// calls of `run` and `call` of one object. A copy has a copy of the function.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools.
class local_tool {
public:
    /// Constructs a tool from a name, a description and a function.
    ///
    /// \param name The name of the tool.
    /// \param description The description for models.
    /// \param function A function object with one `operator()`, or a function pointer. Must be copyable.
    /// \param hints The annotations of the tool. The server lists all four, including those with default values.
    /// \throws std::bad_alloc
    template<class Function>
    local_tool(std::string name, std::string description, Function function, tool_annotations hints = {})
        : local_tool(signature_of<Function>(), std::move(name), std::move(description), std::move(function), hints)
    {}

    /// Constructs a tool from a function whose parameter is a `ToolCall`.
    ///
    /// \param description The description for models.
    /// \param function A function object with one `operator()`, or a function pointer. Must be copyable. Its
    /// parameter type defines the name and the hints of the tool.
    /// \throws std::bad_alloc
    template<class Function>
        requires ToolCall<typename detail::function_signature<Function>::argument>
    local_tool(std::string description, Function function)
        : local_tool(std::string(detail::function_signature<Function>::argument::tool), std::move(description),
                     std::move(function), detail::hints_of<typename detail::function_signature<Function>::argument>)
    {}

    /// Returns the tool as the server lists it.
    tool const& definition() const noexcept { return definition_; }

    /// Runs the function and returns the members of the result object as JSON text, without the enclosing braces.
    ///
    /// The result has `isError` in three cases: the arguments do not match the struct and its notes, the function
    /// throws an exception, or `linkspan::check` returns false for the returned value. The text of the result is
    /// `what()` of the exception; for an exception that does not derive from `std::exception`, it is a fixed text.
    ///
    /// \param arguments The arguments as the text of a JSON object.
    /// \throws std::bad_alloc if the text of a failure cannot be allocated.
    LINKSPAN_DECL std::string run(std::string_view arguments) const;

    /// Runs the function as `run` does, but does not convert all exceptions to a result.
    ///
    /// The result has `isError` if the arguments do not match the struct and its notes, or if the function throws a
    /// `tool_failure`. A `server` uses `call`, and reports the exceptions that `call` throws to the client as the error
    /// -32603, without their texts.
    ///
    /// \param arguments The arguments as the text of a JSON object.
    /// \throws std::logic_error if `linkspan::check` returns false for the returned value; std::bad_alloc; and each
    /// exception of the function that is not a `tool_failure`.
    LINKSPAN_DECL std::string call(std::string_view arguments) const;

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

    tool definition_;                                            // set by the constructor
    std::function<std::string(std::string_view arguments)> run_; // set by the constructor; throws on failure
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/local_tool.ipp>
#endif

#endif
