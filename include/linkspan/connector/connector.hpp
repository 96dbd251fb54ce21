#ifndef LINKSPAN_CONNECTOR_CONNECTOR_HPP
#define LINKSPAN_CONNECTOR_CONNECTOR_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connection_error.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/connector/named_calls.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/connector/typed_calls.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/typed_responder.hpp>
#include <linkspan/policy/admission/unlimited.hpp>
#include <linkspan/policy/fallback/fallback.hpp>
#include <linkspan/policy/health/health.hpp>
#include <linkspan/policy/health/probed_breaker.hpp>
#include <linkspan/policy/naming/naming.hpp>
#include <linkspan/policy/routing/routing.hpp>
#include <linkspan/policy/set.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/mp11/list.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// The transports that a connector knows: a closed list.
template<Transport... Ts>
struct transports {};

/// A part of a connector: some of its servers.
///
/// Lifetime: shorter than that of the connector, and of the text that names the server.
template<class Connector>
class server_scope : public named_calls<server_scope<Connector>>, public typed_calls<server_scope<Connector>> {
public:
    using named_calls<server_scope>::async_call;
    using typed_calls<server_scope>::async_call;

    asio::any_io_executor get_executor() const noexcept { return connector_->get_executor(); }

private:
    friend Connector;
    template<class>
    friend class named_calls;
    template<class>
    friend class typed_calls;

    static constexpr bool replays_all = Connector::replays_all;

    server_scope(Connector& connector, std::string_view server) : connector_(&connector), server_(server) {}
    server_scope(Connector& connector, selector which) : connector_(&connector), which_(std::move(which)) {}

    detail::logical_call::pointer prepare(std::string_view tool, std::string_view args, call_options options)
    {
        auto call = detail::logical_call::prepare(connector_->core_, server_, tool, args, std::move(options));
        if (which_)
            call->select(*which_);
        return call;
    }

    Connector* connector_;
    std::string_view server_;
    std::optional<selector> which_;
};

namespace detail {

struct unusable_server_adder;

} // namespace detail

/// What all connectors have in common, whatever their transports and policies: take this by reference in functions that
/// are no templates.
///
/// Completion: handlers run on their own executors, and never within the function that starts the operation.
/// Lifetime: may be destroyed at any time, also in a handler of its own and with calls in flight: it closes its
/// connections, reaps its children, and completes what is out with `operation_aborted`.
/// Thread safety: `state()` and `tools()` may be called from any thread; everything else on the executor, which must
/// not run two handlers at once.
class connector_base : public named_calls<connector_base>, public typed_calls<connector_base> {
public:
    using executor_type = asio::any_io_executor;

    connector_base(connector_base const&) = delete;
    connector_base& operator=(connector_base const&) = delete;

    executor_type get_executor() const noexcept { return core_->executor(); }

