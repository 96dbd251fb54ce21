#ifndef LINKSPAN_CONNECTOR_CONNECTOR_HPP
#define LINKSPAN_CONNECTOR_CONNECTOR_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connection_error.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/core_calls.hpp>
#include <linkspan/connector/detail/default_table.hpp>
#include <linkspan/connector/named_calls.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/connector/typed_calls.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/typed_responder.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// List of the transports that a connector supports, as in `connector<transports<stdio, auto_http>>`.
///
/// \tparam Ts At least one type that satisfies `Transport`. `connector::add` accepts only these types.
template<Transport... Ts>
struct transports {};

/// View of a connector that restricts calls to some of its servers; returned by `on_server` and `on_servers`.
///
///     auto reply = co_await hub.on_server("files").async_call("read_file", args);
///
/// The object is a cheap reference: it owns neither the connector nor the name of the server. A started call does not
/// refer to the object.
///
/// \par Lifetime
/// The connector and the text that was passed to `on_server` must outlive the object.
/// \par Thread safety
/// The same as that of the connector: use the object on the executor of the connector only.
///
/// \tparam Connector `connector_base` or a `connector`. With a `connector`, a typed call does not compile if the hints
/// of its tool forbid a second execution and the fallback policy may repeat any call.
template<class Connector>
class server_scope : public named_calls<server_scope<Connector>>, public typed_calls<server_scope<Connector>> {
public:
    using named_calls<server_scope>::async_call;
    using typed_calls<server_scope>::async_call;

    /// Returns the executor of the connector.
    asio::any_io_executor get_executor() const noexcept { return connector_->get_executor(); }

private:
    friend Connector;
    template<class>
    friend class named_calls;
    template<class>
    friend class typed_calls;

    static constexpr bool replays_all = Connector::replays_all;

    server_scope(Connector& connector, std::string_view server) : connector_(&connector), server_(server)
    {
        if (server.empty()) // a call without a server could be sent to any server, but no server has an empty name
            which_.emplace().servers.emplace_back();
    }
    server_scope(Connector& connector, selector servers) : connector_(&connector), which_(std::move(servers)) {}

    // `options`: a `call_options`, or nothing.
    template<class... Options>
    detail::call_pointer prepare(std::string_view tool, Options... options)
    {
        auto call = detail::prepare_call(connector_->core_, server_, tool);
        (detail::set_options(*call, std::move(options)), ...);
        if (which_)
            detail::select_servers(*call, *which_);
        return call;
    }

    Connector* connector_;          // never null
    std::string_view server_;       // name of the only server; empty with `which_`
    std::optional<selector> which_; // empty: the scope is one server
};

namespace detail {

struct unusable_server_adder;

} // namespace detail

/// Operations of a connector that do not depend on its transports and policies.
///
/// A function that is not a template can take a connector as `connector_base&`. Only `connector` can be constructed.
///
/// `catalog()` returns the last published snapshot of the tools, and `state()` copies the current values of each
/// server. Operations may be started at any time, also concurrently with each other. After `close` and `async_shutdown`
/// the connector can be opened again.
///
/// \par Executor
/// Handlers are invoked on their associated executors, by default the executor of the connector, and never inside the
/// function that starts the operation.
/// \par Lifetime
/// The connector may be destroyed at any time, also inside one of its handlers and with calls in flight. The destructor
/// closes all connections, and terminates and reaps child processes; outstanding operations complete with
/// `operation_aborted`.
/// \par Thread safety
/// `catalog()`, `state()` and `get_executor()`: safe from any thread. All other members: call on the executor, which
/// must not run two handlers concurrently (use a strand on a thread pool). Unless `NDEBUG` is defined, an assertion
/// fails if the executor runs two handlers concurrently.
class connector_base : public named_calls<connector_base>, public typed_calls<connector_base> {
public:
    /// Type of the executor on which the connector runs.
    using executor_type = asio::any_io_executor;

    connector_base(connector_base const&) = delete;
    connector_base& operator=(connector_base const&) = delete;

    /// Returns the executor that was passed to the constructor.
    executor_type get_executor() const noexcept { return detail::executor_of(core_); }

