#ifndef LINKSPAN_CONNECTOR_BLOCKING_CONNECTOR_HPP
#define LINKSPAN_CONNECTOR_BLOCKING_CONNECTOR_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/own_thread.hpp>
#include <linkspan/model/call_error.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <concepts>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Connector for programs without an event loop: each function returns when its operation is complete.
///
/// The object owns a thread, on which the connector, its handlers and its policies run.
///
///     linkspan::blocking_connector<linkspan::transports<linkspan::stdio>> hub;
///     hub.add<linkspan::stdio>("files", {.command = "mcp-server-filesystem", .args = {"/srv"}});
///     hub.open();
///     std::cout << hub.call("read_file", args).text();
///
/// Failed calls throw `call_error`; other failures throw `boost::system::system_error`. `call` has an overload with an
/// `error_code&`, which assigns the error instead.
///
/// Functions that wait must not be called on the object's own thread, for example in a handler of `submit`, in an
/// interceptor or in a policy, because the wait would never end. On that thread, these functions throw a
/// `boost::system::system_error` with `resource_deadlock_would_occur`.
///
/// Child processes do not outlive this process; see `stdio_config::die_with_parent`. SIGPIPE is blocked on the object's
/// own thread. Programs other than servers that a handler starts on this thread inherit the signal mask.
///
/// \par Lifetime
/// Destroy the object on another thread than its own, and when no function of it is running. The destructor closes all
/// connections, reaps child processes and joins the thread.
/// \par Thread safety
/// All functions: safe from any thread, concurrently, except the constructors and the destructor.
///
/// \tparam Transports A `transports<...>` list.
/// \tparam Policies At most one policy per role, as for `connector`.
template<class Transports, class... Policies>
class blocking_connector {
public:
    /// The connector that the object contains.
    using connector_type = connector<Transports, Policies...>;

    /// Starts the thread, and constructs the connector with these policies.
    ///
    /// \throws std::system_error if the thread cannot be started.
    explicit blocking_connector(Policies... policies)
        requires(sizeof...(Policies) > 0)
        : hub_(loop_.executor(), std::move(policies)...)
    {}

    /// Starts the thread, and constructs the connector with default-constructed policies.
    ///
    /// \throws std::system_error if the thread cannot be started.
    blocking_connector() : hub_(loop_.executor()) {}

    blocking_connector(blocking_connector const&) = delete;
    blocking_connector& operator=(blocking_connector const&) = delete;

    /// Closes the connector and joins the thread. Outstanding calls of `submit` complete with `operation_aborted`.
    ~blocking_connector()
    {
        loop_.post([this] { hub_.close(); });
        loop_.finish();
    }

    /// Adds a server, which is opened by the next `open`, or as `server_options::start` specifies.
    ///
    /// \tparam T One of the transports of the connector.
    /// \param name Unique name of the server.
    /// \param config Configuration of the transport.
    /// \param options Priority, tags, timeouts and restarts of the server.
    /// \returns `*this`
    /// \throws std::invalid_argument if the name is empty or already used, the priority is not within 0 to 100, or
    /// `session_options::max_in_flight` is 0.
    template<Transport T>
    blocking_connector& add(std::string name, typename T::config_type config, server_options options = {})
    {
        run([&](connector_type& hub) { hub.template add<T>(std::move(name), std::move(config), std::move(options)); });
        return *this;
    }

    /// Sets the handler for one kind of request that servers send, and declares the capability to all servers.
    ///
    /// \tparam Kind `elicitation`, `sampling` or `roots`.
    /// \param handler Invoked as `handler(Kind::request_type const&, typed_responder<Kind>)` on the object's own
    /// thread. Must not block.
    /// \param options Options of the kind, which determine the declared capability.
    /// \returns `*this`
    template<class Kind, class Handler>
    blocking_connector& set_handler(Handler handler, typename Kind::options options = {})
    {
        run([&](connector_type& hub) { hub.template set_handler<Kind>(std::move(handler), options); });
        return *this;
    }

    /// Opens all enabled servers concurrently, except those with `start_mode::lazy`. See `connector_base::async_open`.
    ///
    /// \returns One entry per server that had to be opened. A failed server is an entry with an error, not an
    /// exception.
    /// \throws boost::system::system_error with `operation_aborted` if the connector was closed during the operation.
    open_report open()
    {
        error_code ec;
        auto report = await<open_report>(ec, [](connector_type& hub, auto done) { hub.async_open(std::move(done)); });
        if (ec && ec != error::connection_failed)
            throw boost::system::system_error(ec);
        return report;
    }

