#ifndef LINKSPAN_CONNECTOR_STORED_RESULTS_HPP
#define LINKSPAN_CONNECTOR_STORED_RESULTS_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstddef>

// Results of tools that a connector stores, and uses for equal calls instead of requests.
//
// `server_options::result_ttl` and `tool_options::result_ttl` select the tools; without these options, a connector
// stores no results of tools.
namespace linkspan::inline LINKSPAN_ABI {

/// Default maximum size of the stored results of tools, and of those of reads (`store_read_results`), in bytes: 4 MiB.
inline constexpr std::size_t default_stored_bytes = detail::result_store::default_max_bytes;

/// Default maximum number of stored results of tools: 1000.
inline constexpr std::size_t default_stored_results = detail::result_store::default_max_results;

/// Limits the stored results of tools of a connector.
///
/// A result is stored for the time `tool_options::result_ttl`, or `server_options::result_ttl` if the replay class of
/// the tool is `read_only`. The stored result is used for calls of the same tool of the same connection with the same
/// server, with the same arguments: the order of members and the whitespace of the JSON text make no difference. The
/// record of such a result in `call_result::attempts()` has `attempt_record::from_store` set to true; no request is
/// sent, and no policy is invoked. If the tool is interchangeable, a stored result of any server of its group is used.
///
/// The connector does not store errors, results with `isError`, results that `server_options::result_classifier`
/// recognizes, results for which the server requested input, or tasks. Calls with `call_options::meta` neither store
/// nor use results, and neither do calls on servers with `server_options::interceptors`, which may change a request.
/// The end of the connection, a notification of changed tools, and a changed list of tools drop the results of the
/// server. With `call_options::use_stored_results` set to false, the connector sends a request for this call.
///
/// All requests of a connection have the authorization of the server's configuration. If a `token_provider` returns
/// tokens of different end users, the program must call `drop_tool_results` at each change of the end user, or leave
/// the options unset.
///
/// \param hub The connector.
/// \param max_bytes Maximum size of all stored results, counted as their texts, their names of tools and their
/// arguments. If there is no room, the results whose time ends first are dropped. 0: nothing is stored. Default of a
/// connector: `default_stored_bytes`.
/// \param max_results Maximum number of stored results. 0: nothing is stored. Default of a connector:
/// `default_stored_results`.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
LINKSPAN_DECL void limit_tool_results(connector_base& hub, std::size_t max_bytes,
                                      std::size_t max_results = default_stored_results);

/// Drops all stored results of tools. The results of outstanding calls are not stored.
///
/// \param hub The connector.
/// \par Executor
/// Call on the connector's executor.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe.
/// \throws std::bad_alloc
LINKSPAN_DECL void drop_tool_results(connector_base& hub);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/stored_results.ipp>
#endif

#endif
