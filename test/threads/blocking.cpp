// The connector without an event loop, used from many threads with real child processes. The thread sanitizer checks
// these tests.

#include <linkspan/connector/blocking_connector.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/harness.hpp"

namespace blocking_test {

using hub_type = linkspan::blocking_connector<linkspan::transports<linkspan::stdio>>;
using linkspan::error;

namespace {

boost::json::object sum_of(double a, double b) { return {{"a", a}, {"b", b}}; }

struct blocking_fixture {
    hub_type hub;

    blocking_fixture()
    {
        hub.add<linkspan::stdio>("calculator", harness::mock("mock-calculator"));
        auto const report = hub.open();
        BOOST_TEST(report.failures() == 0u);
    }
};

} // namespace

} // namespace blocking_test

BOOST_FIXTURE_TEST_SUITE(blocking_test, blocking_test::blocking_fixture)

BOOST_AUTO_TEST_CASE(blocking_call_returns_the_result)
{
    BOOST_TEST(hub.call("add", sum_of(2, 3)).text() == "5");
    BOOST_TEST(hub.call_on_server("calculator", "multiply", sum_of(2, 3)).text() == "6");
    BOOST_TEST(hub.invoke("calculator__add", sum_of(1, 1)).text() == "2");
    BOOST_TEST(hub.catalog()->tools().size() >= 2u);
    BOOST_TEST(hub.state().servers.size() == 1u);
}

BOOST_AUTO_TEST_CASE(failure_is_thrown_or_stored_in_error_code)
{
    BOOST_CHECK_EXCEPTION(hub.call("ad"), linkspan::call_error, [](linkspan::call_error const& failed) {
        return failed.code() == error::tool_not_found && harness::contains(failed.what(), "similar names: add");
    });
    linkspan::error_code ec;
    auto const result = hub.call("ad", {}, {}, ec);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
    BOOST_CHECK_THROW(hub.submit("ad").get(), linkspan::call_error);
}

BOOST_AUTO_TEST_CASE(concurrent_calls_from_many_threads_return_their_results)
{
    std::atomic<std::size_t> right = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t != 8; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i != 50; ++i)
                right += hub.call("add", sum_of(1000 * t, i)).text() == std::to_string(1000 * t + i) ? 1u : 0u;
        });
    for (auto& thread : threads)
        thread.join();
    BOOST_TEST(right == 400u);
    BOOST_TEST(hub.state().servers[0].calls == 400u);
}

BOOST_AUTO_TEST_CASE(submitted_call_can_be_awaited_later)
{
    std::vector<std::future<linkspan::call_result>> sums;
    for (int i = 0; i != 200; ++i)
        sums.push_back(hub.submit("add", sum_of(i, 1)));
    for (int i = 0; i != 200; ++i)
        BOOST_TEST(sums[static_cast<std::size_t>(i)].get().text() == std::to_string(i + 1));
}

BOOST_AUTO_TEST_CASE(blocking_call_on_own_thread_fails_with_deadlock_error)
{
    std::promise<std::string> reply_text;
    hub.submit("add", sum_of(1, 2), {}, [&](linkspan::error_code, linkspan::call_result const&) {
        try {
            hub.call("add", sum_of(3, 4));
            reply_text.set_value("it returned");
        } catch (boost::system::system_error const& failed) {
            reply_text.set_value(failed.code() == boost::system::errc::resource_deadlock_would_occur ? "refused" : "?");
        }
    });
    BOOST_TEST(reply_text.get_future().get() == "refused");
}

BOOST_AUTO_TEST_CASE(call_submitted_on_own_thread_is_started)
{
    std::promise<std::string> sum;
    hub.submit("add", sum_of(1, 2), {}, [&](linkspan::error_code, linkspan::call_result const&) {
        hub.submit("add", sum_of(3, 4), {},
                   [&](linkspan::error_code, linkspan::call_result const& result) { sum.set_value(result.text()); });
    });
    BOOST_TEST(sum.get_future().get() == "7");
}

