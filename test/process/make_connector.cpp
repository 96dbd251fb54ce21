#include <linkspan/make_connector.hpp>

#include <optional>
#include <string>

#include "harness.hpp"

using namespace harness;
using linkspan::server_state;

BOOST_AUTO_TEST_SUITE(make_connector_test)

// S4-20
HARNESS_CASE(without_a_configuration_it_has_the_default_servers)
{
    linkspan::make_options options;
    options.open = false;
    auto const [ec, made] = co_await linkspan::async_make_connector(executor, std::nullopt, options, in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(made.report.servers.empty());
    BOOST_TEST_REQUIRE(made.hub);
    std::string names;
    for (auto const& server : made.hub->state().servers) {
        names += server.server + ' ';
        BOOST_TEST((server.state == server_state::idle));
    }
    BOOST_TEST(names == "github brave filesystem ");
    BOOST_TEST(!observe::has_children());
}

// S4-20
HARNESS_CASE(a_connector_that_is_made_closed_opens_with_its_first_call)
{
    auto config = linkspan::connector_config::from_json(R"({"mcpServers":{"calc":{"command":")" +
                                                        mock("mock-calculator").command + R"("}}})");
    linkspan::make_options options;
    options.open = false;
    auto const made = co_await linkspan::async_make_connector(executor, std::move(config), options);
    BOOST_TEST(made.problems.empty());
    BOOST_TEST((made.hub->state().servers[0].state == server_state::idle));
    linkspan::arguments const sum(linkspan::raw_json(R"({"a":2,"b":3})"));
    auto const result = co_await made.hub->async_call("add", sum);
    BOOST_TEST(result.text() == "5");
    co_await shuts_down(*made.hub);
}

BOOST_AUTO_TEST_SUITE_END()
