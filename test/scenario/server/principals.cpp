// Limits of a server that each authenticated client has for itself.

#include <linkspan/model/elicitation.hpp>
#include <linkspan/session/tasks.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(principals_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// An endpoint for which the header Authorization is the principal.
struct principals_world : endpoint_world {
    std::vector<server_request> held; // requests of the tool "hold"
    std::vector<typed_responder<elicitation>> asked;
    std::optional<session> ada, eve;

    principals_world()
    {
        serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
            http_admission admission;
            admission.principal = request.header("Authorization");
            done(admission);
        };
    }

    server& make_tools()
    {
        auto& own = make_endpoint(protocol_version::v2026_07_28);
        tool hold = any_tool("hold");
        hold.tasks = task_support::optional;
        own.add(hold, [this](server_request request) {
            if (!request.become_task())
                return request.complete(tool_output::text("no task"));
            held.push_back(std::move(request));
        });
        own.add(any_tool("ask"), [](server_request request) -> asio::awaitable<void> {
            elicit_request question;
            question.message = "Who?";
            auto const answer = co_await request.async_ask<elicitation>(question, in_tuple);
            request.complete(tool_output::text(std::get<0>(answer) ? "failed" : "asked"));
        });
        return own;
    }

    session& dial_as(std::optional<session>& which, std::string principal)
    {
        auto own = config;
        own.headers["Authorization"] = std::move(principal);
        auto& out = which.emplace(executor, via<streamable_http>(own));
        out.set_handler<elicitation>(
            [this](elicit_request const&, typed_responder<elicitation> reply) { asked.push_back(std::move(reply)); });
        return out;
    }

    // Opens a session for each of the two principals.
    asio::awaitable<void> open_both()
    {
        make_tools();
        co_await dial_as(ada, "ada").async_open();
        co_await dial_as(eve, "eve").async_open();
    }

    // Ends the requests whose completions a case records, before the records are destroyed.
    asio::awaitable<void> close_both()
    {
        ada.reset();
        eve.reset();
        co_await settle(executor);
    }

    void clean_up()
    {
        asked.clear();
        held.clear();
        ada.reset();
        eve.reset();
        endpoint_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(principals_world, sessions_of_a_principal_are_limited)
{
    serving.session_limits.max_per_principal = 1;
    make_endpoint();
    auto const body = std::string(initialize);
    auto const first = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(first, "HTTP/1.1 200"), first);
    auto const second = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(second, "HTTP/1.1 429"), second);
    auto const other = co_await exchange(post("\r\nAuthorization: eve"), body);
    BOOST_TEST(contains(other, "HTTP/1.1 200"), other);
    for (int i = 0; i != 2; ++i) {
        auto const anonymous = co_await exchange(post(), body);
        BOOST_TEST(contains(anonymous, "HTTP/1.1 200"), anonymous);
    }
    auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: ada\r\n"
                                         "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " +
                                             header(first, "Mcp-Session-Id"),
                                         "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    auto const third = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(third, "HTTP/1.1 200"), third);
}

LINKSPAN_CASE_IN(principals_world, idle_session_gives_its_place_back)
{
    serving.session_limits.max_per_principal = 1;
    serving.session_limits.idle_timeout = 10min;
    make_endpoint();
    auto const body = std::string(initialize);
    co_await exchange(post("\r\nAuthorization: ada"), body);
    co_await pass(executor, 12min);
    auto const second = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(second, "HTTP/1.1 200"), second);
}

LINKSPAN_CASE_IN(principals_world, subscriptions_of_a_principal_are_limited)
{
    options.max_subscriptions_per_principal = 1;
    co_await open_both();
    boost::json::object const wanted{{"notifications", boost::json::object()}};
    completion_box first, second, other;
    ada->async_request("subscriptions/listen", wanted, first.handler());
    co_await settle(executor);
    ada->async_request("subscriptions/listen", wanted, second.handler());
    eve->async_request("subscriptions/listen", wanted, other.handler());
    co_await settle(executor);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(other.count == 0u);
    BOOST_TEST(second.ec.value() == -32603);
    ada.reset();
    co_await settle(executor);
    BOOST_TEST(served->counters().subscriptions == 1u);
    co_await dial_as(ada, "ada").async_open();
    completion_box third;
    ada->async_request("subscriptions/listen", wanted, third.handler());
    co_await settle(executor);
    BOOST_TEST(third.count == 0u);
    co_await close_both();
}