    /// Opens all enabled servers concurrently.
    ///
    /// Servers with `start_mode::lazy` are not opened. A server that is already open is left as it is; if it is being
    /// opened, the operation waits for it. A server that fails to open does not affect the others: the report contains
    /// its error, and the connector reopens it as its `restart_options` specify, or with the next `async_open`.
    ///
    /// \par Completion signature
    /// `void(error_code, open_report)`. The report has one entry per server that was not open, in configuration order,
    /// also on error; after a cancellation the error of the entries that were not opened, or were closed again, is
    /// `operation_aborted`.
    /// \par Errors
    /// `connection_failed`: no server could be opened, or a server with `required` could not. `operation_aborted`:
    /// cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the servers that this operation started; the connector does not
    /// reopen them. A server that a call or another operation also uses stays open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code, open_report)> Token = throwing_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, open_report)>(initiate_open{core_}, token);
    }

    using named_calls<connector_base>::async_call;
    using typed_calls<connector_base>::async_call;

    /// One server of the connector: calls go there and nowhere else, and names are those of the server.
    ///
    /// Lifetime: shorter than that of the connector and of `server`'s text.
    server_scope<connector_base> on_server(std::string_view name) { return {*this, name}; }

    /// The servers that `which` names: calls go to none else.
    server_scope<connector_base> on_servers(selector which) { return {*this, std::move(which)}; }

    /// Calls the tool that the naming policy gave this name, or that keeps it as its own where that is clear: what a
    /// model asks for by a name of `export_tools`.
    ///
    /// Completion signature, cancellation, lifetimes: as above. Errors: these, and `invalid_tool_name` instead of
    /// `tool_not_found`; `not_connected` if the name belongs to one server and that server is not connected
    /// (`server_disabled` if it is disabled): `call_result::detail()` and the only attempt name the server.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_invoke(std::string_view exposed_name, arguments const& args, call_options options,
                      Token&& token = Token())
    {
        auto call = prepare(exposed_name, args.text(), std::move(options));
        detail::refuse_faulty(call, args);
        call->take_for_exposed();
        return asio::async_initiate<Token, void(error_code, call_result)>(detail::initiate_call{core_->executor()},
                                                                          token, std::move(call));
    }

    /// The same, with the defaults of the server.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_invoke(std::string_view exposed_name, arguments const& args = {}, Token&& token = Token())
    {
        return async_invoke(exposed_name, args, call_options(), std::forward<Token>(token));
    }

    /// The same, without arguments.
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_invoke(std::string_view exposed_name, Token&& token)
    {
        return async_invoke(exposed_name, arguments(), call_options(), std::forward<Token>(token));
    }

    /// Puts an interceptor around each call that starts from now on, within those that are there already. See
    /// `interceptor`; those of one server are among its `server_options`.
    void add_interceptor(interceptor around) { core_->interceptors.push_back(std::move(around)); }

    /// Holds calls against the schemas that servers list: of servers that are added from now on, unless their own
    /// `server_options` say otherwise. Nothing is by default, because it costs time with each call.
    void set_call_validation(call_validation what) noexcept { core_->validation = what; }

    /// Handles what any of the servers may ask, with plain structs, and declares it to all of them: `Kind` is
    /// `elicitation`, `sampling` or `roots`. Servers that are open already learn of it when they are opened again. The
    /// request names the server that asks.
    ///
    /// `handler(Kind::request_type const&, typed_responder<Kind>)` is called on the executor.
    template<class Kind, class Handler>
    void set_handler(Handler handler, typename Kind::options with = {})
    {
        auto shared = std::make_shared<Handler>(std::move(handler));
        core_->prepare_sessions([shared, with](detail::session_core& session, std::string const& server) {
            session.handle(std::string(Kind::method), Kind::capability(with),
                           detail::bind_typed<Kind>(shared, with, server));
        });
    }

    /// Opens one server, and reads its tools. A disabled server stays disabled.
    ///
    /// \par Completion signature
    /// `void(error_code, server_report)`. The report converts to true if the server is ready; its `ec` is
    /// `unknown_server`, `server_disabled`, or an error of the opening.
    /// \par Errors
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the server if this operation started it. A server that a call or
    /// another operation also uses stays open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code, server_report)> Token = asio::deferred_t>
    auto async_connect(std::string_view server, Token&& token = Token())
    {
        return about(&core::connect, server, std::forward<Token>(token), signature<void(error_code, server_report)>());
    }

    /// Ends one server gracefully, in bounded time; calls that it has may still be answered, new ones go elsewhere. Its
    /// tools leave the catalogue. It is not started again but by `async_connect` and `async_open`, or, when it is
    /// `start_mode::lazy`, by a call that names it. A name that no server has is no error.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// Those of the transport; `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: ends the server at once instead of gracefully; its outstanding requests complete with
    /// `operation_aborted`, and so do other operations that wait for its end. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_disconnect(std::string_view server, Token&& token = Token())
    {
        return about(&core::disconnect, server, std::forward<Token>(token), signature<void(error_code)>());
    }

    /// Enables a server that was disabled, and opens it.
    ///
    /// \par Completion signature
    /// `void(error_code, server_report)`. The report converts to true if the server is ready; its `ec` is
    /// `unknown_server`, or an error of the opening.
    /// \par Errors
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the server if this operation started it. A server that a call or
    /// another operation also uses stays open. The server stays enabled. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code, server_report)> Token = asio::deferred_t>
    auto async_enable(std::string_view server, Token&& token = Token())
    {
        return about(&core::enable, server, std::forward<Token>(token), signature<void(error_code, server_report)>());
    }

    /// Ends a server as `async_disconnect` does; from then on nothing but `async_enable` starts it.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// Those of the transport; `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: ends the server at once instead of gracefully; its outstanding requests complete with
    /// `operation_aborted`, and so do other operations that wait for its end. The server stays disabled.
    /// `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_disable(std::string_view server, Token&& token = Token())
    {
        return about(&core::disable, server, std::forward<Token>(token), signature<void(error_code)>());
    }

    /// Takes a server out, and ends it as `async_disconnect` does. Its name is free at once.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// Those of the transport; `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: ends the server at once instead of gracefully; its outstanding requests complete with
    /// `operation_aborted`, and so do other operations that wait for its end. The server stays removed.
    /// `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_remove(std::string_view server, Token&& token = Token())
    {
        return about(&core::remove, server, std::forward<Token>(token), signature<void(error_code)>());
    }

    /// Asks all servers for their tools again, and starts those that nobody has needed yet, but for the lazy ones. A
    /// server that does not answer keeps the tools that it has told before; `state()` says why.
    ///
    /// \par Completion signature
    /// `void(error_code, std::shared_ptr<linkspan::catalog const>)`. The catalog is never null, also on error.
    /// \par Errors
    /// `not_connected`: closed before. `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the servers that this operation started. A server that a call or
    /// another operation also uses stays open. Outstanding `tools/list` requests of open servers are not cancelled:
    /// their results enter the catalog. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<
        asio::completion_token_for<void(error_code, std::shared_ptr<linkspan::catalog const>)> Token = asio::deferred_t>
    auto async_refresh_tools(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::shared_ptr<linkspan::catalog const>)>(
            initiate_discover{core_}, token);
    }

    /// Asks a server for its tools again, and holds them against what they were when bindings were made for them; opens
    /// it where it is not open. What shall hold from then on is said in `server_options::pins`.
    ///
    ///     auto const [ec, differences] = co_await hub.async_verify_pins("weather", weather::pins, as_tuple(deferred));
    ///
    /// \par Completion signature
    /// `void(error_code, std::vector<pin_difference>)`
    /// \par Errors
    /// `tools_changed`: there is a difference. `unknown_server`, `server_disabled`, those of an opening.
    /// `not_connected`: the server was lost. The server's error: it does not list its tools. `operation_aborted`:
    /// cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: stops waiting and closes the server if this operation started it. A server that a call or
    /// another operation also uses stays open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The texts of the pins must live until then; those of generated code always do. The connector may be destroyed
    /// during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code, std::vector<pin_difference>)> Token = asio::deferred_t>
    auto async_verify_pins(std::string_view server, std::span<tool_pin const> pins, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::vector<pin_difference>)>(
            initiate_verify{core_}, token, std::string(server), std::vector(pins.begin(), pins.end()));
    }

    /// Ends all sessions gracefully and at once. Calls that are out may still be answered. What has not ended after
    /// `timeout` is ended as by `close`; each transport has a limit of its own too: a child is killed after its graces.
    ///
    /// \par Completion signature
    /// `void(error_code, shutdown_report)`. The report has one entry per server, in configuration order, also on error.
    /// \par Errors
    /// The first of those of the servers; `deadline_exceeded`: no time was left for a graceful end;
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: ends everything at once, as `close` does; servers that were opened again after the start
    /// of this operation stay open. `total`: not supported.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code, shutdown_report)> Token = asio::deferred_t>
    auto async_shutdown(duration timeout, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, shutdown_report)>(initiate_shutdown{core_, timeout}, token);
    }

    /// The same, with the limits of the transports only.
    template<asio::completion_token_for<void(error_code, shutdown_report)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return async_shutdown(duration::max(), std::forward<Token>(token));
    }

    /// Ends everything at once. What is out completes with `operation_aborted`.
    void close() noexcept { core_->close(); }

    /// The tools of all servers, as they are now. Keep the pointer while you look at them: a `for` over
    /// `hub.catalog()->tools()` lets go of it too early.
    std::shared_ptr<linkspan::catalog const> catalog() const { return core_->current_catalog(); }

    /// The connector and its servers, as they are now.
    connector_state state() const { return core_->state(); }

