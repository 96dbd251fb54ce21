// A server asks the end user in the middle of a call. One tool is a coroutine that waits for the input; the handler of
// the other one runs again with the input. A client of each era calls both tools.

#include <linkspan.hpp>
#include <linkspan/server.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/serialize.hpp>

#include <iostream>

namespace asio = boost::asio;
using linkspan::elicit_action, linkspan::elicitation, linkspan::server_request, linkspan::tool_output;

linkspan::tool const order{.name = "order", .input_schema = R"({"type":"object"})"};
linkspan::tool const reserve{.name = "reserve", .input_schema = R"({"type":"object"})"};

//[ ask
linkspan::elicit_request ask_for_size()
{
    linkspan::elicit_request out;
    out.message = "Which size?";
    out.requested_schema = R"({"type":"object","properties":{"size":{"type":"string"}},"required":["size"]})";
    return out;
}

asio::awaitable<void> handle_order(server_request request)
{
    auto form = ask_for_size();
    auto const [ec, input] = co_await request.async_ask<elicitation>(form, asio::as_tuple(asio::deferred));
    if (ec)
        co_return request.fail(ec);
    request.complete(input.action == elicit_action::accept ? tool_output::text("ordered " + serialize(input.content))
                                                           : tool_output::failure("the user chose no size"));
}
//]
//[ again
void handle_reserve(server_request request)
{
    auto const form = ask_for_size();
    auto const input = request.input<elicitation>("size", form);
    if (!input) // the first run, or the input does not match the schema of the form
        return request.require_input({request.to_input<elicitation>("size", form)}, " for 40 EUR");
    request.complete(tool_output::text("reserved " + serialize(input->content) + std::string(request.state())));
}
//]

asio::awaitable<bool> call(linkspan::server& shop, std::optional<linkspan::era> known)
{
    linkspan::session_options options;
    options.remembered = known; // with `handshake`, the session does not probe for the era `stateless`
    linkspan::session client(shop.get_executor(), linkspan::via<linkspan::inproc>(inproc_to(shop)), options);
    client.set_handler<elicitation>([](auto const&, auto reply) { reply({elicit_action::accept, {{"size", "XL"}}}); });
    co_await client.async_open();
    auto const ordered = co_await client.async_call_tool("order"),
               reserved = co_await client.async_call_tool("reserve");
    std::cout << to_string(*client.protocol_version()) << ": " << ordered.text() << ", " << reserved.text() << '\n';
    co_return ordered.text() == R"(ordered {"size":"XL"})" && reserved.text() == R"(reserved {"size":"XL"} for 40 EUR)";
}

int main()
try {
    asio::io_context context(1);
    linkspan::server shop(context.get_executor(), {.name = "shop", .version = "1.0"});
    shop.add(order, handle_order).add(reserve, handle_reserve);
    bool const first = linkspan::run(context, call(shop, linkspan::era::handshake));
    return linkspan::run(context, call(shop, std::nullopt)) && first ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
