// Failover between servers of different transports in one connector.

#include <linkspan/connector/process_usage.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/json/object.hpp>

#include <string>

#include "support/mock_fault.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(mixed_transports_test)

using namespace harness;
using linkspan::certainty;
using linkspan::inproc;
using linkspan::replay_class;
using linkspan::stdio;
using linkspan::test::scripted_server;

namespace {

using mixed_hub = linkspan::connector<linkspan::transports<inproc, stdio>>;

boost::json::object const sum{{"a", 2}, {"b", 3}};

} // namespace

HARNESS_CASE(call_fails_over_from_in_process_server_to_child_process)
{
    scripted_server near;
    near.tool("add", std::string(linkspan::test::detail::calculator_schema), nullptr);
    near.on(linkspan::test::call("add")).then(linkspan::test::drop_connection());
    mixed_hub hub(executor);
    hub.add<inproc>("near", near, with(2, replay_class::read_only))
        .add<stdio>("child", mock("mock-calculator"), with(1, replay_class::read_only));
    co_await opens(hub);
    BOOST_TEST(hub.state().servers[0].transport == "inproc");
    BOOST_TEST(hub.state().servers[1].transport == "stdio");
    auto const [ec, result] = co_await hub.async_call("add", sum, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "5");
    BOOST_TEST(result.server() == "child");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST(result.attempts()[0].server == "near");
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    BOOST_TEST(near.received("\"tools/call\"") == 1u);
    co_await shuts_down(hub);
}

HARNESS_CASE(call_fails_over_from_child_process_to_in_process_server)
{
    scripted_server near;
    near.tool("echo", R"({"type":"object","properties":{"text":{"type":"string"}}})", nullptr);
    near.on(linkspan::test::call("echo")).then(linkspan::test::text("from near"));
    mixed_hub hub(executor);
    hub.add<stdio>("child", fault("die"), with(2, replay_class::read_only))
        .add<inproc>("near", near, with(1, replay_class::read_only));
    co_await opens(hub);
    co_await echoes(hub, "one");
    co_await echoes(hub, "two");
    BOOST_TEST(near.received("\"tools/call\"") == 0u);
    auto const [ec, result] = co_await hub.async_call("echo", with_text("three"), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "from near");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST(result.attempts()[0].server == "child");
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    BOOST_TEST(near.received("\"tools/call\"") == 1u);
    co_await shuts_down(hub);
}

HARNESS_CASE(memory_and_open_files_of_child_process_are_in_state_on_request)
{
    scripted_server near;
    mixed_hub hub(executor);
    hub.add<inproc>("near", near, with(2)).add<stdio>("child", mock("mock-calculator"), with(1));
    co_await opens(hub);
    auto state = hub.state();
    BOOST_TEST(!state.servers[1].resident_bytes); // nothing is read without a request
    add_process_usage(state);
    BOOST_TEST(!state.servers[0].resident_bytes);
    BOOST_TEST(!state.servers[0].open_files);
    auto const& child = state.servers[1];
    BOOST_TEST_REQUIRE(child.pid.has_value());
    BOOST_TEST_REQUIRE(child.resident_bytes.has_value());
    auto const pid = static_cast<pid_t>(*child.pid);
    auto const kilobytes = std::stoull(observe::status_of(pid, "VmRSS"));
    BOOST_TEST(*child.resident_bytes > kilobytes * 1024 / 2); // the kernel updates the two numbers at different times
    BOOST_TEST(*child.resident_bytes < kilobytes * 1024 * 2);
    BOOST_TEST_REQUIRE(child.open_files.has_value());
    BOOST_TEST(*child.open_files == observe::descriptors_of(std::to_string(pid)).size());
    co_await shuts_down(hub);
    add_process_usage(state); // of a process that was reaped
    BOOST_TEST(!child.resident_bytes);
    BOOST_TEST(!child.open_files);
}

BOOST_AUTO_TEST_SUITE_END()
