#ifndef LINKSPAN_AGENT_TOOL_RESULT_MESSAGE_HPP
#define LINKSPAN_AGENT_TOOL_RESULT_MESSAGE_HPP

#include <linkspan/agent/model_call.hpp>
#include <linkspan/agent/tool_export.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the message for the model that contains the result of a tool, or the reason why there is no result.
///
/// The text is a message (`openai`), an input item (`openai_responses`), a content block (`anthropic`) or an object
/// (`flat`), which the caller appends to the conversation after the message of the model.
///
/// | content of the result  | `anthropic`             | `openai_responses`       | `openai`, `flat`        |
/// |------------------------|-------------------------|--------------------------|-------------------------|
/// | text                   | text                    | text                     | text                    |
/// | PNG, JPEG, GIF or WebP | `image` block           | `input_image`            | placeholder             |
/// | resource: text         | `document` block        | text, below its URI      | text, below its URI     |
/// | resource: PDF          | `document` block        | `input_file`             | placeholder             |
/// | resource: image        | `image` block           | `input_image`            | placeholder             |
/// | link to a resource     | text                    | text                     | text                    |
/// | other                  | placeholder             | placeholder              | placeholder             |
///
/// A placeholder is a line of text in place of the content, such as `[image omitted: image/png, 1234 bytes]`. The text
/// of a link consists of its name, URI, media type and description. The title of a `document` block is the URI of the
/// resource, truncated to 500 code points. In the format `anthropic`, the result of a failed tool is text only, because
/// the API accepts no other content. For a result without content blocks, the message contains its structured content.
/// Invalid UTF-8 in the content is replaced by U+FFFD.
///
/// \param call Request of the model, as returned by `read_model_call`.
/// \param ec Error of the call. If the error is set, the message contains an explanation instead of a result.
/// \param result Result of the call, or of the failed call.
/// \param format Format of the message; must be the format of the request.
/// \returns A JSON object.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string tool_result_message(model_call const& call, error_code ec, call_result const& result,
                                              tool_format format);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/tool_result_message.ipp>
#endif

#endif
