// Implements an agent: sends the tools of two servers to a model over HTTP, executes the tool calls of the model
// concurrently, and returns the results, one of them an image. The endpoint of the model is part of this program; its
// responses are constants in the format of Anthropic's Messages API.

#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <iostream>

#include "agent.hpp"
#include "mock_model.hpp"
#include "programs.hpp"

namespace asio = boost::asio;
using namespace std::chrono_literals;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio, linkspan::inproc>>;

//[ post_request
asio::awaitable<std::string> post_request(asio::ip::tcp::endpoint endpoint, std::string body)
{
    beast::tcp_stream stream(co_await asio::this_coro::executor);
    stream.expires_after(120s); // for the whole request
    co_await stream.async_connect(endpoint, asio::use_awaitable);
    http::request<http::string_body> request(http::verb::post, "/v1/messages", 11);
    request.set(http::field::host, "localhost");
    request.set(http::field::content_type, "application/json");
    request.body() = std::move(body);
    request.prepare_payload();
    co_await http::async_write(stream, request, asio::use_awaitable);
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    co_await http::async_read(stream, buffer, response, asio::use_awaitable);
    if (response.result() != http::status::ok)
        throw std::runtime_error("request to the model failed: " + response.body());
    co_return std::move(response.body());
}
//]

//[ main
asio::awaitable<std::string> work(hub_type& hub, asio::ip::tcp::endpoint endpoint)
{
    co_await hub.async_open();
    model const over_http = [endpoint](std::string request) { return post_request(endpoint, std::move(request)); };
    linkspan::call_options options;
    options.timeout = 30s; // timeout of each tool call
    auto answer = co_await converse(hub, over_http, "What is 2 + 3, and what does the camera see?", options);
    co_await hub.async_shutdown();
    co_return answer;
}
//]

int main()
try {
    asio::io_context context(1);
    linkspan::test::scripted_server camera;
    camera.on(linkspan::test::call("look"))
        .then(linkspan::test::result(R"("content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}])"));
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("calculator", mock_server("mock-calculator")).add<linkspan::inproc>("camera", camera);
    mock_model mock(context.get_executor());
    auto const answer = linkspan::run(context, work(hub, mock.endpoint()));
    std::cout << answer << '\n';
    return answer == "5, and a cat." && mock.received(R"("text":"5")") && mock.received("iVBORw0KGgo=") ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
