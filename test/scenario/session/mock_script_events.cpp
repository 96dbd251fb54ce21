// Events of connections, of HTTP requests and of signals, as triggers of rules.

#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <chrono>
#include <memory>
#include <string>

#include "support/script_problems.hpp"
#include "support/script_world.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_events_test)

using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Appends the name of an event to the variable `log`.
action logs(std::string name)
{
    return [name = std::move(name)](exchange& on, std::function<void()> const& next) {
        auto& log = on.values().vars["log"];
        log = (log.is_string() ? std::string(log.get_string()) + " " : "") + name;
        next();
    };
}

struct event_world : script_world {
    std::string log() const
    {
        auto const* const found = values().vars.if_contains("log");
        return found ? std::string(found->get_string()) : "";
    }
    script_values const& values() const { return const_cast<scripted_server&>(server).values(); }
};

} // namespace

LINKSPAN_CASE_IN(event_world, end_of_the_input_precedes_the_end_of_the_connection)
{
    server.on(input_closed()).then(logs("closed"), delay(2s), logs("2 s later"));
    server.on(connection_closed()).then(logs("disconnected"));
    co_await make().async_open();
    client.reset();
    co_await pass(executor, 1s);
    BOOST_TEST(log() == "closed");
    BOOST_TEST(server.verify(closed_by_client()));
    co_await pass(executor, 2s);
    BOOST_TEST(log() == "closed 2 s later disconnected");
}

LINKSPAN_CASE_IN(event_world, actions_without_a_wait_precede_the_end_of_the_connection_at_once)
{
    server.on(input_closed()).once(logs("first")).then(logs("second"));
    server.on(connection_closed()).then(logs("disconnected"));
    for (int i = 0; i != 3; ++i) {
        co_await make().async_open();
        client.reset();
        co_await settle(executor);
    }
    BOOST_TEST(log() == "first disconnected second disconnected second disconnected");
}

LINKSPAN_CASE_IN(event_world, connection_that_is_lost_or_that_the_server_ends_has_no_end_of_the_input)
{
    server.on(input_closed()).then(logs("closed"));
    server.on(connection_closed()).then(logs("disconnected"));
    co_await make().async_open();
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(log() == "disconnected");
    server.cut_responses_after(10);
    co_await make().async_open(in_tuple);
    BOOST_TEST(log() == "disconnected disconnected");
}

LINKSPAN_CASE_IN(event_world, server_ends_a_connection_during_the_actions_at_the_end_of_the_input)
{
    server.on(input_closed()).once(delay(1h), logs("late")).then(drop_connection());
    server.on(connection_closed()).then(logs("disconnected"));
    co_await make().async_open();
    client.reset();
    co_await pass(executor, 1s);
    BOOST_TEST(log() == "");
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(log() == "disconnected");
    co_await make().async_open();
    client.reset();
    co_await settle(executor);
    BOOST_TEST(log() == "disconnected disconnected");
    co_await pass(executor, 2h);
    BOOST_TEST(log() == "disconnected disconnected");
}

BOOST_AUTO_TEST_CASE(action_that_waits_forever_at_the_end_of_the_input_ends_with_the_context)
{
    auto const used = std::make_shared<int>();
    {
        world here;
        auto& server = here.add_server("weather");
        server.on(input_closed()).then([used](exchange&, std::function<void()> const& next) { next(); }, gate("never"));
        linkspan::session client(here.executor, linkspan::via<linkspan::inproc>(server));
        here.await(client.async_open(asio::use_awaitable));
        here.await(client.async_shutdown(asio::use_awaitable));
        here.run_until_idle();
        BOOST_TEST(used.use_count() > 1);
    }
    BOOST_TEST(used.use_count() == 1);
}

LINKSPAN_CASE_IN(script_world, script_counts_clients_that_close_their_input)
{
    co_await open(script_with(R"("vars":{"n":0},"rules":[
        {"on":{"stdin-eof":true},"set":{"$n":{"add":1}},"do":[{"delay":"1s"},{"set":{"$n":{"add":10}}}]},
        {"on":{"disconnect":true},"set":{"$n":{"add":100}},"do":[]},
        {"on":{"call":"t"},"do":[{"text":"${vars.n}"}]}])"));
    client.reset();
    co_await settle(executor);
    co_await make().async_open();
    BOOST_TEST(co_await reply("t") == "1");
    co_await pass(executor, 2s);
    BOOST_TEST(co_await reply("t") == "111");
}

BOOST_AUTO_TEST_SUITE_END()
