#ifndef LINKSPAN_SERVER_REQUIRE_ELICITATIONS_HPP
#define LINKSPAN_SERVER_REQUIRE_ELICITATIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/server/server_request.hpp>

#include <span>

namespace linkspan::inline LINKSPAN_ABI {

/// Completes a request with the error -32042: the end user must complete elicitations of the mode `url` before the
/// client sends the request again.
///
///     linkspan::elicit_request page;
///     page.mode = linkspan::elicit_mode::url;
///     page.message = "Please sign in";
///     page.url = "https://files.example/sign-in";
///     page.elicitation_id = "sign-in-7";
///     linkspan::require_elicitations(request, {&page, 1});
///
/// The program of the server notifies the client when an elicitation is complete, by the function
/// `client_session::complete_elicitation`. The handler obtains the `client_session` from `request.session()` and stores
/// it before this call.
///
/// The error exists in 2025-11-25 only. In other protocol versions, and for a client that does not declare the mode
/// `url`, the request fails with the error for an undeclared capability: -32021, or -32602 in the era `handshake`. In
/// 2026-07-28, call `server_request::async_ask` with the elicitation instead. Versions before 2025-11-25 have no
/// elicitation of the mode `url`; `async_ask` completes with `unsupported_input_request`.
///
/// \param request The request.
/// \param pages The elicitations, each with the mode `url`, a URL and an `elicitation_id`; at least one.
/// \par Executor
/// Call on the executor of the server.
/// \par Thread safety
/// Distinct requests of different servers: safe. Otherwise unsafe.
/// \throws std::invalid_argument `pages` is empty, or an elicitation has another mode, no URL or no `elicitation_id`.
/// \par Specification
/// MCP 2025-11-25, client/elicitation, "URL Elicitation Required Error".
LINKSPAN_DECL void require_elicitations(server_request& request, std::span<elicit_request const> pages);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/require_elicitations.ipp>
#endif

#endif
