#ifndef LINKSPAN_SESSION_SESSION_HPP
#define LINKSPAN_SESSION_SESSION_HPP

#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/typed_responder.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>
#include <linkspan/session/session_options.hpp>
#include <linkspan/session/session_state.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// Talks to one server: any number of calls at once, in whichever protocol version of the protocol the server speaks.
///
///     linkspan::session calculator(executor, linkspan::via<linkspan::stdio>({.command = "mock-calculator"}));
///     co_await calculator.async_open();
///     auto sum = co_await calculator.async_call_tool("add", args);
///
/// Completion: handlers run on their own executors, and never within the function that starts the operation.
/// Time: a request ends after its idle limit without an answer or progress, after its attempt limit, or at its
/// deadline; so nothing waits for ever. A late answer is dropped and counted.
/// Cancellation, of a request: terminal and partial withdraw it: one that has not left us never will; otherwise the
/// server is told by `notifications/cancelled`, and may have executed it. Total ends only what has not left us. The
/// operation completes with `operation_aborted`; its record says what is known.
/// Lifetime: may be destroyed at any time, also in a handler of its own; then it closes, and what is out completes with
/// `operation_aborted`.
/// Thread safety: none; use it on its executor, which must not run two handlers at once.
class session {
public:
    using executor_type = asio::any_io_executor;

    session(executor_type executor, transport_factory transport, session_options options = {})
        : core_(std::make_shared<detail::session_core>(std::move(executor), std::move(transport), std::move(options)))
    {}

    session(session&&) noexcept = default;
    session& operator=(session&&) = delete;

    ~session() { close(); }

    executor_type get_executor() const noexcept { return core_->executor(); }
    session_state state() const noexcept { return core_->state(); }

    /// The protocol version that was negotiated; nothing before that.
    std::optional<linkspan::protocol_version> protocol_version() const noexcept { return core_->version(); }

    server_description const& server() const noexcept { return core_->server(); }
    session_counters const& counters() const noexcept { return core_->counters(); }

    /// Requests that are out or wait in the queue.
    std::size_t in_flight() const noexcept { return core_->in_flight(); }

    /// For people: why it could not be opened or came to its end, with the last words of the server.
    std::string const& diagnostics() const noexcept { return core_->diagnostics(); }

    /// How we are to prove who we are: `WWW-Authenticate` of the last request that an HTTP server refused with 401 or
    /// 403; empty: it has refused none.
    std::string const& challenge() const noexcept { return core_->challenge(); }

