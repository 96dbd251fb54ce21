#ifndef LINKSPAN_CONNECTOR_RESULT_CLASSIFIER_HPP
#define LINKSPAN_CONNECTOR_RESULT_CLASSIFIER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Recognizes results of a server that report an error of the tool without `isError`.
///
/// Receives the server's own name of the tool and its result. Returns the message of the error, which may be empty;
/// `std::nullopt`: the result reports no error. See `server_options::result_classifier`.
///
///     options.result_classifier = [](std::string_view, linkspan::call_result const& result) {
///         auto const text = result.text();
///         return text.starts_with("ERROR: ") ? std::optional(text.substr(7)) : std::nullopt;
///     };
///
/// \par Executor
/// Called on the connector's executor, before the completion of the attempt. The function must not call functions of
/// the connector.
/// \par Exception safety
/// An exception leaves the result unchanged; the observer receives the event `classifier_failed` with its text.
using result_classifier =
    std::function<std::optional<std::string>(std::string_view tool, linkspan::call_result const& result)>;

/// Returns the message of a result that is an object with the member `status` equal to `"error"`: a
/// `result_classifier`.
///
///     options.result_classifier = linkspan::find_status_error;
///
/// The object is `structuredContent`, or, if there is none, the text content as JSON.
///
/// \param tool Not used.
/// \param result A result of the tool.
/// \returns The member `error`: a string, or the JSON text of another value; empty if there is no such member.
/// `std::nullopt`: the result has another form.
/// \par Thread safety
/// Safe.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<std::string> find_status_error(std::string_view tool, call_result const& result);

namespace detail {

// Returns the tool error with this message: `isError` is true, and the message is the only text of `content`. Blocks of
// other types and other members are kept. A text that was a JSON object becomes `structuredContent`, if there is none,
// so that its members are not lost. `message`: empty: the content is kept.
LINKSPAN_DECL call_result to_tool_error(call_result const& result, std::string_view message);

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/result_classifier.ipp>
#endif

#endif
