#ifndef LINKSPAN_CONNECTOR_DETAIL_CORE_CALLS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CORE_CALLS_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_dispatch.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Operations of `connector_core` and `call_runner` for `connector`, as free functions, so that programs compile
// without these classes.

namespace linkspan::inline LINKSPAN_ABI::detail {

class shared_redactor;
struct requested_task; // <linkspan/connector/detail/requested_task.hpp>

struct connector_access; // <linkspan/connector/detail/connector_access.hpp>

LINKSPAN_DECL asio::any_io_executor const& executor_of(core_pointer const& core) noexcept;

// Calls.

// Takes a call object from the pool. `target`: name of the only server that may execute the call; empty: any.
LINKSPAN_DECL call_pointer prepare_call(core_pointer const& core, std::string_view target, std::string_view tool);

// Returns the text to which the arguments of a prepared call are appended, one JSON object.
LINKSPAN_DECL std::string& arguments_text(call_runner& call) noexcept;

LINKSPAN_DECL void set_options(call_runner& call, call_options options);

// Restricts the call to the selected servers.
LINKSPAN_DECL void select_servers(call_runner& call, selector which);

// Restricts the name of the tool to exposed names.
LINKSPAN_DECL void restrict_to_exposed_names(call_runner& call) noexcept;

// Requests that the call becomes a task.
LINKSPAN_DECL void start_task(call_runner& call, std::shared_ptr<requested_task> requested);

// Makes the call fail with `invalid_arguments`. The problem may quote secrets, which are redacted.
LINKSPAN_DECL void reject_arguments(call_pointer const& call, std::string_view problem);

// Starts the call; the object is owned by the operation until its completion.
LINKSPAN_DECL void start_call(call_pointer call, pending_handler<void(error_code, call_result)> done);

// Redactor with the secrets of the connector to which a call belongs.
using secrets_pointer = std::shared_ptr<shared_redactor const>;
LINKSPAN_DECL secrets_pointer secrets_of(call_pointer const& call) noexcept;
LINKSPAN_DECL std::string redact(secrets_pointer const& secrets, std::string_view text);

// Operations of all servers, or of the named server.

LINKSPAN_DECL void open_servers(core_pointer const& core, pending_handler<void(error_code, open_report)> done);
LINKSPAN_DECL void connect_server(core_pointer const& core, std::string_view server,
                                  pending_handler<void(error_code, server_report)> done);
LINKSPAN_DECL void disconnect_server(core_pointer const& core, std::string_view server,
                                     pending_handler<void(error_code)> done);
LINKSPAN_DECL void enable_server(core_pointer const& core, std::string_view server,
                                 pending_handler<void(error_code, server_report)> done);
LINKSPAN_DECL void disable_server(core_pointer const& core, std::string_view server,
                                  pending_handler<void(error_code)> done);
LINKSPAN_DECL void remove_server(core_pointer const& core, std::string_view server,
                                 pending_handler<void(error_code)> done);
LINKSPAN_DECL void replace_server(core_pointer const& core, std::string_view server, std::string_view kind,
                                  transport_factory transport, server_options options,
                                  pending_handler<void(error_code, server_report)> done);
LINKSPAN_DECL void refresh_tools(core_pointer const& core,
                                 pending_handler<void(error_code, std::shared_ptr<catalog const>)> done);
LINKSPAN_DECL void verify_pins(core_pointer const& core, std::string_view server, std::vector<tool_pin> pins,
                               pending_handler<void(error_code, std::vector<pin_difference>)> done);
LINKSPAN_DECL void shut_down_servers(core_pointer const& core, duration timeout,
                                     pending_handler<void(error_code, shutdown_report)> done);

// Sets the handler for one method in the sessions of all servers, including servers that are added later. `make` is
// called with the name of each server, and returns the handler for its requests.
using input_handler = std::function<void(std::string_view params, responder)>;
LINKSPAN_DECL void set_request_handlers(connector_core& core, std::string method, std::string capability,
                                        std::function<input_handler(std::string const& server)> make);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, open_report>*, error_code,
                                      open_report);
extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, server_report>*, error_code,
                                      server_report);
extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, shutdown_report>*,
                                      error_code, shutdown_report);
extern template void dispatch_pending(asio::any_io_executor const&,
                                      pending_op<error_code, std::shared_ptr<catalog const>>*, error_code,
                                      std::shared_ptr<catalog const>);
extern template void dispatch_pending(asio::any_io_executor const&,
                                      pending_op<error_code, std::vector<pin_difference>>*, error_code,
                                      std::vector<pin_difference>);
#endif

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/core_calls.ipp>
#endif

#endif
