#ifndef LINKSPAN_AGENT_MODEL_CALL_HPP
#define LINKSPAN_AGENT_MODEL_CALL_HPP

#include <linkspan/agent/tool_export.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>

#include <string>
#include <string_view>

namespace linkspan {

/// What a model asks for: the tool, by its exposed name, and what to give it.
struct model_call {
    std::string id;              ///< the model's name for this request; empty: it gave none
    std::string name;            ///< as `export_tools` wrote it
    std::string arguments{"{}"}; ///< a JSON object
    bool has_arguments = true;   ///< false: the request has none, or empty text, and `arguments` is `{}`
    std::string problem;         ///< why the request is not executed, for the model; empty: it is whole
};

/// Reads what a model asks for, in the format that it was told the tools in:
///
/// | format             | request                                                                                |
/// |--------------------|----------------------------------------------------------------------------------------|
/// | `openai`           | `{"id": ..., "type": "function", "function": {"name": ..., "arguments": "{...}"}}`     |
/// | `openai_responses` | `{"type": "function_call", "call_id": ..., "name": ..., "arguments": "{...}"}`         |
/// | `anthropic`        | `{"type": "tool_use", "id": ..., "name": ..., "input": {...}}`                         |
/// | `flat`             | `{"name": ..., "arguments": {...}}`, and `id` if you like                              |
///
/// `arguments` of both formats of OpenAI may be an object instead of text. Missing arguments are `{}`, and so is empty
/// text: `async_execute` rejects them if the tool requires an argument. Members that are not listed here are ignored.
///
/// Errors: `malformed_message` when `json` is not one whole object of this form: when it is truncated, or text follows
/// it; when a key is there twice in one object, at any level, in the arguments too; when a member is of another kind,
/// or `type` is another one. `problem` says so in a sentence that a model can act on. `id` is read all the same if it
/// can be, so that the model gets its answer.
LINKSPAN_DECL model_call read_model_call(std::string_view json, tool_format format, error_code& ec);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/model_call.ipp>
#endif

#endif