    /// Opens the connection, and negotiates the protocol version with the server.
    ///
    /// A session that is closed may be opened again; it remembers the era of its server.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// Those of the transport; `no_common_protocol_version`; `stream_ended`; `attempt_timed_out`: after
    /// `session_options::startup_timeout`; a code of `rpc_category`: the server refused; `already_open`;
    /// `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the session, as `close` does, which ends the child process or the connections at
    /// once. The session may be opened again. `total`: not supported.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor, never
    /// inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    /// Throws what the constructor of the transport throws; nothing has changed then.
    template<asio::completion_token_for<void(error_code)> Token = throwing_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_open{core_}, token);
    }

    /// Sends any request; `raw()` of the result is what came. `params` is an object without `_meta`.
    ///
    /// Completion signature: `void(error_code, call_result)`.
    /// Errors: a code of `rpc_category` when the server answers with an error; `attempt_timed_out`,
    /// `deadline_exceeded`; `malformed_message`; `not_connected`, `queue_full`; those of the transport when the
    /// connection is lost. The result then holds one attempt record. `invalid_arguments` when `params` have a problem:
    /// nothing was sent, and `detail()` of the result is that problem.
    /// Cancellation: see above.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_request(std::string_view method, arguments params, call_options options, Token&& token = Token())
    {
        detail::session_request::texts what{std::string(method), {}, {}, std::string(params.problem())};
        what.params = std::move(params).take();
        return asio::async_initiate<Token, void(error_code, call_result)>(initiate_request{core_}, token,
                                                                          std::move(what), std::move(options));
    }

    /// The same, with the defaults of the session.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_request(std::string_view method, arguments params = {}, Token&& token = Token())
    {
        return async_request(method, std::move(params), call_options(), std::forward<Token>(token));
    }

    /// The same, without parameters.
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_request(std::string_view method, Token&& token)
    {
        return async_request(method, arguments(), call_options(), std::forward<Token>(token));
    }

    /// Calls a tool. Its own failure (`call_result::is_error`) is a result.
    ///
    /// Completion signature, errors, cancellation: as for `async_request`.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call_tool(std::string_view tool, arguments args, call_options options, Token&& token = Token())
    {
        detail::session_request::texts what{"tools/call", std::string(tool), {}, std::string(args.problem())};
        what.params.reserve(args.text().size() + tool.size() + 32);
        what.params += '{';
        append_call(what.params, tool, args.text());
        what.params += '}';
        return asio::async_initiate<Token, void(error_code, call_result)>(initiate_request{core_}, token,
                                                                          std::move(what), std::move(options));
    }

    /// The same, with the defaults of the session.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call_tool(std::string_view tool, arguments args = {}, Token&& token = Token())
    {
        return async_call_tool(tool, std::move(args), call_options(), std::forward<Token>(token));
    }

    /// The same, without arguments.
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_call_tool(std::string_view tool, Token&& token)
    {
        return async_call_tool(tool, arguments(), call_options(), std::forward<Token>(token));
    }

    /// Asks for all pages of the server's tools.
    ///
    /// \par Completion signature
    /// `void(error_code, tool_list)`. The list is empty on error.
    /// \par Errors
    /// As for `async_request`; `repeated_cursor`; `list_too_long`; `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: cancels the outstanding request, and sends no other. The session stays open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor, never
    /// inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code, tool_list)> Token = asio::deferred_t>
    auto async_list_tools(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, tool_list)>(initiate_list{core_}, token);
    }

    /// Asks whether the server is alive: `ping`, or `server/discover` where there is no ping. An error that the server
    /// answers with is a sign of life, and no error here.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// As for `async_request`, but no code of `rpc_category`; `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: cancels the request. `total`: cancels a request that was not sent yet, else no effect.
    /// The session stays open.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor, never
    /// inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_ping(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_ping{core_}, token);
    }

    /// Ends gracefully, within the time limits of the transport. Requests that wait in the queue are refused; those
    /// that are out may still be answered.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// Those of the transport; `operation_aborted`: cancelled or closed.
    /// \par Cancellation
    /// `terminal`, `partial`: closes the session at once, as `close` does. `total`: not supported.
    /// \par Executor
    /// Call on the session's executor, and emit cancellations there. The handler runs on its associated executor, never
    /// inside the initiating function, and never inside `emit`.
    /// \par Lifetime
    /// The session may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// None.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_shutdown{core_}, token);
    }

    /// Ends at once. What is out completes with `operation_aborted`.
    void close() noexcept
    {
        if (core_)
            core_->close();
    }

    /// Handles what servers may ask, with plain structs, and declares it: `Kind` is `elicitation`, `sampling` or `roots`.
    /// Set before `async_open`. One handler serves the requests of older servers and the questions of stateless ones.
    ///
    /// `handler(Kind::request_type const&, typed_responder<Kind>)` is called on the executor.
    template<class Kind, class Handler>
    void set_handler(Handler handler, typename Kind::options with = {})
    {
        auto shared = std::make_shared<Handler>(std::move(handler));
        core_->handle(std::string(Kind::method), Kind::capability(with),
                      detail::bind_typed<Kind>(std::move(shared), with, {}));
    }

    /// Handles requests of the server. Set before `async_open`: handlers for `sampling/createMessage`,
    /// `elicitation/create` and `roots/list` declare their capabilities. Without a handler the answer is -32601.
    ///
    /// `handler(string_view params, responder)` is called on the executor; `params` is valid during the call.
    template<class Handler>
    void on_request(std::string method, Handler handler)
    {
        core_->handle(std::move(method), "{}", std::move(handler));
    }

    /// Handles notifications of the server: `handler(string_view params)`. Set before `async_open`: a handler for
    /// `notifications/tools/list_changed` makes the session listen where the protocol version asks for it; it is also called,
    /// with "{}", when the server could not tell for a while.
    template<class Handler>
    void on_notification(std::string method, Handler handler)
    {
        core_->notification_handlers.insert_or_assign(std::move(method), std::move(handler));
    }

private:
    struct initiate_open : detail::core_initiation<detail::session_core> {
        template<class Handler>
        void operator()(Handler&& handler) const
        {
            core->open({std::forward<Handler>(handler), core->executor()});
        }

        // For an exception. Weak: the session has the handler, which has this.
        auto explanation() const
        {
            return [session = std::weak_ptr(core)](error_code) {
                auto const here = session.lock();
                return here && !here->diagnostics().empty() ? "open session: " + here->diagnostics()
                                                            : std::string("open session");
            };
        }
    };

    struct initiate_request : detail::core_initiation<detail::session_core> {
        template<class Handler>
        void operator()(Handler&& handler, detail::session_request::texts what, call_options options) const
        {
            detail::session_request::start(core, std::move(what), std::move(options),
                                           {std::forward<Handler>(handler), core->executor()});
        }
    };

    struct initiate_list : detail::core_initiation<detail::session_core> {
        template<class Handler>
        void operator()(Handler&& handler) const
        {
            detail::list_request::start(core, {std::forward<Handler>(handler), core->executor()});
        }
    };

    // An answer of any kind is a sign of life.
    struct sign_of_life {
        template<class Handler>
        void operator()(Handler&& handler, error_code ec, call_result const&) const
        {
            std::forward<Handler>(handler)(ec.category() == rpc_category() ? error_code() : ec);
        }
    };

    struct initiate_ping : detail::core_initiation<detail::session_core> {
        template<class Handler>
        void operator()(Handler&& handler) const
        {
            detail::session_request::start(
                core, detail::ping_of(*core), call_options(),
                {detail::mapped_handler(std::forward<Handler>(handler), sign_of_life()), core->executor()});
        }
    };

    struct initiate_shutdown : detail::core_initiation<detail::session_core> {
        template<class Handler>
        void operator()(Handler&& handler) const
        {
            core->shutdown({std::forward<Handler>(handler), core->executor()});
        }
    };

    std::shared_ptr<detail::session_core> core_;
};

} // namespace linkspan

#endif
