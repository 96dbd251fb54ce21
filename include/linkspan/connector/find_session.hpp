#ifndef LINKSPAN_CONNECTOR_FIND_SESSION_HPP
#define LINKSPAN_CONNECTOR_FIND_SESSION_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/session/session_ref.hpp>

#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the session of a connector with one of its servers, for requests to this server: by the functions of
/// <linkspan/session/resources.hpp>, <linkspan/session/prompts.hpp> and <linkspan/session/logging.hpp>, or, with any
/// method, by `session_ref::async_request`.
///
///     if (auto const notes = linkspan::find_session(hub, "notes"))
///         auto const text = co_await linkspan::async_read_resource(*notes, "note://today");
///
/// The policies of the connector do not apply to these requests: they are sent once, to this server, and do not change
/// its health. A request fails with `not_connected` while the server is not open; `connector_base::async_connect` opens
/// a server with `start_mode::lazy`. `call_result::server()` is the name of the server. The secrets of the
/// configuration are redacted in texts about errors.
///
/// \param of The connector.
/// \param server Name of the server.
/// \returns The session, which is the same after each restart of the server; empty: there is no server of this name.
/// \par Executor
/// Call on the connector's executor.
/// \par Lifetime
/// The result may outlive the connector and the removal of the server; requests then fail with `not_connected`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<session_ref> find_session(connector_base const& of, std::string_view server);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/find_session.ipp>
#endif

#endif
