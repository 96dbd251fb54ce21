// Clients that break the rules: each has an error response, and another client is served meanwhile.

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"
#include "support/line_client.hpp"

BOOST_AUTO_TEST_SUITE(hostile_clients_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

constexpr auto initialize_2025_03_26 =
    R"({"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}})";

// A server with the tools "hold", whose requests stay open, and "echo", with a hostile client and another one.
struct hostile_world : endpoint_world {
    std::vector<server_request> held;
    std::shared_ptr<line_client> hostile, other;

    asio::awaitable<void> connect_both()
    {
        auto& own = make();
        own.add(any_tool("hold"), [this](server_request request) { held.push_back(std::move(request)); });
        own.add(any_tool("echo"), [](server_request request) { request.complete(tool_output::text("served")); });
        hostile = line_client::open(executor, inproc_to(own));
        other = line_client::open(executor, inproc_to(own));
        co_await settle(executor);
        co_await hostile->ask_in_session("initialize", initialize_2025_03_26);
    }

    // Returns the text of a call of the other client.
    asio::awaitable<std::string> call_of_other()
    {
        auto const response = co_await other->ask("tools/call", R"("name":"echo")");
        co_return std::string(contains(response, R"("text":"served")") ? "served" : response);
    }

    std::ptrdiff_t count(std::string_view part) const
    {
        return std::ranges::count_if(hostile->messages, [&](auto const& each) { return contains(each, part); });
    }

    void clean_up()
    {
        held.clear();
        for (auto const& each : {hostile, other})
            if (each)
                each->close();
        hostile.reset();
        other.reset();
        endpoint_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(hostile_world, arrays_in_a_batch_are_refused)
{
    co_await connect_both();
    auto const before = hostile->messages.size();
    hostile->send(R"([[[{"jsonrpc":"2.0","id":7,"method":"ping"}]],{"jsonrpc":"2.0","id":8,"method":"ping"}])");
    co_await settle(executor);
    BOOST_TEST(hostile->messages.size() == before + 2);
    BOOST_TEST(count(R"("code":-32600)") == 1);
    BOOST_TEST(contains(hostile->response("8"), "result"));
    BOOST_TEST(hostile->response("7") == "");
    BOOST_TEST(co_await call_of_other() == "served");
}

LINKSPAN_CASE_IN(hostile_world, the_id_of_an_outstanding_request_is_refused)
{
    co_await connect_both();
    constexpr auto call = R"({"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"hold"}})";
    hostile->send(call);
    hostile->send(call);
    co_await settle(executor);
    BOOST_TEST(held.size() == 1u);
    BOOST_TEST(contains(hostile->response(R"("same")"), R"("code":-32600)"));
    held[0].complete(tool_output::text("first")); // the first request is not affected
    co_await settle(executor);
    BOOST_TEST(count(R"("text":"first")") == 1);
}

LINKSPAN_CASE_IN(hostile_world, many_open_requests_cost_only_their_client)
{
    options.max_requests = 10;
    co_await connect_both();
    for (int i = 0; i != 1'000; ++i)
        hostile->send(R"({"jsonrpc":"2.0","id":"r)" + std::to_string(i) +
                      R"(","method":"tools/call","params":{"name":"hold"}})");
    co_await settle(executor);
    BOOST_TEST(held.size() == 10u);
    BOOST_TEST(count(R"("code":-32603)") == 990);
    BOOST_TEST(served->counters().refused == 990u);
    BOOST_TEST(co_await call_of_other() == "served");
}

LINKSPAN_CASE_IN(hostile_world, large_batches_over_http_are_refused)
{
    make_endpoint(protocol_version::v2025_03_26);
    auto const begun = co_await exchange(post(), R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)" +
                                                     std::string(initialize_2025_03_26) + "}");
    auto const session = "\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id");
    std::string batch = "[";
    for (int i = 0; i != 1'001; ++i)
        batch += std::string(i == 0 ? "" : ",") + R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    auto const refused = co_await exchange(post(session), batch + "]", "too many messages");
    BOOST_TEST(contains(refused, "HTTP/1.1 400"), refused);
    BOOST_TEST(contains(refused, R"("code":-32600)"), refused);
}

LINKSPAN_CASE_IN(hostile_world, many_sessions_cost_only_their_principal)
{
    serving.session_limits.max_per_principal = 3;
    serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
        http_admission admission;
        admission.principal = request.header("Authorization");
        done(admission);
    };
    make_endpoint();
    int refused = 0;
    for (int i = 0; i != 20; ++i) {
        auto const begun = co_await exchange(post("\r\nAuthorization: eve"), std::string(initialize));
        refused += contains(begun, "HTTP/1.1 429") ? 1 : 0;
    }
    BOOST_TEST(refused == 17);
    BOOST_TEST(endpoint->sessions() == 3u);
    auto const other_one = co_await exchange(post("\r\nAuthorization: ada"), std::string(initialize));
    BOOST_TEST(contains(other_one, "HTTP/1.1 200"), other_one);
}

BOOST_AUTO_TEST_SUITE_END()