protected:
    connector_base(executor_type executor, std::unique_ptr<policy_table> policies)
        : core_(std::make_shared<detail::connector_core>(std::move(executor), std::move(policies)))
    {}

    ~connector_base() { core_->close(); }

    void add_server(std::string key, std::string_view kind, transport_factory transport, server_options options)
    {
        if (key.empty() || core_->find(key))
            throw std::invalid_argument(key.empty() ? "linkspan: a server has no name"
                                                    : "linkspan: two servers are named '" + key + "'");
        check_priority(key, options);
        core_->add(std::move(key), kind, std::move(transport), std::move(options));
    }

    template<class Token>
    auto replace_server(std::string_view key, std::string_view kind, transport_factory transport,
                        server_options options, Token&& token)
    {
        check_priority(key, options);
        return asio::async_initiate<Token, void(error_code, server_report)>(
            initiate_replace{core_}, token, std::string(key), kind, std::move(transport), std::move(options));
    }

private:
    friend struct detail::unusable_server_adder;

    using core = detail::connector_core;

    template<class Signature>
    struct signature {};

    static void check_priority(std::string_view key, server_options const& options)
    {
        if (options.priority < 0 || options.priority > 100)
            throw std::invalid_argument("linkspan: the priority of server '" + std::string(key) +
                                        "' is not within 0 to 100");
    }

    struct initiate_about : detail::core_initiation<detail::connector_core> {
        template<class Handler, class Signature>
        void operator()(Handler&& handler, void (core::*what)(std::string_view, detail::pending_handler<Signature>),
                        std::string const& server) const
        {
            (core.get()->*what)(server, {std::forward<Handler>(handler), core->executor()});
        }
    };

    struct initiate_replace : detail::core_initiation<detail::connector_core> {
        template<class Handler>
        void operator()(Handler&& handler, std::string const& key, std::string_view kind, transport_factory transport,
                        server_options options) const
        {
            core->replace(key, kind, std::move(transport), std::move(options),
                          {std::forward<Handler>(handler), core->executor()});
        }
    };

    template<class Token, class Signature>
    auto about(void (core::*what)(std::string_view, detail::pending_handler<Signature>), std::string_view server,
               Token&& token, signature<Signature>)
    {
        return asio::async_initiate<Token, Signature>(initiate_about{core_}, token, what, std::string(server));
    }

    struct initiate_open : detail::core_initiation<detail::connector_core> {
        template<class Handler>
        void operator()(Handler&& handler) const
        {
            core->open({std::forward<Handler>(handler), core->executor()});
        }
    };

    struct initiate_discover : detail::core_initiation<detail::connector_core> {
        template<class Handler>
        void operator()(Handler&& handler) const
        {
            core->discover_all({std::forward<Handler>(handler), core->executor()});
        }
    };

    struct initiate_verify : detail::core_initiation<detail::connector_core> {
        template<class Handler>
        void operator()(Handler&& handler, std::string const& server, std::vector<tool_pin> pins) const
        {
            core->verify(server, std::move(pins), {std::forward<Handler>(handler), core->executor()});
        }
    };

    struct initiate_shutdown : detail::core_initiation<detail::connector_core> {
        duration timeout;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            core->shutdown(timeout, {std::forward<Handler>(handler), core->executor()});
        }
    };

    template<class>
    friend class named_calls;
    template<class>
    friend class typed_calls;
    template<class>
    friend class server_scope;

    // Nobody knows here what the fallback policy does.
    static constexpr bool replays_all = false;

    detail::logical_call::pointer prepare(std::string_view tool, std::string_view args, call_options options)
    {
        return detail::logical_call::prepare(core_, {}, tool, args, std::move(options));
    }

    std::shared_ptr<detail::connector_core> core_;
};