    /// Opens all enabled servers concurrently.
    ///
    /// A server with `start_mode::lazy` is not opened if its state is `idle` or `closed`. The state changes from
    /// `closed` to `idle`, so that the first call that needs the server starts it. A server that is already open is not
    /// changed. If a server is being opened, the operation waits for that opening. A server that waits for its next
    /// restart is started immediately. A server that fails to open does not affect the others: the report contains its
    /// error, and the connector reopens the server as its `restart_options` specify, or with the next `async_open`.
    ///
    ///     linkspan::open_report const report = co_await hub.async_open();
    ///
    /// \par Completion signature
    /// `void(error_code, open_report)`. The report has one entry per server that had to be opened, in configuration
    /// order, also on error. Servers that were already open or are not opened (disabled or lazy) have no entry. After a
    /// cancellation, the entries of servers that were not opened, or were closed again, have the error
    /// `operation_aborted`. A server whose `tools/list` request failed is connected, but its entry has the error of
    /// that request.
    /// \par Errors
    /// `connection_failed`: all entries of a report that is not empty have an error, or the entry of a server with
    /// `server_options::required` has an error. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the servers that this operation started; the connector does not
    /// reopen them. A server that a call or another operation also uses stays open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, `server/discover`.
    template<asio::completion_token_for<void(error_code, open_report)> Token = throwing_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, open_report)>(
            detail::initiate<&detail::open_servers>(core_), token);
    }

    using named_calls<connector_base>::async_call;
    using typed_calls<connector_base>::async_call;

    /// Returns a view that sends calls to one server only. Such calls identify tools by their own names.
    ///
    /// \param name Name of a server. An unknown name is reported by the call, as `unknown_server`.
    /// \par Lifetime
    /// The connector and the text of `name` must outlive the returned object.
    server_scope<connector_base> on_server(std::string_view name) { return {*this, name}; }

    /// Returns a view that sends calls only to servers that the selector admits.
    ///
    /// \param servers Required tags, or names in their order of preference; see `selector`.
    /// \par Lifetime
    /// The connector must outlive the returned object.
    server_scope<connector_base> on_servers(selector servers) { return {*this, std::move(servers)}; }

    /// Calls a tool by its exposed name, as a model uses it.
    ///
    /// The name is an exposed name of the naming policy (`catalog_entry::exposed`), or the tool's own name if the
    /// policy accepts own names (`catalog_entry::accepts_own_name`) and the name is unambiguous. If the name is not in
    /// the catalog, the connector first sends one `tools/list` request to each open server, and starts servers in the
    /// state `idle`, beginning with those of `start_mode::eager`. The call fails if no server has the tool. Routing,
    /// failover, schema validation and interceptors apply as in `async_call`.
    ///
    /// \param exposed_name Copied before the function returns.
    /// \param args Arguments of the tool, a JSON object. Serialized before the function returns.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On error the result contains the attempts and a detail text; with
    /// `unexpected_result` also the value that the server sent.
    /// \par Errors
    /// - `invalid_tool_name`: no tool is exposed by this name. `ambiguous_tool`: the name belongs to several tools that
    ///   are not interchangeable.
    /// - `not_connected`: the connector is closed; or the name belongs to one server, and that server is not connected,
    ///   not `idle` and not being opened; `call_result::detail()` and the only attempt record then contain the name of
    ///   the server.
    /// - `server_disabled`: the name belongs to one server, which is disabled.
    /// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema
    ///   (see `set_call_validation`). No request was sent.
    /// - `unexpected_result`: the result does not match the output schema (see `set_call_validation`).
    /// - `no_eligible_server`: the policies admit no server, or the queues of all servers are full.
    /// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
    /// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
    /// - `deadline_exceeded`: `call_options::timeout` elapsed.
    /// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response
    ///   of the server is not readable.
    /// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the
    ///   call, and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is
    ///   exceeded.
    /// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded.
    /// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by
    /// closing the response stream; the server may have run the tool. `total`: completes the call only while no server
    /// can have run the tool. An interceptor of the connector forwards only the cancellation types that its coroutine
    /// enables; see `interceptor`.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_invoke(std::string_view exposed_name, arguments const& args, call_options options,
                      Token&& token = Token())
    {
        auto call = prepare(exposed_name, std::move(options));
        detail::put_arguments(call, args);
        detail::restrict_to_exposed_names(*call);
        return asio::async_initiate<Token, void(error_code, call_result)>(detail::initiate_call{get_executor()}, token,
                                                                          std::move(call));
    }

    /// Calls a tool by its exposed name, with default options.
    ///
    /// Equivalent to `async_invoke(exposed_name, args, call_options(), token)`.
    ///
    /// \param exposed_name Copied before the function returns.
    /// \param args Arguments of the tool, a JSON object. Serialized before the function returns.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On error the result contains the attempts and a detail text; with
    /// `unexpected_result` also the value that the server sent.
    /// \par Errors
    /// - `invalid_tool_name`: no tool is exposed by this name. `ambiguous_tool`: the name belongs to several tools that
    ///   are not interchangeable.
    /// - `not_connected`: the connector is closed; or the name belongs to one server, and that server is not connected,
    ///   not `idle` and not being opened; `call_result::detail()` and the only attempt record then contain the name of
    ///   the server.
    /// - `server_disabled`: the name belongs to one server, which is disabled.
    /// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema
    ///   (see `set_call_validation`). No request was sent.
    /// - `unexpected_result`: the result does not match the output schema (see `set_call_validation`).
    /// - `no_eligible_server`: the policies admit no server, or the queues of all servers are full.
    /// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
    /// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
    /// - `deadline_exceeded`: 300 s elapsed, the default of `call_options::timeout`.
    /// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response
    ///   of the server is not readable.
    /// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the
    ///   call, and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is
    ///   exceeded.
    /// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded.
    /// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by
    /// closing the response stream; the server may have run the tool. `total`: completes the call only while no server
    /// can have run the tool. An interceptor of the connector forwards only the cancellation types that its coroutine
    /// enables; see `interceptor`.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_invoke(std::string_view exposed_name, arguments const& args = {}, Token&& token = Token())
    {
        return async_invoke(exposed_name, args, call_options(), std::forward<Token>(token));
    }

    /// Calls a tool by its exposed name, without arguments and with default options.
    ///
    /// Equivalent to `async_invoke(exposed_name, arguments(), call_options(), token)`.
    ///
    /// \param exposed_name Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code, call_result)`. On error the result contains the attempts and a detail text; with
    /// `unexpected_result` also the value that the server sent.
    /// \par Errors
    /// - `invalid_tool_name`: no tool is exposed by this name. `ambiguous_tool`: the name belongs to several tools that
    ///   are not interchangeable.
    /// - `not_connected`: the connector is closed; or the name belongs to one server, and that server is not connected,
    ///   not `idle` and not being opened; `call_result::detail()` and the only attempt record then contain the name of
    ///   the server.
    /// - `server_disabled`: the name belongs to one server, which is disabled.
    /// - `invalid_arguments`: the input schema requires arguments (see `set_call_validation`). No request was sent.
    /// - `unexpected_result`: the result does not match the output schema (see `set_call_validation`).
    /// - `no_eligible_server`: the policies admit no server, or the queues of all servers are full.
    /// - `all_servers_failed`: every eligible server failed or is unavailable; the call may safely be repeated.
    /// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
    /// - `deadline_exceeded`: 300 s elapsed, the default of `call_options::timeout`.
    /// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response
    ///   of the server is not readable.
    /// - `unsupported_input_request`, `input_refused`, `too_many_input_rounds`: the server requested input for the
    ///   call, and no handler is set, a handler refused the input, or the limit `session_options::max_input_rounds` is
    ///   exceeded.
    /// - `interceptor_failed`: an interceptor threw. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded.
    /// For a request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by
    /// closing the response stream; the server may have run the tool. `total`: completes the call only while no server
    /// can have run the tool. An interceptor of the connector forwards only the cancellation types that its coroutine
    /// enables; see `interceptor`.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_invoke(std::string_view exposed_name, Token&& token)
    {
        return async_invoke(exposed_name, arguments(), call_options(), std::forward<Token>(token));
    }

    /// Adds an interceptor around each call that is started afterwards.
    ///
    /// The interceptor that was added first is the outermost. An interceptor of a connector surrounds the call with all
    /// its attempts; interceptors of single attempts are in `server_options::interceptors`. An interceptor cannot be
    /// removed.
    ///
    /// \par Thread safety
    /// Call on the connector's executor.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    LINKSPAN_DECL void add_interceptor(interceptor around);

    /// Sets which parts of calls are validated against the tools' JSON Schemas.
    ///
    /// The setting applies to servers that are added afterwards. `server_options::validate_arguments` and
    /// `server_options::validate_results` override the setting for one server, unless they are empty. Default: no
    /// validation, because validation takes time in each call.
    ///
    /// \param parts The parts of calls that are validated.
    /// \par Thread safety
    /// Call on the connector's executor.
    LINKSPAN_DECL void set_call_validation(call_validation parts) noexcept;

    /// Sets the handler for one kind of request that servers send, and declares the capability to all servers.
    ///
    /// Servers that are already open use the handler immediately, but the capability is declared to them only when they
    /// are opened again. The request contains the name of the server. A later handler of the same kind replaces the
    /// earlier one.
    ///
    ///     hub.set_handler<linkspan::elicitation>(
    ///         [](linkspan::elicit_request const& request, linkspan::typed_responder<linkspan::elicitation> respond) {
    ///             respond({.action = linkspan::elicit_action::decline});
    ///         });
    ///
    /// \tparam Kind `elicitation`, `sampling` or `roots`.
    /// \param handler Invoked as `handler(Kind::request_type const&, typed_responder<Kind>)` on the executor. The
    /// responder may be kept and used later.
    /// \param options Options of the kind, which determine the declared capability.
    /// \par Thread safety
    /// Call on the connector's executor.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, client/elicitation, client/sampling, client/roots.
    template<class Kind, class Handler>
    void set_handler(Handler handler, typename Kind::options options = {})
    {
        auto shared = std::make_shared<Handler>(std::move(handler));
        detail::set_request_handlers(*core_, std::string(Kind::method), Kind::capability(options),
                                     [shared = std::move(shared), options](std::string const& server) {
                                         return detail::bind_typed<Kind>(shared, options, server);
                                     });
    }

    /// Opens one server and lists its tools.
    ///
    /// If the server is open, the operation completes without a request. A server that waits for its next restart is
    /// started immediately, and its restarts are counted from 0 again. A disabled server stays disabled.
    ///
    /// \param server Name of the server. Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code, server_report)`. The report converts to true if the server is ready; otherwise its `ec` is
    /// `unknown_server`, `server_disabled`, `not_connected` (the server was shut down or removed during the opening),
    /// or the error of the transport, of the negotiation or of the `tools/list` request. These errors are in the report
    /// only.
    /// \par Errors
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the server if this operation started it. A server that a call or
    /// another operation also uses stays open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, `server/discover`.
    template<asio::completion_token_for<void(error_code, server_report)> Token = asio::deferred_t>
    auto async_connect(std::string_view server, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, server_report)>(
            detail::initiate<&detail::connect_server>(core_), token, std::string(server));
    }

    /// Shuts down one server gracefully.
    ///
    /// New calls use other servers immediately, and the server's tools are removed from the catalog. The graceful
    /// shutdown of the transport begins when the outstanding calls of the server are complete, at the latest after
    /// `server_options::drain_timeout`. Afterwards `async_connect` and `async_open` start the server; a server with
    /// `start_mode::lazy` is instead started by `async_connect`, or by the first call that needs the server. A name
    /// that belongs to no server is not an error.
    ///
    /// \param server Name of the server. Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// The error of the transport's shutdown. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the server immediately instead of gracefully. Its outstanding requests, and other
    /// operations that wait for its shutdown, complete with `operation_aborted`. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_disconnect(std::string_view server, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::disconnect_server>(core_), token,
                                                             std::string(server));
    }

    /// Enables a server that is disabled, and opens it.
    ///
    /// A server that is already enabled is opened as by `async_connect`.
    ///
    /// \param server Name of the server. Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code, server_report)`. The report converts to true if the server is ready; otherwise its `ec` is
    /// `unknown_server`, `not_connected` (the server was shut down or removed during the opening), or the error of the
    /// transport, of the negotiation or of the `tools/list` request. These errors are in the report only.
    /// \par Errors
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the server if this operation started it. A server that a call or
    /// another operation also uses stays open. The server stays enabled. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, `server/discover`.
    template<asio::completion_token_for<void(error_code, server_report)> Token = asio::deferred_t>
    auto async_enable(std::string_view server, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, server_report)>(
            detail::initiate<&detail::enable_server>(core_), token, std::string(server));
    }

    /// Disables a server, and shuts it down gracefully.
    ///
    /// The server's tools are removed from the catalog immediately. The graceful shutdown of the transport begins when
    /// the outstanding calls of the server are complete, at the latest after `server_options::drain_timeout`.
    /// Afterwards only `async_enable` starts the server. A name that belongs to no server is not an error.
    ///
    /// \param server Name of the server. Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// The error of the transport's shutdown. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the server immediately instead of gracefully. Its outstanding requests, and other
    /// operations that wait for its shutdown, complete with `operation_aborted`. The server stays disabled. `total`:
    /// not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_disable(std::string_view server, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::disable_server>(core_), token,
                                                             std::string(server));
    }

    /// Removes a server from the connector, and shuts it down gracefully.
    ///
    /// The server's tools are removed from the catalog, and its name can be used for another server immediately. The
    /// graceful shutdown of the transport begins when the outstanding calls of the server are complete, at the latest
    /// after `server_options::drain_timeout`. A name that belongs to no server is not an error.
    ///
    /// \param server Name of the server. Copied before the function returns.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// The error of the transport's shutdown. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the server immediately instead of gracefully. Its outstanding requests, and other
    /// operations that wait for its shutdown, complete with `operation_aborted`. The server stays removed. `total`: not
    /// supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_remove(std::string_view server, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::remove_server>(core_), token,
                                                             std::string(server));
    }

    /// Sends `tools/list` to all servers that are ready, and returns the new catalog.
    ///
    /// Servers in the state `server_state::idle` are started first, except those with `start_mode::lazy`. If the
    /// request of a server fails, the previous tools of that server stay in the catalog, and
    /// `server_status::last_error` contains the reason.
    ///
    /// \par Completion signature
    /// `void(error_code, std::shared_ptr<linkspan::catalog const>)`. The catalog is never null, also on error.
    /// \par Errors
    /// `not_connected`: the connector was closed before the operation. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the servers that this operation started. A server that a call or
    /// another operation also uses stays open. Outstanding `tools/list` requests of open servers are not cancelled:
    /// their results are added to the catalog. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Listing Tools".
    template<
        asio::completion_token_for<void(error_code, std::shared_ptr<linkspan::catalog const>)> Token = asio::deferred_t>
    auto async_refresh_tools(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::shared_ptr<linkspan::catalog const>)>(
            detail::initiate<&detail::refresh_tools>(core_), token);
    }

    /// Lists the tools of a server again, and compares them with pins from the generation of bindings.
    ///
    /// Opens the server if it is not open. The pins are used for this comparison only; `server_options::pins` contains
    /// the pins that the connector compares with each list of tools.
    ///
    ///     auto const [ec, differences] = co_await hub.async_verify_pins("weather", weather::pins, as_tuple(deferred));
    ///
    /// \param server Name of the server. Copied before the function returns.
    /// \param pins Expected fingerprints. The elements are copied before the function returns, the texts are not.
    /// \par Completion signature
    /// `void(error_code, std::vector<pin_difference>)`. The differences are in the order of the pins. They are empty
    /// unless the error is `tools_changed`.
    /// \par Errors
    /// - `tools_changed`: at least one tool differs from its pin, or is not listed.
    /// - `unknown_server`, `server_disabled`, or the error of the opening.
    /// - `not_connected`: the server was lost during the operation.
    /// - The error of the `tools/list` request.
    /// - `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the server if this operation started it. A server that a call or
    /// another operation also uses stays open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The texts of the pins must remain valid until completion; in generated code they are literals. The connector may
    /// be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Listing Tools".
    template<asio::completion_token_for<void(error_code, std::vector<pin_difference>)> Token = asio::deferred_t>
    auto async_verify_pins(std::string_view server, std::span<tool_pin const> pins, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::vector<pin_difference>)>(
            detail::initiate<&detail::verify_pins>(core_), token, std::string(server),
            std::vector(pins.begin(), pins.end()));
    }

    /// Shuts down all servers gracefully and concurrently.
    ///
    /// Requests that were sent may still complete during the shutdown; queued requests are not sent. Servers that are
    /// not shut down after `timeout` are closed immediately, as by `close`. The transports have further timeouts: a
    /// child process receives SIGTERM after `stdio_config::close_grace` and SIGKILL after `stdio_config::term_grace`.
    /// Afterwards the connector is closed, unless it was opened again during the operation.
    ///
    /// \param timeout Upper bound for the whole operation. `duration::max()`: the timeouts of the transports only.
    /// \par Completion signature
    /// `void(error_code, shutdown_report)`. The report has one entry per server, in configuration order, followed by
    /// removed servers that were still being shut down; also on error.
    /// \par Errors
    /// The first error in the report. `deadline_exceeded`: a server was not shut down gracefully within `timeout`.
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes all servers immediately, as `close` does; servers that were opened again after the
    /// start of this operation stay open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code, shutdown_report)> Token = asio::deferred_t>
    auto async_shutdown(duration timeout, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, shutdown_report)>(
            detail::initiate<&detail::shut_down_servers>(core_), token, timeout);
    }

    /// Shuts down all servers gracefully, within the timeouts of their transports.
    ///
    /// Equivalent to `async_shutdown(duration::max(), token)`.
    ///
    /// \par Completion signature
    /// `void(error_code, shutdown_report)`. The report has one entry per server, in configuration order, followed by
    /// removed servers that were still being shut down; also on error.
    /// \par Errors
    /// The first error in the report. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes all servers immediately, as `close` does; servers that were opened again after the
    /// start of this operation stay open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<asio::completion_token_for<void(error_code, shutdown_report)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return async_shutdown(duration::max(), std::forward<Token>(token));
    }

    /// Closes all servers immediately. Outstanding calls and operations complete with `operation_aborted`.
    ///
    /// Handlers are not invoked inside this function. Later calls fail with `not_connected` until a server is opened
    /// again by `async_open`, `async_connect`, `async_enable`, `async_verify_pins` or `async_replace`.
    ///
    /// \par Thread safety
    /// Call on the connector's executor.
    LINKSPAN_DECL void close() noexcept;

    /// Returns the current catalog: an immutable snapshot of the tools of all servers. Never null.
    ///
    /// Keep the pointer while using the tools: in `for (auto& entry : hub.catalog()->tools())` the pointer is destroyed
    /// before the loop begins, so that the catalog may be destroyed during the loop, when the connector publishes
    /// another one.
    ///
    /// \par Thread safety
    /// Safe from any thread.
    LINKSPAN_DECL std::shared_ptr<linkspan::catalog const> catalog() const;

    /// Returns a snapshot of the state of the connector and its servers, in configuration order.
    ///
    /// \par Thread safety
    /// Safe from any thread. The values of one server are read one after another, so that they may belong to different
    /// points in time.
    LINKSPAN_DECL connector_state state() const;

