#ifndef LINKSPAN_TEST_BENCH_LAYERS_HPP
#define LINKSPAN_TEST_BENCH_LAYERS_HPP

// The measured layers: the library as applications use it, with one coroutine per call in flight.

#include <linkspan/connector.hpp>
#include <linkspan/connector/blocking_connector.hpp>
#include <linkspan/session.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "measure.hpp"

namespace bench {

namespace asio = boost::asio;

/// The server of the measurements.
struct target {
    std::string server;
    std::vector<std::string> args;
    std::uint16_t port = 0; ///< port of an HTTP server on loopback; 0: start `server`

    operator linkspan::stdio_config() const { return {.command = server, .args = args}; }
};

template<class Transport>
struct session_layer {
    static constexpr char const* name = "session";

    template<class Target>
    session_layer(asio::io_context& context, Target const& to)
        : session_(context.get_executor(), linkspan::via<Transport>(to))
    {}

    asio::awaitable<void> open() { co_await session_.async_open(); }
    asio::awaitable<std::size_t> list()
    {
        auto const list = co_await session_.async_list_tools();
        co_return list.tools.size();
    }
    auto call(boost::json::object const& args) { return session_.async_call_tool("echo", args); }
    asio::awaitable<void> close() { co_await session_.async_shutdown(); }

private:
    linkspan::session session_;
};

template<class Transport>
struct connector_layer {
    static constexpr char const* name = "connector";

    template<class Target>
    connector_layer(asio::io_context& context, Target const& to) : hub_(context.get_executor())
    {
        hub_.template add<Transport>("echo", to);
    }

    asio::awaitable<void> open() { co_await hub_.async_open(); }
    asio::awaitable<std::size_t> list() { co_return hub_.catalog()->tools().size(); }
    auto call(boost::json::object const& args) { return hub_.async_call("echo", args); }
    asio::awaitable<void> close() { co_await hub_.async_shutdown(); }
    auto& hub() noexcept { return hub_; }

private:
    linkspan::connector<linkspan::transports<Transport>> hub_;
};

template<class Layer>
class client {
public:
    explicit client(target const& to) : layer_(context_, to) { run(layer_.open()); }

    std::size_t list()
    {
        std::size_t tools = 0;
        run(list_into(tools));
        return tools;
    }

    /// Makes one call. Returns the length of the echoed text.
    std::size_t call(boost::json::object const& args)
    {
        std::size_t length = 0;
        run(call_into(args, length));
        return length;
    }

    /// Makes calls one after another in one coroutine and appends the duration of each to `each`, in microseconds.
    void sequence(boost::json::object const& args, std::size_t total, std::vector<double>& each)
    {
        run(call_in_sequence(args, total, each));
    }

    /// Keeps `window` calls in flight until `total` are complete.
    void pipeline(std::size_t window, std::size_t total, boost::json::object const& args, std::size_t expected)
    {
        std::size_t left = total, running = window;
        for (std::size_t i = 0; i != window; ++i)
            asio::co_spawn(context_, call_while(left, running, args, expected), rethrow);
        while (running != 0)
            step();
    }

    void close() { run(layer_.close()); }

private:
    static void rethrow(std::exception_ptr failure)
    {
        if (failure)
            std::rethrow_exception(failure);
    }

    void step()
    {
        context_.restart();
        context_.run_one();
    }

    void run(asio::awaitable<void> work)
    {
        bool done = false;
        std::exception_ptr failure;
        asio::co_spawn(context_, std::move(work), [&](std::exception_ptr thrown) {
            done = true;
            failure = thrown;
        });
        while (!done)
            step();
        rethrow(failure);
    }

    asio::awaitable<void> list_into(std::size_t& tools) { tools = co_await layer_.list(); }

    asio::awaitable<void> call_into(boost::json::object const& args, std::size_t& length)
    {
        auto const result = co_await layer_.call(args);
        length = result.text().size();
    }

    asio::awaitable<void> call_in_sequence(boost::json::object const& args, std::size_t total,
                                           std::vector<double>& each)
    {
        for (; total != 0; --total) {
            auto const start = clock::now();
            auto const result = co_await layer_.call(args);
            if (result.text().empty())
                throw std::runtime_error("wrong echo");
            each.push_back(microseconds_since(start));
        }
    }

    asio::awaitable<void> call_while(std::size_t& left, std::size_t& running, boost::json::object const& args,
                                     std::size_t expected)
    {
        while (left != 0) {
            --left;
            auto const result = co_await layer_.call(args);
            if (result.text().size() != expected)
                throw std::runtime_error("wrong echo");
        }
        --running;
    }

    asio::io_context context_{1};
    Layer layer_;
};

struct blocking_layer {
    static constexpr char const* name = "blocking";
};

/// The connector without an event loop: the calling thread submits calls and waits for free slots.
template<>
class client<blocking_layer> {
public:
    explicit client(target const& to)
    {
        hub_.add<linkspan::stdio>("echo", to);
        if (hub_.open().failures() != 0)
            throw std::runtime_error("the server could not be opened");
    }

    std::size_t list() { return hub_.catalog()->tools().size(); }
    std::size_t call(boost::json::object const& args) { return hub_.call("echo", args).text().size(); }

    void sequence(boost::json::object const& args, std::size_t total, std::vector<double>& each)
    {
        for (; total != 0; --total) {
            auto const start = clock::now();
            if (call(args) == 0)
                throw std::runtime_error("wrong echo");
            each.push_back(microseconds_since(start));
        }
    }

    void pipeline(std::size_t window, std::size_t total, boost::json::object const& args, std::size_t expected)
    {
        std::counting_semaphore<> room(static_cast<std::ptrdiff_t>(window));
        std::atomic<bool> wrong = false;
        auto const on_done = [&](linkspan::error_code ec, linkspan::call_result const& result) {
            if (ec || result.text().size() != expected)
                wrong = true;
            room.release();
        };
        for (; total != 0; --total) {
            room.acquire();
            hub_.submit("echo", args, {}, on_done);
        }
        for (std::size_t i = 0; i != window; ++i)
            room.acquire();
        if (wrong)
            throw std::runtime_error("wrong echo");
    }

    void close() { hub_.shutdown(); }

private:
    linkspan::blocking_connector<linkspan::transports<linkspan::stdio>> hub_;
};

} // namespace bench

#endif