/// What plays the roles that a connector's own policies leave out.
using default_policies =
    boost::mp11::mp_list<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified>;

template<class Transports, class... Policies>
class connector;

/// Talks to many servers as if they were one.
///
///     linkspan::connector<linkspan::transports<linkspan::stdio>> hub(executor);
///     hub.add<linkspan::stdio>("files", {.command = "mcp-server-filesystem", .args = {"/srv"}});
///     auto report = co_await hub.async_open();
///     auto reply = co_await hub.async_call("read_file", args);
///
/// Policies are values with a role, named in any order; a role that is left out has the default: `by_priority`,
/// `safe_failover`, `probed_breaker`, `admit_all`, `no_budget`, `qualified`, no observer. See `policy/concepts.hpp`.
template<Transport... Ts, class... Policies>
class connector<transports<Ts...>, Policies...> : public connector_base,
                                                  public typed_calls<connector<transports<Ts...>, Policies...>> {
    static_assert(sizeof...(Ts) > 0, "linkspan: a connector has at least one transport, as in transports<stdio>");
    static_assert(!(detail::plays<Policies, hedging_role> || ...),
                  "linkspan: this version has no hedging: leave the hedging policy out");

public:
    using transport_list = transports<Ts...>;

    using named_calls<connector_base>::async_call;
    using typed_calls<connector>::async_call;

    /// As `connector_base::at`.
    server_scope<connector> on_server(std::string_view name) { return {*this, name}; }
    server_scope<connector> on_servers(selector which) { return {*this, std::move(which)}; }

    /// `policies` in the order of the template's arguments, or none.
    explicit connector(executor_type executor, Policies... policies)
        : connector_base(std::move(executor), make_table(std::move(policies)...))
    {}

    // A template, so that it is never as good as the one above: g++ 12 forgets the constraint when an assertion of the
    // class has failed (test: compile_fail.connector_without_transport).
    template<class = void>
        requires(sizeof...(Policies) > 0 && (std::default_initializable<Policies> && ...))
    explicit connector(executor_type executor) : connector(std::move(executor), Policies()...)
    {}

    /// Adds a server; it is opened by the next `async_open`.
    ///
    /// Throws `std::invalid_argument` when the name is empty or taken, or the priority is not within 0 to 100.
    template<Transport T>
        requires(std::same_as<T, Ts> || ...)
    connector& add(std::string name, typename T::config_type config, server_options options = {})
    {
        add_secrets<T>(config, options);
        name_server<T>(config, name);
        add_server(std::move(name), T::kind, via<T>(std::move(config)), std::move(options));
        return *this;
    }

    /// Puts another server in the place of one: opens it beside the old one, which goes on until then; when it is
    /// ready, it takes its place and name, and the old one ends as by `async_disconnect`. When it cannot be opened, all
    /// stays as it was. Calls that are under way keep the server that they have.
    ///
    /// \par Completion signature
    /// `void(error_code, server_report)`. The report converts to true if the new server is ready; its `ec` is
    /// `unknown_server`, `server_disabled`, or an error of the opening.
    /// \par Errors
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: closes the new server; the old one stays as it was.
    /// \par Executor
    /// Call on the connector's executor, and emit cancellations there. The handler runs on its associated executor,
    /// never inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The connector may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// Throws `std::invalid_argument` if the priority is not within 0 to 100.
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

    // Its fallback policy may send any call again, whatever its tool says.
    static constexpr bool replays_all =
        detail::replays_all<typename detail::find_role<fallback_role, Policies..., safe_failover>::type>;

    // What the transport must not show, nothing of the connector may.
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
        using set_type = policy_set<default_policies, Policies...>;
        return std::make_unique<typed_policy_table<set_type>>(set_type(std::move(policies)...));
    }
};

} // namespace linkspan

#endif
