#ifndef LINKSPAN_TEST_SUPPORT_HTTP_CASE_HPP
#define LINKSPAN_TEST_SUPPORT_HTTP_CASE_HPP

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

inline bool has_part(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// A dialer of connections in memory, which are passed to `accept`, refused, or never established.
class memory_dialer final : public dialer {
public:
    std::function<void(std::unique_ptr<byte_stream>)> accept;
    error_code refusal;           // error of all later attempts; success: none
    bool completes = true;        // if false, an attempt completes only if it is abandoned
    duration takes{};             // time to establish a connection
    std::size_t dials = 0;        // number of attempts
    std::size_t aborted = 0;      // number of abandoned attempts, if `completes` is false
    std::string host;             // of the last attempt
    std::vector<memory_end> ends; // client ends of all connections

    std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target, handler done) override
    {
        ++dials;
        host = target.host;
        if (!completes) {
            auto waiting = std::make_shared<attempt>(executor);
            waiting->pause.expires_at(time_point::max());
            waiting->pause.async_wait([this, done = std::move(done)](error_code) mutable {
                ++aborted;
                done.complete(asio::error::operation_aborted, nullptr);
            });
            return std::make_shared<linkspan::detail::dialing_lease<attempt>>(std::move(waiting));
        }
        std::unique_ptr<byte_stream> mine;
        if (!refusal) {
            auto const [client, server] = make_memory_pipe();
            ends.push_back(client);
            mine = std::make_unique<memory_byte_stream>(executor, client);
            accept(std::make_unique<memory_byte_stream>(executor, server));
        }
        if (takes > duration::zero()) {
            auto waiting = std::make_shared<attempt>(executor);
            waiting->pause.expires_after(takes);
            waiting->pause.async_wait([done = std::move(done), mine = std::move(mine)](error_code ec) mutable {
                done.complete(ec, ec ? nullptr : std::move(mine));
            });
            return std::make_shared<linkspan::detail::dialing_lease<attempt>>(std::move(waiting));
        }
        asio::post(executor, [done = std::move(done), ec = refusal, mine = std::move(mine)]() mutable {
            done.complete(ec, std::move(mine));
        });
        return nullptr;
    }

    // Closes the server end of each connection after this number of further bytes of responses.
    void cut_response_after(std::uint64_t bytes)
    {
        for (auto const& end : ends)
            cut(end, *end.in, bytes);
    }

    // Closes the server end of each connection after this number of further bytes of requests.
    void cut_request_after(std::uint64_t bytes)
    {
        for (auto const& end : ends)
            cut(end, *end.out, bytes);
    }

    // Bytes received and sent over all connections.
    std::uint64_t bytes_in() const { return sum(&memory_end::in); }
    std::uint64_t bytes_out() const { return sum(&memory_end::out); }

    // Closes the server end of each connection.
    void close_all()
    {
        for (auto const& end : ends)
            end.in->close_writer();
    }

private:
    struct attempt {
        explicit attempt(asio::any_io_executor const& executor) : pause(executor) {}
        void cancel() { pause.cancel(); }

        timer pause;
    };

    static void cut(memory_end const& end, memory_channel& channel, std::uint64_t bytes)
    {
        channel.cut_after(channel.bytes_written() + bytes, [in = std::weak_ptr(end.in), out = std::weak_ptr(end.out)] {
            if (auto const back = in.lock())
                back->close_writer();
            if (auto const forward = out.lock())
                forward->close_reader();
        });
    }

    std::uint64_t sum(std::shared_ptr<memory_channel> memory_end::*way) const
    {
        std::uint64_t out = 0;
        for (auto const& end : ends)
            out += (end.*way)->bytes_written();
        return out;
    }
};

// Protocol versions of servers of one era, as arguments of `serve`.
inline std::vector<protocol_version> const stateless_era{protocol_version::v2026_07_28};
inline std::vector<protocol_version> const handshake_era{protocol_version::v2025_11_25};

// A session over HTTP with a scripted server in memory, for a tool "add".
struct http_world : world {
    std::shared_ptr<memory_dialer> net = std::make_shared<memory_dialer>();
    std::unique_ptr<scripted_server> server;
    http_server_options serving;
    std::unique_ptr<http_server> web;
    http_config config;
    session_options options;
    std::optional<session> client;

    http_world()
    {
        config.url = "http://server/mcp";
        config.dialer = net;
    }

    http_server& serve(std::vector<protocol_version> versions)
    {
        client.reset();
        web.reset();
        server = std::make_unique<scripted_server>(std::move(versions));
        web = std::make_unique<http_server>(executor, *server, serving);
        net->ends.clear();
        net->accept = [this](std::unique_ptr<byte_stream> stream) { web->serve(std::move(stream)); };
        return *web;
    }

    // Returns the rule for calls of the tool.
    rule& add() { return server->on(call("add")); }

    template<class Transport = streamable_http>
    session& make()
    {
        return client.emplace(executor, via<Transport>(config), options);
    }

    template<class Transport = streamable_http>
    asio::awaitable<void> open()
    {
        auto const [ec] = co_await make<Transport>().async_open(in_tuple);
        BOOST_TEST_REQUIRE(!ec, ec.message() << ": " << client->diagnostics());
        co_await settle(executor);
    }

    template<class Transport = streamable_http>
    asio::awaitable<error_code> open_and_fail()
    {
        auto const [ec] = co_await make<Transport>().async_open(in_tuple);
        co_return ec;
    }

    // Calls the tool "add" and returns its completion.
    asio::awaitable<completion_box> call_add()
    {
        auto [ec, result] = co_await client->async_call_tool("add", {}, in_tuple);
        completion_box out;
        out.count = 1;
        out.ec = ec;
        out.result = std::move(result);
        co_return out;
    }

    // Returns the last request with this HTTP method whose body contains `part`.
    http_server_request const& last(std::string_view method, std::string_view part = {}) const
    {
        static http_server_request const none;
        auto const& all = web->requests();
        for (auto at = all.rbegin(); at != all.rend(); ++at)
            if (at->method() == method && has_part(at->body, part))
                return *at;
        return none;
    }

    void clean_up()
    {
        client.reset();
        web.reset();
    }
};

inline constexpr std::string_view ok_json = "200 OK\r\nContent-Type: application/json";
inline constexpr std::string_view ok_events = "200 OK\r\nContent-Type: text/event-stream";

// A response; "@" is replaced by the id of the request.
inline constexpr std::string_view five =
    R"({"jsonrpc":"2.0","id":@,"result":{"resultType":"complete","content":[{"type":"text","text":"5"}]}})";

inline std::string with_id(std::string_view text, std::string_view request)
{
    auto const id = json_scan::member(request, "id");
    std::string out(text);
    for (auto at = out.find('@'); at != out.npos; at = out.find('@', at + id.size()))
        out.replace(at, 1, id);
    return out;
}

inline std::string http_text(std::string_view head, std::string_view body)
{
    return "HTTP/1.1 " + std::string(head) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           std::string(body);
}

// Writes bytes in which "@" is replaced by the id of the request.
inline action http_raw_for(scripted_server const& server, std::string bytes)
{
    return [&server, bytes = std::move(bytes)](exchange& on, std::function<void()> const& next) {
        if (auto* const http = on.http())
            http->raw(with_id(bytes, server.received().back()));
        next();
    };
}

} // namespace linkspan::test

#define HTTP_CASE(name) LINKSPAN_CASE_IN(http_world, name)

#endif