protected:
    /// Constructs a connector without servers.
    LINKSPAN_DECL connector_base(executor_type executor, std::unique_ptr<policy_table> policies);

    LINKSPAN_DECL ~connector_base();

    /// Adds a server, for derived classes.
    ///
    /// \param key Name of the server.
    /// \param kind Name of the transport in reports.
    /// \param transport Factory of the transport.
    /// \param options Options of the server.
    /// \throws std::invalid_argument if the name is empty or already used, the priority is not within 0 to 100, or
    /// `session_options::max_in_flight` is 0.
    LINKSPAN_DECL void add_server(std::string key, std::string_view kind, transport_factory transport,
                                  server_options options);

    /// Replaces a server by another one with the same name, for derived classes. See `connector::async_replace`.
    ///
    /// \throws std::invalid_argument if the priority is not within 0 to 100, or `session_options::max_in_flight` is 0.
    template<class Token>
    auto replace_server(std::string_view key, std::string_view kind, transport_factory transport,
                        server_options options, Token&& token)
    {
        check_options(key, options);
        return asio::async_initiate<Token, void(error_code, server_report)>(
            detail::initiate<&detail::replace_server>(core_), token, std::string(key), kind, std::move(transport),
            std::move(options));
    }

private:
    friend struct detail::connector_access;
    friend struct detail::unusable_server_adder;

    LINKSPAN_DECL static void check_options(std::string_view key, server_options const& options);

    template<class>
    friend class named_calls;
    template<class>
    friend class typed_calls;
    template<class>
    friend class server_scope;

    // The type of the fallback policy is erased here, so that typed calls cannot be checked at compile time.
    static constexpr bool replays_all = false;

    // `options`: a `call_options`, or nothing.
    template<class... Options>
    detail::call_pointer prepare(std::string_view tool, Options... options)
    {
        auto call = detail::prepare_call(core_, {}, tool);
        (detail::set_options(*call, std::move(options)), ...);
        return call;
    }

    detail::core_pointer core_;
};

