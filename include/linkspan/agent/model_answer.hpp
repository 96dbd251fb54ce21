#ifndef LINKSPAN_AGENT_MODEL_ANSWER_HPP
#define LINKSPAN_AGENT_MODEL_ANSWER_HPP

#include <linkspan/agent/model_call.hpp>
#include <linkspan/agent/tool_export.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

#include <string>

namespace linkspan {

/// Writes the result of a tool, or the reason why there is none, for the model, in the format of its request. Each
/// result is one message or block, to be appended to the conversation after the message of the model.
///
/// | content of the result  | `anthropic`             | `openai_responses`       | `openai`, `flat`        |
/// |------------------------|-------------------------|--------------------------|-------------------------|
/// | text                   | text                    | text                     | text                    |
/// | PNG, JPEG, GIF or WebP | `image` block           | `input_image`            | what was left out       |
/// | resource: text         | `document` block        | text, below its URI      | text, below its URI     |
/// | resource: PDF          | `document` block        | `input_file`             | what was left out       |
/// | link to a resource     | its name and URI        | its name and URI         | its name and URI        |
/// | other                  | what was left out       | what was left out        | what was left out       |
///
/// "What was left out" is a line of text, such as `[image left out: image/png, 1234 bytes]`. The result of a tool that
/// failed is text in the format `anthropic`, which takes nothing else there. A result without content is told as its
/// structured content.
LINKSPAN_DECL std::string model_answer(model_call const& asked, error_code ec, call_result const& result,
                                       tool_format format);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/model_answer.ipp>
#endif

#endif
