#ifndef LINKSPAN_MODEL_REQUIRED_ELICITATIONS_HPP
#define LINKSPAN_MODEL_REQUIRED_ELICITATIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/elicitation.hpp>

#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// JSON-RPC code of an error response that requires elicitations with mode `url` before the request is sent again.
///
/// \par Specification
/// MCP 2025-11-25, client/elicitation, "URL Elicitation Required Error".
inline constexpr int url_elicitation_required = -32042;

/// Returns the elicitations that a server requires before a request is sent again.
///
/// The program asks the end user for consent, opens each page, waits for `notifications/elicitation/complete`
/// (`on_elicitation_complete`) or for a decision of the end user, and repeats the request.
///
///     auto const [ec, result] = co_await hub.async_call("export", args, asio::as_tuple(asio::deferred));
///     for (auto const& page : linkspan::required_elicitations(ec, result))
///         show(page.message, page.url);
///
/// \param ec Error with which the request completed.
/// \param result Result with which the request completed.
/// \returns The elicitations of the last attempt; `elicit_request::server` is the server of this attempt. Elicitations
/// that are not valid, or whose mode is not `url`, are omitted. Empty: the error has another code than
/// `url_elicitation_required`.
/// \throws std::bad_alloc
LINKSPAN_DECL std::vector<elicit_request> required_elicitations(error_code ec, call_result const& result);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/required_elicitations.ipp>
#endif

#endif