    /// Calls a tool by its name.
    ///
    /// \param tool Exposed name, or the tool's own name if it is unambiguous.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call. The progress handler runs on the object's
    /// own thread.
    /// \param ec Set to the error of the call; cleared on success. The codes are those of `connector_base::async_call`.
    /// \returns The result of the tool; on error, a result with the attempts and a detail text.
    call_result call(std::string_view tool, arguments const& args, call_options options, error_code& ec)
    {
        return await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.async_call(tool, args, std::move(options), std::move(done));
        });
    }

    /// Calls a tool by its name.
    ///
    /// \param tool Exposed name, or the tool's own name if it is unambiguous.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \returns The result of the tool. If the tool reported its own failure, `is_error()` of the result is true.
    /// \throws call_error if the call fails.
    call_result call(std::string_view tool, arguments const& args = {}, call_options options = {})
    {
        error_code ec;
        auto result = call(tool, args, std::move(options), ec);
        return checked(ec, std::move(result));
    }

    /// Calls a tool by its own name on one server only.
    ///
    /// \param server Name of the server.
    /// \param tool The server's own name of the tool.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \returns The result of the tool. If the tool reported its own failure, `is_error()` of the result is true.
    /// \throws call_error if the call fails, with `unknown_server` if there is no such server.
    call_result call_on_server(std::string_view server, std::string_view tool, arguments const& args = {},
                               call_options options = {})
    {
        error_code ec;
        auto result = await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.on_server(server).async_call(tool, args, std::move(options), std::move(done));
        });
        return checked(ec, std::move(result));
    }

    /// Calls a tool on servers that the selector admits.
    ///
    /// \param servers Required tags, or names in their order of preference.
    /// \param tool Name of the tool.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \returns The result of the tool. If the tool reported its own failure, `is_error()` of the result is true.
    /// \throws call_error if the call fails.
    call_result call(selector servers, std::string_view tool, arguments const& args = {}, call_options options = {})
    {
        error_code ec;
        auto result = await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.on_servers(std::move(servers)).async_call(tool, args, std::move(options), std::move(done));
        });
        return checked(ec, std::move(result));
    }

    /// Calls a tool by its exposed name, as a model uses it.
    ///
    /// \param exposed_name Name from `catalog_entry::display_name()`.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \returns The result of the tool. If the tool reported its own failure, `is_error()` of the result is true.
    /// \throws call_error if the call fails, with `invalid_tool_name` if no tool is exposed by this name.
    call_result invoke(std::string_view exposed_name, arguments const& args = {}, call_options options = {})
    {
        error_code ec;
        auto result = await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.async_invoke(exposed_name, args, std::move(options), std::move(done));
        });
        return checked(ec, std::move(result));
    }

    /// Starts a call and returns without waiting.
    ///
    /// \param tool Name of the tool.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \param handler Invoked once as `handler(error_code, call_result)` on the object's own thread. Must not block,
    /// and must not call functions of this object that wait.
    template<class Handler>
        requires std::invocable<Handler&, error_code, call_result>
    void submit(std::string_view tool, arguments args, call_options options, Handler handler)
    {
        loop_.post([this, tool = std::string(tool), args = std::move(args), options = std::move(options),
                    handler = std::move(handler)]() mutable {
            hub_.async_call(tool, args, std::move(options), std::move(handler));
        });
    }

    /// Starts a call and returns without waiting.
    ///
    /// \param tool Name of the tool.
    /// \param args Arguments of the tool, a JSON object.
    /// \param options Timeouts, progress handler and metadata of this call.
    /// \returns A future of the result. Its `get()` throws `call_error` if the call failed.
    std::future<call_result> submit(std::string_view tool, arguments args = {}, call_options options = {})
    {
        auto const promise = std::make_shared<std::promise<call_result>>();
        submit(tool, std::move(args), std::move(options), [promise](error_code ec, call_result result) {
            if (ec)
                promise->set_exception(make_exception(ec, std::move(result)));
            else
                promise->set_value(std::move(result));
        });
        return promise->get_future();
    }

    /// Opens one server and lists its tools.
    ///
    /// \returns The report of the opening, which converts to true if the server is ready. Its `ec` is `unknown_server`,
    /// `server_disabled`, or the error of the opening.
    /// \throws boost::system::system_error with `operation_aborted` if the connector was closed during the operation.
    server_report connect(std::string_view server)
    {
        return await<server_report>(
            [&](connector_type& hub, auto done) { hub.async_connect(server, std::move(done)); });
    }

    /// Enables a server that is disabled, and opens it.
    ///
    /// \returns The report of the opening, which converts to true if the server is ready. Its `ec` is `unknown_server`,
    /// or the error of the opening.
    /// \throws boost::system::system_error with `operation_aborted` if the connector was closed during the operation.
    server_report enable(std::string_view server)
    {
        return await<server_report>([&](connector_type& hub, auto done) { hub.async_enable(server, std::move(done)); });
    }

    /// Shuts down one server gracefully. A name that belongs to no server is not an error.
    ///
    /// \throws boost::system::system_error with the error of the transport's shutdown, or `operation_aborted` if the
    /// connector was closed during the operation.
    void disconnect(std::string_view server)
    {
        await<void>([&](connector_type& hub, auto done) { hub.async_disconnect(server, std::move(done)); });
    }

    /// Disables a server, and shuts it down gracefully. A name that belongs to no server is not an error.
    ///
    /// \throws boost::system::system_error with the error of the transport's shutdown, or `operation_aborted` if the
    /// connector was closed during the operation.
    void disable(std::string_view server)
    {
        await<void>([&](connector_type& hub, auto done) { hub.async_disable(server, std::move(done)); });
    }

    /// Removes a server, and shuts it down gracefully. A name that belongs to no server is not an error.
    ///
    /// \throws boost::system::system_error with the error of the transport's shutdown, or `operation_aborted` if the
    /// connector was closed during the operation.
    void remove(std::string_view server)
    {
        await<void>([&](connector_type& hub, auto done) { hub.async_remove(server, std::move(done)); });
    }

    /// Sends `tools/list` to all servers that are ready, and returns the new catalog. Servers in the state
    /// `server_state::idle` are started first, except those with `start_mode::lazy`.
    ///
    /// \returns The catalog. Never null. A server whose request fails keeps its previous tools.
    /// \throws boost::system::system_error with `not_connected` if the connector is closed, or `operation_aborted` if
    /// it was closed during the operation.
    std::shared_ptr<linkspan::catalog const> refresh_tools()
    {
        return await<std::shared_ptr<linkspan::catalog const>>(
            [](connector_type& hub, auto done) { hub.async_refresh_tools(std::move(done)); });
    }

    /// Shuts down all servers gracefully and concurrently.
    ///
    /// \param timeout Upper bound of the operation. Servers that are not shut down within this time are closed
    /// immediately. `duration::max()`: the timeouts of the transports only.
    /// \returns One entry per server. A server that was not shut down gracefully is an entry with an error, not an
    /// exception.
    /// \throws boost::system::system_error with `operation_aborted` if the connector was closed during the operation.
    shutdown_report shutdown(duration timeout = duration::max())
    {
        error_code ec;
        auto report = await<shutdown_report>(
            ec, [&](connector_type& hub, auto done) { hub.async_shutdown(timeout, std::move(done)); });
        if (ec == asio::error::operation_aborted)
            throw boost::system::system_error(ec);
        return report;
    }

    /// Returns the current catalog: an immutable snapshot of the tools of all servers. Never null. Does not wait.
    std::shared_ptr<linkspan::catalog const> catalog() const { return hub_.catalog(); }

    /// Returns a snapshot of the state of the connector and its servers. Does not wait.
    connector_state state() const { return hub_.state(); }

    /// Runs `function(connector_type&)` on the object's own thread, and waits for its return. Gives access to functions
    /// of the connector that this class does not have.
    ///
    /// \throws The exception of the function.
    template<class Function>
    void run(Function function)
    {
        std::exception_ptr thrown;
        loop_.wait([&](auto done) {
            try {
                function(hub_);
            } catch (...) {
                thrown = std::current_exception();
            }
            done();
        });
        if (thrown)
            std::rethrow_exception(thrown);
    }

private:
    // Starts an operation on the thread, and waits for its completion.
    template<class Result, class Start>
    Result await(error_code& ec, Start start)
    {
        std::optional<Result> result;
        loop_.wait([&](auto done) {
            start(hub_, [&ec, &result, done](error_code failed, Result value) {
                ec = failed;
                result = std::move(value);
                done();
            });
        });
        return *std::move(result);
    }

    template<class Result, class Start>
    Result await(Start start)
    {
        error_code ec;
        if constexpr (std::is_void_v<Result>) {
            loop_.wait([&](auto done) {
                start(hub_, [&ec, done](error_code failed) {
                    ec = failed;
                    done();
                });
            });
            if (ec)
                throw boost::system::system_error(ec);
        } else {
            auto result = await<Result>(ec, std::move(start));
            if (ec)
                throw boost::system::system_error(ec);
            return result;
        }
    }

    static call_result checked(error_code ec, call_result result)
    {
        if (ec)
            std::rethrow_exception(make_exception(ec, std::move(result)));
        return result;
    }

    detail::own_thread loop_;
    connector_type hub_;
};

} // namespace linkspan

#endif
