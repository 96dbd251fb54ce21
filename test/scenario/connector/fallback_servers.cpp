// Tests of `async_call_with_fallback` for servers that are started for one call, one after another.

#include <linkspan/config/fallback_servers.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/connector_case.hpp"
#include "support/refused_connection.hpp"

BOOST_AUTO_TEST_SUITE(fallback_servers_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Scripted servers by command. The start of a command without an entry fails.
std::map<std::string, scripted_server*> programs;

// Connector that uses the scripted server of a command instead of a child process, in virtual time.
struct scripted_hub : hub_type {
    using hub_type::hub_type;

    template<class T>
        requires std::same_as<T, stdio>
    void add(std::string key, stdio_config const& config, server_options options)
    {
        auto const found = programs.find(config.command);
        auto connection = found == programs.end() ? refused_connection() : inproc_config(*found->second);
        hub_type::add<inproc>(std::move(key), std::move(connection), std::move(options));
    }
};

server_config program(std::string name)
{
    server_config config;
    config.name = name;
    config.command = std::move(name);
    return config;
}

struct fallback_world : world {
    scripted_server a, b, c;
    server_config const first = program("a");
    std::vector<server_config> const others{program("b"), program("c")};

    fallback_world()
    {
        programs = {{"a", &a}, {"b", &b}, {"c", &c}};
        for (auto* const server : {&a, &b, &c})
            server->dialogue().protocol_versions = {protocol_version::v2025_11_25};
    }

    void clean_up() { programs.clear(); }

    auto call_of(server_config primary, std::vector<server_config> fallbacks)
    {
        arguments const none;
        return async_call_with_fallback<scripted_hub>(executor, std::move(primary), std::move(fallbacks), "pay", none,
                                                      in_tuple);
    }
};

} // namespace

LINKSPAN_CASE_IN(fallback_world, only_primary_is_started_if_it_responds)
{
    a.on(call("pay")).then(text("from a"));
    auto const [ec, result] = co_await call_of(first, others);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(result.text() == "from a");
    BOOST_TEST(a.connections() == 1u);
    BOOST_TEST(b.connections() == 0u);
    BOOST_TEST(c.connections() == 0u);
}

LINKSPAN_CASE_IN(fallback_world, fallback_servers_are_started_one_after_another)
{
    programs.erase("a");
    b.on(call("pay")).then(delay(3s), rpc_error(-32600, "no"));
    c.on(call("pay")).then(text("from c"));
    bool is_over = false;
    arguments const none;
    async_call_with_fallback<scripted_hub>(executor, first, others, "pay", none,
                                           [&](error_code ec, call_result const& result) {
                                               is_over = true;
                                               BOOST_TEST(!ec, ec.message());
                                               BOOST_TEST(result.text() == "from c");
                                               BOOST_TEST(trail_of(result) == "a not_sent, b refused, c completed");
                                           });
    co_await pass(executor, 1s);
    BOOST_TEST(b.connections() == 1u);
    BOOST_TEST(c.connections() == 0u); // server c is not started before the call on server b has failed
    co_await pass(executor, 3s);
    BOOST_TEST(is_over);
}

LINKSPAN_CASE_IN(fallback_world, primary_with_replicas_is_one_server)
{
    b.on(call("pay")).then(text("from b"));
    auto primary = first;
    primary.command = "refused";
    primary.replicas = 2; // would have the names "a" and "a_2"
    auto second = program("b");
    second.name = "a_2";
    std::vector<server_config> const fallbacks(1, second);
    auto const [ec, result] = co_await call_of(primary, fallbacks);
    BOOST_TEST(!ec.failed(), ec.message());
    BOOST_TEST(result.text() == "from b");
    BOOST_TEST(result.server() == "a_2");
}

LINKSPAN_CASE_IN(fallback_world, server_that_cannot_be_added_is_recorded_as_attempt)
{
    b.on(call("pay")).then(text("from b"));
    auto faulty = first;
    faulty.expansion = expand::interpolate;
    faulty.args = {"${NO_SUCH_VARIABLE_OF_LINKSPAN}"};
    auto const [ec, result] = co_await call_of(faulty, others);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(trail_of(result) == "a not_sent, b completed");
    BOOST_TEST(contains(result.attempts()[0].detail, "NO_SUCH_VARIABLE_OF_LINKSPAN"), result.attempts()[0].detail);
    std::vector<server_config> const nothing_else;
    auto const [none, failed] = co_await call_of(faulty, nothing_else);
    BOOST_TEST(none == make_error_code(error::nothing_configured));
    BOOST_TEST(failed.attempts().size() == 1u);
}

LINKSPAN_CASE_IN(fallback_world, call_that_may_have_been_executed_starts_no_other_server)
{
    a.on(call("pay")).then(drop_connection());
    b.on(call("pay")).then(text("from b"));
    auto const [ec, result] = co_await call_of(first, others);
    BOOST_TEST(ec == make_error_code(error::outcome_unknown));
    BOOST_TEST(b.connections() == 0u);
}

LINKSPAN_CASE_IN(fallback_world, cancellation_completes_call_and_closes_started_servers)
{
    a.on(call("pay")).then(hang());
    asio::cancellation_signal stop;
    error_code ended;
    arguments const none;
    async_call_with_fallback<scripted_hub>(
        executor, first, others, "pay", none,
        asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, call_result const&) { ended = ec; }));
    co_await pass(executor, 1s);
    stop.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(ended == error_code(asio::error::operation_aborted));
    BOOST_TEST(a.received("notifications/cancelled") == 1u);
    BOOST_TEST(b.connections() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
