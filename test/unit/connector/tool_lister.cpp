#include <linkspan/connector/detail/tool_lister.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

#include "support/connector_parts.hpp"

// Lists of connected servers are covered by scenario.connector.refresh, freshness and list_changed.

BOOST_AUTO_TEST_SUITE(tool_lister_test)

using namespace linkspan;

namespace {

struct fixture : test::connector_parts {
    std::size_t tools() const { return core->catalog_now()->tools().size(); }

    server_pointer a = add("a");
};

} // namespace

BOOST_FIXTURE_TEST_CASE(refresh_of_a_server_that_is_not_ready_completes_later_without_a_request, fixture)
{
    int completions = 0;
    core->lister().refresh(a, [&] { ++completions; });
    BOOST_TEST(completions == 0);
    run();
    BOOST_TEST(completions == 1);
    BOOST_TEST(!a->tools.is_listing());
}

BOOST_FIXTURE_TEST_CASE(refresh_of_a_server_without_tools_completes_later_without_a_request, fixture)
{
    make_ready(*a); // the session has no description of the server
    int completions = 0;
    core->lister().refresh(a, [&] { ++completions; });
    BOOST_TEST(completions == 0);
    run();
    BOOST_TEST(completions == 1);
    BOOST_TEST(!a->tools.is_listing());
}

BOOST_FIXTURE_TEST_CASE(list_without_a_connection_fails, fixture)
{
    make_ready(*a);
    error_code code;
    int completions = 0;
    core->lister().list_first(a, [&](error_code ec, std::string const&) {
        ++completions;
        code = ec;
    });
    BOOST_TEST(a->tools.is_listing());
    BOOST_TEST(completions == 0);
    run();
    BOOST_TEST(completions == 1);
    BOOST_TEST(code.failed());
    BOOST_TEST(!a->tools.is_listing());
    BOOST_TEST((a->tools.last_error() == code));
    BOOST_TEST(core->state().servers[0].last_error == code.message());
}

BOOST_FIXTURE_TEST_CASE(handler_of_an_earlier_epoch_is_not_invoked, fixture)
{
    make_ready(*a);
    int completions = 0;
    core->lister().list_first(a, [&](error_code, std::string const&) { ++completions; });
    a->life.on_starting();
    run();
    BOOST_TEST(completions == 0);
    BOOST_TEST(!a->tools.is_listing());
}

BOOST_FIXTURE_TEST_CASE(list_changed_notification_of_a_server_that_is_not_ready_is_ignored, fixture)
{
    core->lister().on_list_changed(a);
    run();
    BOOST_TEST(!a->tools.is_listing());
}

BOOST_FIXTURE_TEST_CASE(list_of_the_session_is_stored_and_published, fixture)
{
    make_ready(*a);
    core->lister().on_listed_by_session(*a, list_of("read"));
    run();
    BOOST_TEST(tools() == 1u);
    auto const state = core->state();
    BOOST_TEST(state.servers[0].tools == 1u);
    BOOST_TEST(state.last_refresh.has_value());
}

BOOST_FIXTURE_TEST_CASE(list_of_the_session_is_ignored_unless_the_server_is_ready, fixture)
{
    core->lister().on_listed_by_session(*a, list_of("read"));
    run();
    BOOST_TEST(tools() == 0u);
    BOOST_TEST(!a->tools.is_known());
}

BOOST_FIXTURE_TEST_CASE(list_of_the_session_is_ignored_while_a_list_request_is_outstanding, fixture)
{
    make_ready(*a);
    core->lister().list_first(a, [](error_code, std::string const&) {});
    core->lister().on_listed_by_session(*a, list_of("read"));
    run();
    BOOST_TEST(tools() == 0u);
}

BOOST_FIXTURE_TEST_CASE(events_of_a_list_are_reported, fixture)
{
    make_ready(*a);
    core->lister().on_listed_by_session(*a, list_of("read"));
    run();
    policies->is_observing = true;
    policies->take_log();
    auto list = list_of("read");
    list.tools[0].input_schema = R"({"type":"object"})";
    core->lister().on_listed_by_session(*a, std::move(list));
    run();
    auto const log = policies->take_log();
    BOOST_TEST(log.find("catalog_changed") != std::string::npos, log);
}

BOOST_AUTO_TEST_SUITE_END()
