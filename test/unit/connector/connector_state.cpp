#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/described_state.hpp>

#include <boost/describe/members.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(connector_state_test)

using namespace linkspan;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(connector_state_is_serialized_with_all_known_members)
{
    connector_state state;
    auto& good = state.servers.emplace_back();
    good.server = "good";
    good.transport = "stdio";
    good.state = server_state::ready;
    good.health = health_state::healthy;
    good.priority = 7;
    good.protocol_version = protocol_version::v2025_11_25;
    good.tools = 2;
    good.calls = 9;
    good.latency = 250ms;
    good.last_probe = wall_time(1'767'225'601'500ms);
    good.uptime = 90s;
    good.pid = 4711;
    good.in_flight = 3;
    good.queued = 1;
    good.resident_bytes = 1 << 20;
    good.open_files = 8;
    auto& bad = state.servers.emplace_back();
    bad.server = "bad";
    bad.failures = 3;
    bad.errors = 2;
    bad.last_error = "Down";
    bad.health = health_state::tripped;
    bad.retry_at = wall_time(1'767'225'603s);
    state.total_tools = 2;
    state.last_refresh = wall_time(1'767'225'602s);
    auto const json = to_json(state);
    BOOST_TEST(json.at("total_tools") == 2);
    BOOST_TEST(json.at("last_refresh") == 1767225602.0);
    auto const& first = json.at("servers").at(0);
    BOOST_TEST(first.at("name") == "good");
    BOOST_TEST(first.at("is_connected") == true);
    BOOST_TEST(first.at("last_ping") == 1767225601.5);
    BOOST_TEST(first.at("error_count") == 0);
    BOOST_TEST(first.at("tools_available") == 2);
    BOOST_TEST(first.at("state") == "ready");
    BOOST_TEST(first.at("health") == "healthy");
    BOOST_TEST(first.at("protocol_version") == "2025-11-25");
    BOOST_TEST(first.at("latency") == 0.25);
    BOOST_TEST(first.at("uptime") == 90.0);
    BOOST_TEST(first.at("pid") == 4711);
    BOOST_TEST(first.at("in_flight") == 3);
    BOOST_TEST(first.at("queued") == 1);
    BOOST_TEST(first.at("resident_bytes") == 1 << 20);
    BOOST_TEST(first.at("open_files") == 8);
    auto const& second = json.at("servers").at(1);
    BOOST_TEST(second.at("name") == "bad"); // configuration order
    BOOST_TEST(second.at("is_connected") == false);
    BOOST_TEST(second.at("error_count") == 5);
    BOOST_TEST(second.at("last_ping").is_null());
    BOOST_TEST(second.at("uptime").is_null());
    BOOST_TEST(second.at("pid").is_null());
    BOOST_TEST(second.at("resident_bytes").is_null());
    BOOST_TEST(second.at("open_files").is_null());
    BOOST_TEST(second.at("last_error") == "Down");
    BOOST_TEST(first.at("breaker") == "closed");
    BOOST_TEST(first.at("retry_at").is_null());
    BOOST_TEST(second.at("breaker") == "open");
    BOOST_TEST(second.at("retry_at") == 1767225603.0);
}

BOOST_AUTO_TEST_CASE(state_without_servers_is_serialized_with_null_refresh_time)
{
    BOOST_TEST(boost::json::serialize(to_json(connector_state())) ==
               R"({"servers":[],"total_tools":0,"last_refresh":null})");
}

BOOST_AUTO_TEST_CASE(server_status_is_described_with_22_members)
{
    using members = boost::describe::describe_members<server_status, boost::describe::mod_any_access>;
    BOOST_TEST(boost::mp11::mp_size<members>::value == 22u);
}

BOOST_AUTO_TEST_CASE(every_state_and_phase_has_a_text)
{
    for (int i = 0; i <= static_cast<int>(server_state::closed); ++i)
        BOOST_TEST(to_string(static_cast<server_state>(i)) != "?");
    for (int i = 0; i <= static_cast<int>(open_phase::done); ++i)
        BOOST_TEST(to_string(static_cast<open_phase>(i)) != "?");
    for (int i = 0; i <= static_cast<int>(health_state::tripped); ++i)
        BOOST_TEST(to_string(static_cast<health_state>(i)) != "?");
}

BOOST_AUTO_TEST_SUITE_END()
