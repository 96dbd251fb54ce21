#include <linkspan/observe/metrics.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include "support/observers.hpp"

BOOST_AUTO_TEST_SUITE(metrics_test)

using namespace linkspan;
using namespace std::chrono_literals;
using linkspan::test::attempt_of;

BOOST_AUTO_TEST_CASE(duration_is_counted_in_the_first_bucket_that_includes_it)
{
    duration_histogram times;
    for (duration const span : {duration(5ms), duration(10ms), duration(11ms), duration(300s), duration(301s)})
        times.record(span);
    BOOST_TEST(times.count == 5u);
    BOOST_TEST(times.sum == 601.026, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(times.buckets[0] == 2u);
    BOOST_TEST(times.buckets[1] == 1u);
    BOOST_TEST(times.buckets[13] == 1u);
    BOOST_TEST(times.buckets[14] == 1u);
}

BOOST_AUTO_TEST_CASE(attempts_are_counted_by_server_tool_and_error)
{
    metrics counted;
    counted.on_attempt(attempt_of("a").view());
    counted.on_attempt(attempt_of("a").view());
    counted.on_attempt(attempt_of("a", error::attempt_timed_out, certainty::unknown).view());
    counted.on_attempt(attempt_of("a", error_code(-32603, rpc_category()), certainty::unknown).view());
    counted.on_attempt(attempt_of("b", error::stream_ended, certainty::unknown).view());
    counted.on_attempt(attempt_of("b", error::invalid_arguments, certainty::not_sent).view());
    counted.on_attempt(attempt_of("b", error::unexpected_result).view());
    auto const now = counted.snapshot();
    BOOST_TEST(now.attempts.size() == 6u);
    BOOST_TEST((now.attempts.at({"b", "read", "invalid_arguments", certainty::not_sent}).count == 1u));
    BOOST_TEST((now.attempts.at({"b", "read", "unexpected_result"}).count == 1u));
    BOOST_TEST((now.attempts.at({"a", "read", ""}).count == 2u));
    BOOST_TEST((now.attempts.at({"a", "read", "timeout", certainty::unknown}).count == 1u));
    BOOST_TEST((now.attempts.at({"a", "read", "-32603", certainty::unknown}).count == 1u));
    BOOST_TEST((now.attempts.at({"b", "read", "unknown", certainty::unknown}).count == 1u));
}

BOOST_AUTO_TEST_CASE(attempts_of_reads_have_one_series_per_server)
{
    metrics counted;
    for (std::string_view const uri : {"note:1", "note:2"}) {
        attempt_of read("a");
        read.call.method = "resources/read";
        read.call.tool = uri;
        counted.on_attempt(read.view());
    }
    attempt_of prompt("a");
    prompt.call.method = "prompts/get";
    prompt.call.tool = "review";
    counted.on_attempt(prompt.view());
    auto const json = counted.snapshot().to_json();
    auto const& points = json.at("mcp.client.operation.duration").as_array();
    BOOST_TEST_REQUIRE(points.size() == 2u);
    BOOST_TEST(points[0].at("mcp.method.name") == "resources/read");
    BOOST_TEST(points[0].at("count") == 2);
    BOOST_TEST(points[1].at("mcp.method.name") == "prompts/get");
    BOOST_TEST(points[1].at("gen_ai.prompt.name") == "review");
    for (auto const& point : points)
        BOOST_TEST(!point.as_object().contains("gen_ai.tool.name"));
}

BOOST_AUTO_TEST_CASE(retry_on_another_server_counts_as_failover)
{
    metrics counted;
    counted.on_attempt(attempt_of("a").view(1));
    counted.on_attempt(attempt_of("a").view(2, 1));
    counted.on_attempt(attempt_of("b").view(3, 0));
    auto const now = counted.snapshot();
    BOOST_TEST(now.retries.at("a") == 1u);
    BOOST_TEST(now.retries.at("b") == 1u);
    BOOST_TEST(now.failovers.count("a") == 0u);
    BOOST_TEST(now.failovers.at("b") == 1u);
}

BOOST_AUTO_TEST_CASE(failed_tool_is_counted_as_tool_error)
{
    metrics counted;
    auto const failed = attempt_of("a");
    auto view = failed.view();
    view.tool_failed = true;
    counted.on_attempt(view);
    BOOST_TEST((counted.snapshot().attempts.at({"a", "read", "tool_error"}).count == 1u));
}

BOOST_AUTO_TEST_CASE(session_duration_is_from_ready_to_the_next_state)
{
    metrics counted;
    server_view a, b;
    a.key = "a";
    b.key = "b";
    auto const at = [](duration since) { return time_point(since); };
    counted.on_state({a, "opening", {}, {}, at(1s)});
    counted.on_state({a, "ready", {}, {}, at(2s)});
    counted.on_state({b, "ready", {}, {}, at(2s)});
    counted.on_state({a, "ready", error::list_too_long, {}, at(3s)});
    BOOST_TEST(counted.snapshot().sessions.empty());
    counted.on_state({a, "waiting", error::stream_ended, {}, at(7s)});
    counted.on_state({a, "opening", {}, {}, at(8s)});
    auto const now = counted.snapshot();
    BOOST_TEST(now.sessions.size() == 1u);
    BOOST_TEST(now.sessions.at("a").count == 1u);
    BOOST_TEST(now.sessions.at("a").sum == 5.0);
    BOOST_TEST(now.to_json().at("mcp.client.session.duration").at(0).at("linkspan.server.key") == "a");
}

BOOST_AUTO_TEST_CASE(opened_breaker_is_counted_as_ejection)
{
    metrics counted;
    counted.on_event({"a", "health", "healthy"});
    counted.on_event({"a", "health", "tripped"});
    counted.on_event({"a", "unexpected_output", "tripped"});
    auto const now = counted.snapshot();
    BOOST_TEST(now.breakers.at("a") == "tripped");
    BOOST_TEST(now.ejections.at("a") == 1u);
}

BOOST_AUTO_TEST_CASE(metric_names_follow_the_conventions)
{
    metrics counted;
    metrics const given = counted; // a copy shares the counters
    given.on_attempt(attempt_of("a", error::attempt_timed_out, certainty::unknown).view(2));
    auto const json = counted.snapshot().to_json();
    auto const& point = json.at("mcp.client.operation.duration").at(0);
    BOOST_TEST(point.at("mcp.method.name") == "tools/call");
    BOOST_TEST(point.at("gen_ai.operation.name") == "execute_tool");
    BOOST_TEST(point.at("gen_ai.tool.name") == "read");
    BOOST_TEST(point.at("error.type") == "timeout");
    BOOST_TEST(point.at("linkspan.outcome") == "unknown");
    BOOST_TEST(point.at("linkspan.server.key") == "a");
    BOOST_TEST(point.at("bounds").as_array().size() == 14u);
    BOOST_TEST(point.at("buckets").as_array().size() == 15u);
    BOOST_TEST(json.at("linkspan.retries").at(0).at("value") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
