#ifndef LINKSPAN_EXAMPLE_MOCK_MODEL_HPP
#define LINKSPAN_EXAMPLE_MOCK_MODEL_HPP

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beast = boost::beast;
namespace http = beast::http;

// Endpoint of a model on loopback. The first response requests two tools; the response to their results ends the turn.
class mock_model {
public:
    explicit mock_model(boost::asio::any_io_executor executor) : acceptor_(executor, {loopback(), 0})
    {
        boost::asio::co_spawn(executor, serve(), boost::asio::detached);
    }

    boost::asio::ip::tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

    // Returns whether the last request contains a text.
    bool received(std::string_view text) const { return !last_.empty() && last_.find(text) != last_.npos; }

private:
    static boost::asio::ip::address loopback() { return boost::asio::ip::address_v4::loopback(); }

    boost::asio::awaitable<void> serve()
    {
        for (;;) {
            beast::tcp_stream stream(co_await acceptor_.async_accept(boost::asio::use_awaitable));
            beast::flat_buffer buffer;
            http::request<http::string_body> request;
            co_await http::async_read(stream, buffer, request, boost::asio::use_awaitable);
            last_ = std::move(request.body());
            http::response<http::string_body> response(http::status::ok, request.version());
            response.set(http::field::content_type, "application/json");
            response.body() = received("tool_result") ? R"({"role":"assistant","content":[
                {"type":"text","text":"5, and a cat."}],"stop_reason":"end_turn"})"
                                                      : R"({"role":"assistant","content":[
                {"type":"text","text":"Let me look."},
                {"type":"tool_use","id":"t1","name":"add","input":{"a":2,"b":3}},
                {"type":"tool_use","id":"t2","name":"look","input":{}}],"stop_reason":"tool_use"})";
            response.prepare_payload();
            co_await http::async_write(stream, response, boost::asio::use_awaitable);
        }
    }

    boost::asio::ip::tcp::acceptor acceptor_;
    std::string last_;
};

#endif