BOOST_AUTO_TEST_CASE(servers_can_be_disconnected_disabled_and_removed)
{
    hub.disconnect("calculator");
    BOOST_TEST(hub.catalog()->tools().empty());
    BOOST_TEST(static_cast<bool>(hub.connect("calculator")));
    hub.disable("calculator");
    BOOST_TEST(static_cast<bool>(hub.enable("calculator")));
    BOOST_TEST(!hub.connect("unknown_server"));
    hub.remove("calculator");
    BOOST_TEST(hub.state().servers.empty());
    BOOST_CHECK_THROW(hub.add<linkspan::stdio>("", {}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(lists_are_refreshed_and_shutdown_reports_each_server)
{
    BOOST_TEST(hub.refresh_tools()->tools("calculator").size() >= 2u);
    auto const report = hub.shutdown(std::chrono::seconds(30));
    BOOST_TEST_REQUIRE(report.servers.size() == 1u);
    BOOST_TEST(report.servers[0].server == "calculator");
    BOOST_TEST(!report.servers[0].ec, report.servers[0].ec.message());
    BOOST_CHECK_THROW(hub.refresh_tools(), boost::system::system_error);
    BOOST_TEST(hub.open().failures() == 0u);
}

BOOST_AUTO_TEST_CASE(run_executes_a_function_on_the_connector_thread)
{
    std::thread::id where;
    hub.run([&](auto&) { where = std::this_thread::get_id(); });
    BOOST_TEST((where != std::this_thread::get_id()));
    BOOST_CHECK_THROW(hub.run([](auto&) { throw std::runtime_error("as it is"); }), std::runtime_error);
    BOOST_TEST(hub.call("add", sum_of(2, 3)).text() == "5");
}

BOOST_AUTO_TEST_CASE(sigpipe_is_blocked_on_the_connector_thread)
{
    bool is_blocked = false;
    hub.run([&](auto&) {
        sigset_t now;
        ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
        is_blocked = ::sigismember(&now, SIGPIPE) == 1;
    });
    BOOST_TEST(is_blocked);
}

BOOST_AUTO_TEST_CASE(request_of_a_server_is_handled_on_the_connector_thread)
{
    using linkspan::test::call;
    linkspan::test::scripted_server server({linkspan::protocol_version::v2025_11_25});
    server.on(call("work")).then(linkspan::test::send_request("roots/list"), linkspan::test::text("done"));
    linkspan::blocking_connector<linkspan::transports<linkspan::inproc>> other;
    std::thread::id where, own;
    std::string server_name;
    bool refused = false;
    other
        .set_handler<linkspan::roots>(
            [&](linkspan::roots_request const& request, linkspan::typed_responder<linkspan::roots> reply) {
                where = std::this_thread::get_id();
                server_name = request.server;
                try {
                    other.call("work");
                } catch (boost::system::system_error const& failed) {
                    refused = failed.code() == boost::system::errc::resource_deadlock_would_occur;
                }
                reply({.roots = {{.uri = "file:///srv", .name = "srv"}}});
            })
        .add<linkspan::inproc>("asker", server);
    BOOST_TEST(other.open().failures() == 0u);
    BOOST_TEST(other.call("work").text() == "done");
    other.run([&](auto&) { own = std::this_thread::get_id(); });
    BOOST_TEST((where == own));
    BOOST_TEST(server_name == "asker");
    BOOST_TEST(refused);
    other.shutdown();
    BOOST_TEST(server.received(R"("roots":[{"uri":"file:///srv")") == 1u);
}

BOOST_AUTO_TEST_CASE(destruction_aborts_submitted_calls)
{
    auto other = std::make_unique<hub_type>();
    other->add<linkspan::stdio>("fault", harness::mock("mock-fault", {"hang"}));
    other->open();
    other->call("echo");
    other->call("echo");
    auto lost = other->submit("echo");
    other.reset();
    BOOST_CHECK_THROW(lost.get(), linkspan::call_error);
}

BOOST_AUTO_TEST_SUITE_END()
