#ifndef LINKSPAN_AGENT_MODEL_CALL_HPP
#define LINKSPAN_AGENT_MODEL_CALL_HPP

#include <linkspan/agent/tool_export.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Request of a model: a tool, by its exposed name, with its arguments.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
struct model_call {
    /// Identifier that the model gave the request. Empty: none.
    std::string id;

    /// Exposed name of the tool, as `export_tools` wrote it.
    std::string name;

    /// Arguments as the text of a JSON object. Default: `{}`.
    std::string arguments{"{}"};

    /// Whether the request has arguments. False: the arguments are missing or an empty text, and `arguments` is `{}`.
    bool has_arguments = true;

    /// Text for the model: the reason why the request is not executed. Empty: the request is valid.
    std::string problem;
};

/// Reads the request of a model.
///
/// | format             | request                                                                                |
/// |--------------------|----------------------------------------------------------------------------------------|
/// | `openai`           | `{"id": ..., "type": "function", "function": {"name": ..., "arguments": "{...}"}}`     |
/// | `openai_responses` | `{"type": "function_call", "call_id": ..., "name": ..., "arguments": "{...}"}`         |
/// | `anthropic`        | `{"type": "tool_use", "id": ..., "name": ..., "input": {...}}`                         |
/// | `flat`             | `{"name": ..., "arguments": {...}}`, optionally with `id`                              |
///
/// In the formats of OpenAI, `arguments` may be an object instead of text. Missing arguments, and empty text, are `{}`;
/// `async_execute` rejects them if the tool requires an argument. Other members are ignored.
///
/// \param json Text of the request.
/// \param format Format of the request: the format in which the tools were exported.
/// \param ec Set to the error; cleared on success.
/// \returns The request. On error, `model_call::problem` describes the error for the model, and `id` is set if it could
/// be read, so that `tool_result_message` can return a message for the request.
/// \par Errors
/// `malformed_message`: the text is truncated, is followed by other text, is not a JSON object, or is nested more than
/// 512 levels; an object contains a duplicate key, at any level, also in the arguments; the name is missing or empty; a
/// member has the wrong JSON type; or `type` has another value than in the table.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL model_call read_model_call(std::string_view json, tool_format format, error_code& ec);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/model_call.ipp>
#endif

#endif
