#ifndef LINKSPAN_TEST_BENCH_HTTP_FLOORS_HPP
#define LINKSPAN_TEST_BENCH_HTTP_FLOORS_HPP

// The floors of HTTP: the same messages over kept connections, with Beast and Boost.JSON, blocking or, for many calls
// in flight, asynchronous; <raw_http_floor.hpp> has the floor without them. The requests have the content of those of
// the library, including the headers and the `_meta` that protocol version 2026-07-28 requires; `omit_meta` replaces
// them by shorter ones of the era `handshake`.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "raw_http_floor.hpp"

namespace bench {

namespace beast_message {

namespace http = boost::beast::http;
namespace json = boost::json;

inline http::request<http::string_body> request(std::uint64_t id, std::string const& text, bool omits_meta)
{
    json::object params{{"name", "echo"}, {"arguments", {{"text", text}}}};
    if (!omits_meta)
        params["_meta"] = {{"progressToken", id},
                           {"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                           {"io.modelcontextprotocol/clientCapabilities", json::object()},
                           {"io.modelcontextprotocol/clientInfo", {{"name", "linkspan"}, {"version", "0.2.0"}}}};
    json::object const message{
        {"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", std::move(params)}};
    http::request<http::string_body> out{http::verb::post, "/mcp", 11};
    out.set(http::field::host, "127.0.0.1");
    out.set(http::field::content_type, "application/json");
    out.set(http::field::accept, "application/json, text/event-stream");
    out.set("MCP-Protocol-Version", omits_meta ? "2025-11-25" : "2026-07-28");
    if (!omits_meta) {
        out.set(http::field::accept_encoding, "identity");
        out.set(http::field::user_agent, "linkspan/0.2.0");
        out.set("Mcp-Method", "tools/call");
        out.set("Mcp-Name", "echo");
    }
    out.body() = json::serialize(message);
    out.prepare_payload();
    return out;
}

/// Returns the length of the echoed text.
inline std::size_t echoed_length(std::string const& body)
{
    json::monotonic_resource memory;
    return json::parse(body, &memory).at("result").at("content").at(0).at("text").as_string().size();
}

using parser = http::response_parser<http::string_body>;

inline constexpr std::size_t body_limit = 64u << 20;

} // namespace beast_message

class beast_http {
public:
    explicit beast_http(std::uint16_t port) : port_(port) { connect(stream_); }

    /// Omits `_meta` and its headers from the following requests, or adds them again.
    void omit_meta(bool omit) { omits_meta_ = omit; }

    std::size_t call(std::string const& text)
    {
        namespace http = boost::beast::http;
        auto const request = beast_message::request(++id_, text, omits_meta_);
        http::write(stream_, request);
        beast_message::parser parser;
        parser.body_limit(beast_message::body_limit);
        http::read(stream_, buffer_, parser);
        return beast_message::echoed_length(parser.get().body());
    }

    /// Uses one connection per call in flight, all asynchronous on one thread.
    void pipeline(std::size_t window, std::size_t total, std::string const& text)
    {
        std::vector<std::unique_ptr<caller>> callers;
        for (std::size_t i = 0; i != window; ++i) {
            callers.push_back(std::make_unique<caller>(context_, total, text, omits_meta_));
            connect(callers.back()->stream);
            callers.back()->next();
        }
        context_.restart();
        context_.run();
    }

private:
    struct caller {
        caller(boost::asio::io_context& context, std::size_t& calls, std::string const& words, bool is_short)
            : stream(context), left(calls), text(words), omits_meta(is_short)
        {}

        void next()
        {
            if (left == 0)
                return;
            request = beast_message::request(left--, text, omits_meta);
            boost::beast::http::async_write(stream, request,
                                            [this](boost::beast::error_code ec, std::size_t) { on_written(ec); });
        }

        void on_written(boost::beast::error_code ec)
        {
            if (ec)
                throw std::runtime_error("the floor cannot write");
            parser.emplace();
            parser->body_limit(beast_message::body_limit);
            boost::beast::http::async_read(stream, buffer, *parser,
                                           [this](boost::beast::error_code failed, std::size_t) { on_read(failed); });
        }

        void on_read(boost::beast::error_code ec)
        {
            if (ec || beast_message::echoed_length(parser->get().body()) != text.size())
                throw std::runtime_error("the floor received a wrong echo");
            next();
        }

        boost::beast::tcp_stream stream;
        boost::beast::flat_buffer buffer;
        boost::beast::http::request<boost::beast::http::string_body> request;
        std::optional<beast_message::parser> parser;
        std::size_t& left;
        std::string const& text;
        bool omits_meta;
    };

    void connect(boost::beast::tcp_stream& stream) const
    {
        stream.connect({boost::asio::ip::address_v4::loopback(), port_});
        stream.socket().set_option(boost::asio::ip::tcp::no_delay(true));
    }

    std::uint16_t port_;
    std::uint64_t id_ = 0;
    bool omits_meta_ = false;
    boost::asio::io_context context_{1};
    boost::beast::tcp_stream stream_{context_};
    boost::beast::flat_buffer buffer_;
};

} // namespace bench

#endif