template<class Transports, class... Policies>
class connector;

/// Client of many MCP servers, with one catalog of tools, routing and failover.
///
///     linkspan::connector<linkspan::transports<linkspan::stdio>> hub(executor);
///     hub.add<linkspan::stdio>("files", {.command = "mcp-server-filesystem", .args = {"/srv"}});
///     auto report = co_await hub.async_open();
///     auto reply = co_await hub.async_call("read_file", args);
///
/// The policies are values; each policy has one role, and their order has no meaning. A role without a policy has its
/// default policy: routing `by_priority`, fallback `safe_failover`, health `probed_breaker`, admission `admit_all`,
/// budget `no_budget`, naming `qualified`; there is no default observer. See `policy/concepts.hpp`.
///
/// \par Lifetime
/// May be destroyed at any time, also inside one of its handlers; outstanding operations complete with
/// `operation_aborted`.
/// \par Thread safety
/// `catalog()`, `state()` and `get_executor()`: safe from any thread. All other members: call on the executor, which
/// must not run two handlers concurrently.
///
/// \tparam Ts The transports of the servers; at least one.
/// \tparam Policies At most one policy per role, each move-constructible.
template<Transport... Ts, class... Policies>
class connector<transports<Ts...>, Policies...> : public connector_base,
                                                  public typed_calls<connector<transports<Ts...>, Policies...>> {
    static_assert(sizeof...(Ts) > 0, "linkspan: a connector requires at least one transport, as in transports<stdio>");
    static_assert(!(detail::plays<Policies, hedging_role> || ...),
                  "linkspan: hedging is not supported: remove the hedging policy");

public:
    /// The transports that `add` and `async_replace` accept.
    using transport_list = transports<Ts...>;

    using named_calls<connector_base>::async_call;
    using typed_calls<connector>::async_call;

    /// Returns a view that sends calls to one server only. Such calls identify tools by their own names.
    ///
    /// In contrast to `connector_base::on_server`, a typed call does not compile if the hints of its tool forbid a
    /// second execution and the fallback policy may repeat any call.
    ///
    /// \param name Name of a server. An unknown name is reported by the call, as `unknown_server`.
    /// \par Lifetime
    /// The connector and the text of `name` must outlive the returned object.
    server_scope<connector> on_server(std::string_view name) { return {*this, name}; }

    /// Returns a view that sends calls only to servers that the selector admits.
    ///
    /// In contrast to `connector_base::on_servers`, a typed call does not compile if the hints of its tool forbid a
    /// second execution and the fallback policy may repeat any call.
    ///
    /// \param servers Required tags, or names in their order of preference; see `selector`.
    /// \par Lifetime
    /// The connector must outlive the returned object.
    server_scope<connector> on_servers(selector servers) { return {*this, std::move(servers)}; }

    /// Constructs a connector without servers.
    ///
    /// \param executor Runs all internal handlers, one at a time.
    /// \param policies Values of the policies, in the order of the template arguments.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`, and exceptions of the policies' move constructors.
    explicit connector(executor_type executor, Policies... policies)
        : connector_base(std::move(executor), make_table(std::move(policies)...))
    {}

    // This constructor is a template, because without policies it has the signature of the constructor above, and
    // overload resolution then prefers the one that is not a template. The constraint alone does not suffice: g++ 12
    // ignores it after a failed assertion of the class (test: compile_fail.connector_without_transport).

    /// Constructs a connector without servers, with default-constructed policies.
    ///
    /// Takes part in overload resolution only if there is at least one policy type and all policy types are
    /// default-constructible.
    ///
    /// \param executor Runs all internal handlers, one at a time.
    template<class = void>
        requires(sizeof...(Policies) > 0 && (std::default_initializable<Policies> && ...))
    explicit connector(executor_type executor) : connector(std::move(executor), Policies()...)
    {}

    /// Adds a server, without opening it. `server_options::start` specifies the operations that open the server.
    ///
    /// May be called at any time, also while the connector is open.
    ///
    /// \tparam T One of the transports of the connector.
    /// \param name Unique name of the server; it appears in exposed names, reports and events.
    /// \param config Configuration of the transport, such as a command or a URL.
    /// \param options Priority, tags, timeouts and restarts of the server.
    /// \returns `*this`
    /// \throws std::invalid_argument if the name is empty or already used, the priority is not within 0 to 100, or
    /// `session_options::max_in_flight` is 0.
    /// \par Thread safety
    /// Call on the connector's executor.
    /// \par Exception safety
    /// Strong for `std::invalid_argument`, else basic. Throws `std::bad_alloc`.
    template<Transport T>
        requires(std::same_as<T, Ts> || ...)
    connector& add(std::string name, typename T::config_type config, server_options options = {})
    {
        add_secrets<T>(config, options);
        name_server<T>(config, name);
        add_server(std::move(name), T::kind, via<T>(std::move(config)), std::move(options));
        return *this;
    }

    /// Replaces a server by another one of the same name, without interruption.
    ///
    /// The new server is opened while the old one remains in use. When the new server is ready, it receives the name
    /// and the place in the configuration order, and the old server is shut down as by `async_disconnect`. If the new
    /// server cannot be opened, the old server is not changed. Outstanding calls continue on the server that they use.
    ///
    /// \tparam T One of the transports of the connector.
    /// \param server Name of the server. Copied before the function returns.
    /// \param config Configuration of the new server's transport.
    /// \param options Options of the new server.
    /// \par Completion signature
    /// `void(error_code, server_report)`. The report converts to true if the new server is ready; otherwise its `ec` is
    /// `unknown_server`, `server_disabled` (the new options have `enabled == false`), or the error of the transport, of
    /// the negotiation or of the `tools/list` request. These errors are in the report only.
    /// \par Errors
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: closes the new server; the old server is not changed.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated
    /// executor, by default the connector's, never inside the initiating function and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct connectors: safe. The same connector: unsafe; call on its executor, which must not run two handlers
    /// concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`, and `std::invalid_argument` if the priority is not within 0 to 100 or
    /// `session_options::max_in_flight` is 0.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, `server/discover`.
    template<Transport T, asio::completion_token_for<void(error_code, server_report)> Token = asio::deferred_t>
        requires(std::same_as<T, Ts> || ...)
    auto async_replace(std::string_view server, typename T::config_type config, server_options options,
                       Token&& token = Token())
    {
        add_secrets<T>(config, options);
        name_server<T>(config, server);
        return this->replace_server(server, T::kind, via<T>(std::move(config)), std::move(options),
                                    std::forward<Token>(token));
    }

private:
    template<class>
    friend class typed_calls;
    template<class>
    friend class server_scope;

    // True if the fallback policy may repeat any call, independently of the hints of its tool.
    static constexpr bool replays_all =
        ((detail::plays<Policies, fallback_role> && detail::replays_all<Policies>) || ...);

    // Secrets of the transport's configuration are redacted in all texts of the connector.
    template<class T>
    static void add_secrets([[maybe_unused]] typename T::config_type const& config,
                            [[maybe_unused]] server_options& options)
    {
        if constexpr (requires { T::secrets(config); })
            options.secrets.add(T::secrets(config));
    }

    template<class T>
    static void name_server([[maybe_unused]] typename T::config_type const& config,
                            [[maybe_unused]] std::string_view name)
    {
        if constexpr (requires { T::name_server(config, name); })
            T::name_server(config, name);
    }

    static std::unique_ptr<policy_table> make_table(Policies... policies)
    {
        if constexpr (sizeof...(Policies) == 0) {
            return detail::make_default_table();
        } else {
            using set_type = policy_set<Policies...>;
            return std::make_unique<typed_policy_table<set_type>>(set_type(std::move(policies)...),
                                                                  detail::make_default_table());
        }
    }
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/connector.ipp>
#endif

#endif