LINKSPAN_CASE_IN(principals_world, requests_of_a_principal_that_wait_for_input_are_limited)
{
    options.max_suspended_per_principal = 1;
    co_await open_both();
    completion_box first, second, other;
    ada->async_call_tool("ask", first.handler());
    co_await settle(executor);
    ada->async_call_tool("ask", second.handler());
    eve->async_call_tool("ask", other.handler());
    co_await settle(executor);
    BOOST_TEST(asked.size() == 2u); // of ada and of eve
    BOOST_TEST(second.ec.value() == -32603);
    BOOST_TEST(first.count + other.count == 0u);
    asked.at(0)(elicit_result{elicit_action::accept, {}});
    co_await settle(executor);
    BOOST_TEST(first.result.text() == "asked");
    completion_box third;
    ada->async_call_tool("ask", third.handler());
    co_await settle(executor);
    BOOST_TEST(asked.size() == 3u);
    co_await close_both();
}

LINKSPAN_CASE_IN(principals_world, tasks_of_a_principal_are_limited)
{
    options.max_tasks_per_principal = 1;
    co_await open_both();
    tool const hold = any_tool("hold");
    auto const first = co_await async_start_task(*ada, hold);
    BOOST_TEST(first.task.has_value());
    auto const second = co_await async_start_task(*ada, hold);
    BOOST_TEST(second.result.text() == "no task");
    auto const other = co_await async_start_task(*eve, hold);
    BOOST_TEST(other.task.has_value());
}

LINKSPAN_CASE_IN(principals_world, subscribed_resources_of_the_sessions_of_a_principal_are_limited)
{
    options.max_subscribed_resources_per_principal = 2;
    auto& own = make_endpoint(protocol_version::v2025_11_25);
    own.add(resource{.uri = "note://a", .name = "a"}, [] { return std::string("text"); });
    std::optional<session> second;
    co_await dial_as(ada, "ada").async_open();
    co_await dial_as(second, "ada").async_open();
    co_await dial_as(eve, "eve").async_open();
    auto const request = [](session& by, std::string method, std::string uri) -> asio::awaitable<int> {
        boost::json::object const params{{"uri", uri}};
        auto const [ec, result] = co_await by.async_request("resources/" + method, params, in_tuple);
        co_return ec.value();
    };
    std::string const subscribe = "subscribe", unsubscribe = "unsubscribe", a = "note://a", b = "note://b";
    BOOST_TEST(co_await request(*ada, subscribe, a) == 0);
    BOOST_TEST(co_await request(*second, subscribe, a) == 0);
    BOOST_TEST(co_await request(*second, subscribe, b) == -32603);
    BOOST_TEST(co_await request(*second, subscribe, a) == 0); // again
    BOOST_TEST(co_await request(*eve, subscribe, b) == 0);
    BOOST_TEST(co_await request(*ada, unsubscribe, b) == 0); // not subscribed
    BOOST_TEST(co_await request(*second, subscribe, b) == -32603);
    BOOST_TEST(co_await request(*ada, unsubscribe, a) == 0);
    BOOST_TEST(co_await request(*second, subscribe, b) == 0);
    BOOST_TEST(own.counters().refused == 2u);
    second.reset();
    co_await close_both();
}

LINKSPAN_CASE_IN(principals_world, subscribed_resources_of_the_streams_of_a_principal_are_limited)
{
    options.max_subscribed_resources_per_principal = 2;
    co_await open_both();
    served->add(resource{.uri = "note://a", .name = "a"}, [] { return std::string("text"); });
    auto const wanted = [](boost::json::array uris) {
        return boost::json::object{{"notifications", {{"resourceSubscriptions", std::move(uris)}}}};
    };
    auto const of_one = wanted({"note://a"}), of_two = wanted({"note://a", "note://b"});
    completion_box first, refused, other;
    ada->async_request("subscriptions/listen", of_one, first.handler());
    co_await settle(executor);
    ada->async_request("subscriptions/listen", of_two, refused.handler());
    eve->async_request("subscriptions/listen", of_two, other.handler());
    co_await settle(executor);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(refused.ec.value() == -32603);
    BOOST_TEST(other.count == 0u);
    BOOST_TEST(served->counters().subscriptions == 2u);
    co_await close_both();
}

BOOST_AUTO_TEST_SUITE_END()
