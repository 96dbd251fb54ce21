#ifndef LINKSPAN_CONNECTOR_BLOCKING_CONNECTOR_HPP
#define LINKSPAN_CONNECTOR_BLOCKING_CONNECTOR_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/own_thread.hpp>
#include <linkspan/model/call_error.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// A connector for programs without an event loop: the same calls, each of which returns when it is done. It has a
/// thread of its own, on which everything runs.
///
///     linkspan::blocking_connector<linkspan::transports<linkspan::stdio>> hub;
///     hub.add<linkspan::stdio>("files", {.command = "mcp-server-filesystem", .args = {"/srv"}});
///     hub.open();
///     std::cout << hub.call("read_file", args).text();
///
/// Failures are thrown: that of a call as `call_error`, others as `boost::system::system_error`. A call that takes an
/// `error_code&` puts it there instead.
///
/// Called from its own thread, which is that of `submit`'s handlers, of interceptors and of policies, a function that
/// would have to wait for itself throws `resource_deadlock_would_occur`.
///
/// Its children do not outlive the process; see `stdio_config::die_with_parent`.
///
/// Lifetime: destroy it from another thread, when no call of it is out. It closes, and reaps its children.
/// Thread safety: all functions may be called from any thread, any number at once.
template<class Transports, class... Policies>
class blocking_connector {
public:
    using connector_type = connector<Transports, Policies...>;

    explicit blocking_connector(Policies... policies)
        requires(sizeof...(Policies) > 0)
        : hub_(loop_.executor(), std::move(policies)...)
    {}

    blocking_connector() : hub_(loop_.executor()) {}

    blocking_connector(blocking_connector const&) = delete;
    blocking_connector& operator=(blocking_connector const&) = delete;

    ~blocking_connector()
    {
        loop_.post([this] { hub_.close(); });
        loop_.finish();
    }

    /// As `connector::add`.
    template<Transport T>
    blocking_connector& add(std::string name, typename T::config_type config, server_options options = {})
    {
        run([&](connector_type& hub) { hub.template add<T>(std::move(name), std::move(config), std::move(options)); });
        return *this;
    }

    /// As `connector_base::on`; the handler is called on the connector's own thread, and must not wait.
    template<class Kind, class Handler>
    blocking_connector& set_handler(Handler handler, typename Kind::options with = {})
    {
        run([&](connector_type& hub) { hub.template set_handler<Kind>(std::move(handler), with); });
        return *this;
    }

    /// As `connector_base::async_open`, but a server that fails is always a line in the report: this throws only when
    /// the connector was closed.
    open_report open()
    {
        error_code ec;
        auto report = await<open_report>(ec, [](connector_type& hub, auto done) { hub.async_open(std::move(done)); });
        if (ec && ec != error::connection_failed)
            throw boost::system::system_error(ec);
        return report;
    }

    /// As `connector_base::async_call`.
    call_result call(std::string_view tool, arguments const& args, call_options options, error_code& ec)
    {
        return await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.async_call(tool, args, std::move(options), std::move(done));
        });
    }

    call_result call(std::string_view tool, arguments const& args = {}, call_options options = {})
    {
        error_code ec;
        auto result = call(tool, args, std::move(options), ec);
        return checked(ec, std::move(result));
    }

    /// As `at(server).async_call`.
    call_result call_at(std::string_view server, std::string_view tool, arguments const& args = {},
                        call_options options = {})
    {
        error_code ec;
        auto result = await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.on_server(server).async_call(tool, args, std::move(options), std::move(done));
        });
        return checked(ec, std::move(result));
    }

    /// As `at(which).async_call`.
    call_result call(selector which, std::string_view tool, arguments const& args = {}, call_options options = {})
    {
        error_code ec;
        auto result = await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.on_servers(std::move(which)).async_call(tool, args, std::move(options), std::move(done));
        });
        return checked(ec, std::move(result));
    }

    /// As `connector_base::async_invoke`.
    call_result invoke(std::string_view exposed_name, arguments const& args = {}, call_options options = {})
    {
        error_code ec;
        auto result = await<call_result>(ec, [&](connector_type& hub, auto done) {
            hub.async_invoke(exposed_name, args, std::move(options), std::move(done));
        });
        return checked(ec, std::move(result));
    }

    /// Starts a call and returns. `handler(error_code, call_result)` is called once, on the connector's own thread: it
    /// must not wait.
    template<class Handler>
        requires std::invocable<Handler&, error_code, call_result>
    void submit(std::string_view tool, arguments args, call_options options, Handler handler)
    {
        loop_.post([this, tool = std::string(tool), args = std::move(args), options = std::move(options),
                    handler = std::move(handler)]() mutable {
            hub_.async_call(tool, args, std::move(options), std::move(handler));
        });
    }

    /// The same, for those who want to wait later.
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

    /// As `connector_base::async_connect`, and so on.
    server_report connect(std::string_view server)
    {
        return await<server_report>(
            [&](connector_type& hub, auto done) { hub.async_connect(server, std::move(done)); });
    }

    server_report enable(std::string_view server)
    {
        return await<server_report>([&](connector_type& hub, auto done) { hub.async_enable(server, std::move(done)); });
    }

    void disconnect(std::string_view server)
    {
        await<void>([&](connector_type& hub, auto done) { hub.async_disconnect(server, std::move(done)); });
    }

    void disable(std::string_view server)
    {
        await<void>([&](connector_type& hub, auto done) { hub.async_disable(server, std::move(done)); });
    }

    void remove(std::string_view server)
    {
        await<void>([&](connector_type& hub, auto done) { hub.async_remove(server, std::move(done)); });
    }

    std::shared_ptr<linkspan::catalog const> discover()
    {
        return await<std::shared_ptr<linkspan::catalog const>>(
            [](connector_type& hub, auto done) { hub.async_refresh_tools(std::move(done)); });
    }

    /// As `connector_base::async_shutdown`, but a server that did not end gracefully is a line in the report: this
    /// throws only when the connector was closed meanwhile.
    shutdown_report shutdown(duration timeout = duration::max())
    {
        error_code ec;
        auto report = await<shutdown_report>(
            ec, [&](connector_type& hub, auto done) { hub.async_shutdown(timeout, std::move(done)); });
        if (ec == asio::error::operation_aborted)
            throw boost::system::system_error(ec);
        return report;
    }

    std::shared_ptr<linkspan::catalog const> catalog() const { return hub_.catalog(); }
    connector_state state() const { return hub_.state(); }

    /// Runs `function(connector&)` on the connector's own thread, and waits for it: the door to what has no function
    /// here. What it throws is thrown.
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
    // Starts an operation of the connector on its thread, and waits for what it completes with.
    template<class Result, class Start>
    Result await(error_code& ec, Start start)
    {
        std::optional<Result> result;
        loop_.wait([&](auto done) {
            start(hub_, [&ec, &result, done](error_code failed, Result brought) {
                ec = failed;
                result = std::move(brought);
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
