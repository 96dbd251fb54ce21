#ifndef LINKSPAN_SESSION_DETAIL_SESSION_CALLS_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_CALLS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_dispatch.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/detail/page_reader.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/detail/request_pointer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

// Operations of `session_core` for `session`, as free functions, so that programs compile without the class.

namespace linkspan::inline LINKSPAN_ABI::detail {

struct session_access; // <linkspan/session/session_ref.hpp>

LINKSPAN_DECL asio::any_io_executor const& executor_of(session_pointer const& session) noexcept;

LINKSPAN_DECL void open_session(session_pointer const& session, pending_handler<void(error_code)> done);
LINKSPAN_DECL void shut_down_session(session_pointer const& session, pending_handler<void(error_code)> done);

// Take a request object from the pool of the session.
LINKSPAN_DECL request_pointer prepare_request(session_pointer const& session, std::string_view method);
LINKSPAN_DECL request_pointer prepare_tool_call(session_pointer const& session, std::string_view tool);

// Returns the text of `params` of a prepared request. For a call of a tool, the arguments are appended to it.
LINKSPAN_DECL std::string& params_text(session_request& request) noexcept;

LINKSPAN_DECL void set_options(session_request& request, call_options options);

// Sets the server of a connector to which a prepared request is sent.
LINKSPAN_DECL void set_origin(session_request& request, request_origin origin);

// Makes a prepared request fail with `invalid_arguments`; nothing is sent.
LINKSPAN_DECL void reject_params(session_request& request, std::string_view problem);

// Starts a prepared request, which belongs to the session.
LINKSPAN_DECL void start_request(session_pointer const& session, request_pointer request,
                                 pending_handler<void(error_code, call_result)> done);
LINKSPAN_DECL void list_tools(session_pointer const& session, pending_handler<void(error_code, tool_list)> done);

// Requests all pages of a list. `method`: a literal. The text of the completion is the message of an error response.
LINKSPAN_DECL void list_entries(session_pointer const& session, std::string_view method, request_origin origin,
                                page_reader read, pending_handler<void(error_code, std::string)> done);

// Sends a notification, if the session is open in the era `handshake`. Returns whether it was sent. `params`: text of
// a JSON object.
LINKSPAN_DECL bool send_notification(session_pointer const& session, std::string_view method, std::string_view params);

// Sends `notifications/roots/list_changed` as `send_notification`, and only if the last handshake declared it. Returns
// whether it was sent.
LINKSPAN_DECL bool notify_roots_changed(session_pointer const& session);

// Requests that the server sends log messages of at least a level: by `logging/setLevel`, also after later
// negotiations, or in the era `stateless` by all following requests.
LINKSPAN_DECL void set_log_level(session_pointer const& session, request_origin origin, log_level level,
                                 pending_handler<void(error_code, call_result)> done);

// Subscribe to changes of a resource, and end the subscription.
LINKSPAN_DECL void subscribe_resource(session_pointer const& session, request_origin origin, std::string uri,
                                      pending_handler<void(error_code, call_result)> done);
LINKSPAN_DECL void unsubscribe_resource(session_pointer const& session, request_origin origin, std::string const& uri,
                                        pending_handler<void(error_code, call_result)> done);

// Sends the request with which `async_ping` checks a server: `ping`, or `server/discover` in the stateless era.
LINKSPAN_DECL void ping_server(session_pointer const& session, pending_handler<void(error_code, call_result)> done);

// Returns the text of the exception that reports a failed `async_open`. `session`: null if it was destroyed.
LINKSPAN_DECL std::string explain_failed_open(session_pointer const& session);

// Sets the handler and the declared capability of one method.
LINKSPAN_DECL void set_request_handler(session_core& session, std::string method, std::string capability,
                                       std::function<void(std::string_view params, responder)> handler);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, tool_list>*, error_code,
                                      tool_list);
extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, std::string>*, error_code,
                                      std::string);
#endif

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_calls.ipp>
#endif

#endif
