#ifndef LINKSPAN_TEST_SUPPORT_QUIET_SERVER_HPP
#define LINKSPAN_TEST_SUPPORT_QUIET_SERVER_HPP

#include <linkspan/core/detail/erased_handler.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/test/virtual_time.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// The messages of a `quiet_transport`. Its functions allocate no memory, because those of a transport must not throw.
struct quiet_wire {
    using receiver = linkspan::detail::erased_handler<void(error_code, std::span<inbound const>)>;

    quiet_wire() { sent.reserve(std::size_t{1} << 16); }

    // Passes a message of the client to the server.
    void receive(std::string_view message)
    {
        inbound const only = inbound_message{.bytes = message};
        complete({}, {&only, 1});
    }

    // Ends the connection.
    void end()
    {
        if (receives)
            complete(asio::error::eof, {});
    }

    // Returns the number of messages with a text.
    std::size_t count(std::string_view text) const
    {
        std::size_t out = 0;
        for (auto at = sent.find(text); at != sent.npos; at = sent.find(text, at + 1))
            ++out;
        return out;
    }

    // Returns the last message with a text; empty: none.
    std::string last(std::string_view text) const
    {
        auto const at = sent.rfind(text);
        if (at == sent.npos)
            return {};
        auto const begin = sent.rfind('\n', at) + 1;
        return sent.substr(begin, sent.find('\n', at) - begin);
    }

    std::string sent;                 // messages of the server, each with a line end
    std::optional<receiver> receives; // the receive operation; empty: none
    bool is_closed = false;           // set when the server closes the connection

private:
    void complete(error_code ec, std::span<inbound const> batch)
    {
        auto done = std::move(*receives);
        receives.reset();
        done(ec, batch);
    }
};

// Transport to a client that is represented by a `quiet_wire`.
struct quiet_transport {
    using role = transport_role;
    struct config_type {
        asio::any_io_executor executor;
        std::shared_ptr<quiet_wire> wire;
    };
    static constexpr std::string_view kind = "quiet";
    static constexpr bool handshake_on_no_response = false;

    quiet_transport(asio::any_io_executor const&, config_type const& config) : with(config) {}

    template<class Handler>
    void async_open(Handler&&)
    {}

    void send(outbound const& message) noexcept
    {
        with.wire->sent.append(message.bytes);
        with.wire->sent += '\n';
    }

    template<class Handler>
    void async_receive(Handler&& handler)
    {
        with.wire->receives.emplace(std::forward<Handler>(handler));
    }

    abandon_result abandon(request_id) noexcept { return abandon_result::peer_not_notified; }

    template<class Handler>
    void async_shutdown(Handler&&)
    {}

    void close() noexcept { with.wire->is_closed = true; }
    asio::any_io_executor get_executor() const { return with.executor; }
    std::size_t queued_bytes() const noexcept { return 0; }

    config_type with;
};

// A server with one client, without I/O, whose events are executed one after the other while an allocation fails.
struct quiet_server {
    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    std::shared_ptr<quiet_wire> wire = std::make_shared<quiet_wire>();
    std::vector<std::string> defects;
    std::shared_ptr<linkspan::detail::server_core> core;
    std::shared_ptr<linkspan::detail::served_client> client;

    // Returns options with a timeout for the requests to the client.
    static serving_options options()
    {
        serving_options out;
        out.input_timeout = std::chrono::minutes(1);
        return out;
    }

    explicit quiet_server(serving_options options)
    {
        options.on_defect = [this](server_defect const& defect) { defects.emplace_back(defect.what); };
        core = std::make_shared<linkspan::detail::server_core>(
            context.get_executor(), implementation{.name = "own", .version = "7"}, std::move(options));
        defects.reserve(16);
    }

    ~quiet_server()
    {
        core->close();
        wire->end();
        client.reset();
        run();
    }

    // Adds the client. `account`: of the client.
    void connect(std::string account, std::optional<protocol_version> only)
    {
        client =
            core->serve(any_transport::make<quiet_transport>(context.get_executor(), {context.get_executor(), wire}),
                        {}, std::move(account), only, {});
    }

    // Runs all handlers that are ready. Handlers that throw `std::bad_alloc` end there.
    void run()
    {
        for (;;) {
            try {
                context.restart();
                if (context.poll() == 0)
                    return;
            } catch (std::bad_alloc const&) {
            }
        }
    }

    // Runs all handlers of a time.
    void pass(duration span)
    {
        auto const until = time.now() + span;
        do {
            try {
                time.run_for(until - time.now());
            } catch (std::bad_alloc const&) {
            }
        } while (time.now() < until);
        run();
    }
};

} // namespace linkspan::test

#endif
