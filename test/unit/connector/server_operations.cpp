#include <linkspan/connector/detail/server_operations.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include "support/connector_parts.hpp"

// Operations on connected servers are covered by scenario.connector.lifecycle, connector_opening, pins and
// connector_cancellation.

BOOST_AUTO_TEST_SUITE(server_operations_test)

using namespace linkspan;
namespace asio = boost::asio;

namespace {

struct fixture : test::connector_parts {
    // Returns a handler, and counts its invocations.
    detail::server_operations::report_handler on_report()
    {
        auto handler = [this](error_code ec, server_report got) {
            ++completions;
            code = ec;
            report = std::move(got);
        };
        return {asio::bind_cancellation_slot(signal.slot(), std::move(handler)), context.get_executor()};
    }

    detail::server_operations::done_handler on_done()
    {
        auto handler = [this](error_code ec) {
            ++completions;
            code = ec;
        };
        return {asio::bind_cancellation_slot(signal.slot(), std::move(handler)), context.get_executor()};
    }

    // Runs the operation that was started, which must complete later.
    void expect(error_code ec)
    {
        BOOST_TEST(completions == 0);
        run();
        BOOST_TEST(std::exchange(completions, 0) == 1);
        BOOST_TEST(code == ec, code.message());
    }

    detail::server_operations& operations = core->operations();
    asio::cancellation_signal signal;
    int completions = 0;
    error_code code;
    server_report report;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(added_server_is_known_to_the_connector_and_to_the_policies, fixture)
{
    server_options options;
    options.priority = 3;
    auto const a = add("a", options);
    BOOST_REQUIRE(a);
    BOOST_TEST(policies->take_log() == "added a");
    auto const status = core->state().servers[0];
    BOOST_TEST(status.server == "a");
    BOOST_TEST(status.transport == "none");
    BOOST_TEST(status.priority == 3);
    BOOST_TEST((status.state == server_state::idle));
    BOOST_TEST(!a->checks);
}

BOOST_FIXTURE_TEST_CASE(validation_applies_to_servers_that_are_added_later, fixture)
{
    auto const a = add("a");
    operations.set_call_validation(true, false);
    auto const b = add("b");
    server_options unchecked;
    unchecked.validate_arguments = false;
    auto const c = add("c", unchecked);
    BOOST_TEST(!a->checks);
    BOOST_TEST(b->checks);
    BOOST_TEST(!c->checks);
}

BOOST_FIXTURE_TEST_CASE(sessions_of_present_and_later_servers_are_prepared, fixture)
{
    add("a");
    std::string prepared;
    operations.prepare_servers("name", [&](detail::server_entry& each) { prepared += each.key; });
    BOOST_TEST(prepared == "a");
    add("b");
    BOOST_TEST(prepared == "ab");
}

BOOST_FIXTURE_TEST_CASE(connection_to_an_unknown_or_disabled_server_is_reported_later, fixture)
{
    operations.connect("a", on_report());
    expect({});
    BOOST_TEST((report.ec == error::unknown_server));
    BOOST_TEST(report.server == "a");
    add("a")->life.on_disabled();
    operations.disable("a", on_done());
    expect({});
    operations.connect("a", on_report());
    expect({});
    BOOST_TEST((report.ec == error::server_disabled));
}

BOOST_FIXTURE_TEST_CASE(failed_connection_is_reported, fixture)
{
    add("a");
    operations.connect("a", on_report());
    expect({});
    BOOST_TEST((report.ec == error::connection_failed));
    BOOST_TEST(report.detail == "no such program");
    BOOST_TEST((report.phase == open_phase::start));
}

BOOST_FIXTURE_TEST_CASE(cancelled_connection_completes_once_and_closes_the_server, fixture)
{
    auto const a = add("a");
    operations.connect("a", on_report());
    signal.emit(asio::cancellation_type::terminal);
    expect(asio::error::operation_aborted);
    BOOST_TEST((report.ec == asio::error::operation_aborted));
    BOOST_TEST(report.server == "a");
    BOOST_TEST((a->life.state() != server_state::opening));
}

BOOST_FIXTURE_TEST_CASE(closed_connector_aborts_a_connection, fixture)
{
    add("a");
    operations.connect("a", on_report());
    core->close();
    expect(asio::error::operation_aborted);
}

BOOST_FIXTURE_TEST_CASE(closing_operations_on_unknown_servers_complete_later, fixture)
{
    operations.disconnect("a", on_done());
    expect({});
    operations.disable("a", on_done());
    expect({});
    operations.remove("a", on_done());
    expect({});
}

BOOST_FIXTURE_TEST_CASE(disabled_server_is_enabled_again, fixture)
{
    auto const a = add("a");
    operations.disable("a", on_done());
    expect({});
    BOOST_TEST((a->life.state() == server_state::disabled));
    BOOST_TEST((core->state().servers[0].state == server_state::disabled));
    operations.disconnect("a", on_done()); // has no effect
    expect({});
    BOOST_TEST((a->life.state() == server_state::disabled));
    operations.enable("a", on_report());
    expect({});
    BOOST_TEST((report.ec == error::connection_failed)); // was started
}

BOOST_FIXTURE_TEST_CASE(removed_server_is_unknown_at_once, fixture)
{
    add("a");
    policies->take_log();
    operations.remove("a", on_done());
    BOOST_TEST(!core->find("a"));
    BOOST_TEST(policies->take_log() == "removed");
    expect({});
    BOOST_TEST(core->state().servers.empty());
}

BOOST_FIXTURE_TEST_CASE(replacement_that_fails_keeps_the_old_server, fixture)
{
    operations.replace("a", "none", unreachable, {}, on_report());
    expect({});
    BOOST_TEST((report.ec == error::unknown_server));
    auto const a = add("a");
    server_options options;
    options.restart.max_restarts = 0;
    options.restart.give_up = true;
    operations.replace("a", "none", unreachable, options, on_report());
    BOOST_TEST(core->find("a") == a);
    expect({});
    BOOST_TEST((report.ec == error::connection_failed));
    BOOST_TEST(core->find("a") == a);
}

BOOST_FIXTURE_TEST_CASE(pins_of_a_server_that_cannot_be_reached_are_not_compared, fixture)
{
    auto const verify = [&](std::string_view key) {
        operations.verify(key, {},
                          {[this](error_code ec, std::vector<pin_difference> differences) {
                               ++completions;
                               code = ec;
                               BOOST_TEST(differences.empty());
                           },
                           context.get_executor()});
    };
    verify("a");
    expect(error::unknown_server);
    add("a");
    verify("a");
    expect(error::connection_failed);
}

BOOST_AUTO_TEST_SUITE_END()
