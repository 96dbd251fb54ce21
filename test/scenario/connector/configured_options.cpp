// Tests that the options of a configuration apply to the calls of a connector that is created from it.

#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/make_connector.hpp>

#include <string>
#include <utility>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(configured_options_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Adds servers to a connector, with a scripted server instead of each child process, in virtual time.
struct started_in_process {
    hub_type& hub;
    scripted_server& server;

    template<class T>
        requires std::same_as<T, stdio>
    void add(std::string key, stdio_config const&, server_options options)
    {
        hub.add<inproc>(std::move(key), server, std::move(options));
    }
};

struct configured_world : world {
    scripted_server server;
    hub_type hub{executor};

    configured_world()
    {
        server.on(call("wait")).then(hang());
        server.on(call("work")).then(delay(59s), progress(1, 2), hang());
    }

    void make_from(std::string const& document)
    {
        started_in_process started{hub, server};
        auto const config = connector_config::from_json(document);
        BOOST_TEST(!config.has_errors());
        BOOST_TEST(add_servers(started, config).empty());
    }

    // Calls a tool that sends no response, and returns the time until the call has failed.
    asio::awaitable<duration> time_of(std::string name, std::string tool)
    {
        auto const began = time.now();
        auto const [ec, result] = co_await hub.on_server(name).async_call(tool, {}, in_tuple);
        BOOST_TEST(ec == make_error_code(error::outcome_unknown));
        BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
        BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::attempt_timed_out));
        co_return time.now() - began;
    }
};

} // namespace

LINKSPAN_CASE_IN(configured_world, call_completes_after_configured_timeout)
{
    make_from(R"({"mcpServers": {"a": {"command": "x"}, "b": {"command": "x", "timeout": 7}}, "default_timeout": 60})");
    co_await hub.async_open();
    auto const of_all = co_await time_of("a", "wait");
    BOOST_TEST((of_all == 60s));
    auto const its_own = co_await time_of("b", "wait");
    BOOST_TEST((its_own == 7s));
    auto const with_progress = co_await time_of("a", "work");
    BOOST_TEST((with_progress == 59s + 60s)); // progress restarts the idle timeout
}

LINKSPAN_CASE_IN(configured_world, call_completes_after_thirty_seconds_without_configured_timeout)
{
    make_from(R"({"mcpServers": {"a": {"command": "x"}}})");
    co_await hub.async_open();
    auto const span = co_await time_of("a", "wait");
    BOOST_TEST((span == 30s));
}

LINKSPAN_CASE_IN(configured_world, argument_validation_is_configured_per_server_or_for_all_servers)
{
    server.tool("pay", R"({"type":"object","required":["sum"]})",
                [](std::string_view) { return std::string(R"("content":[])"); });
    make_from(R"({"mcpServers": {"a": {"command": "x"}, "b": {"command": "x", "validate_arguments": false}},
                  "validate_arguments": true})");
    co_await hub.async_open();
    linkspan::arguments const none;
    auto const [of_all, refused] = co_await hub.on_server("a").async_call("pay", none, in_tuple);
    BOOST_TEST((of_all == error::invalid_arguments));
    auto const [its_own, result] = co_await hub.on_server("b").async_call("pay", none, in_tuple);
    BOOST_TEST(!its_own);
}

BOOST_AUTO_TEST_SUITE_END()
