#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string_view>
#include <utility>

#include "support/scripted_policies.hpp"

// Calls of servers are covered by unit.connector.call_exploration and by the scenarios in scenario.connector, the
// parts of a call by call_operation, call_routing, call_request and intercepted_call.

BOOST_AUTO_TEST_SUITE(call_runner_test)

using namespace linkspan;
using detail::call_runner;
using detail::connector_core;
namespace asio = boost::asio;

namespace {

// A connector without servers.
struct fixture {
    fixture() { core->epoch().on_opening(); }

    call_runner::pointer prepare(std::string_view target = {})
    {
        auto call = call_runner::prepare(core, target, "read");
        call->request().arguments_text() += "{}";
        return call;
    }

    void start(call_runner::pointer call)
    {
        auto handler = [this](error_code ec, call_result result) {
            ++completions;
            code = ec;
            received = std::move(result);
        };
        call_runner::start(std::move(call),
                           {asio::bind_cancellation_slot(signal.slot(), std::move(handler)), executor});
        BOOST_TEST(completions == 0);
    }

    void run(error_code ec)
    {
        context.run();
        BOOST_TEST(completions == 1);
        BOOST_TEST(code == ec, code.message());
        BOOST_TEST(core->calls().in_flight() == 0u);
    }

    asio::io_context context;
    asio::any_io_executor executor = context.get_executor();
    std::shared_ptr<connector_core> core =
        std::make_shared<connector_core>(executor, std::make_unique<test::scripted_policies>());
    asio::cancellation_signal signal;
    int completions = 0;
    error_code code;
    call_result received;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(call_that_is_not_started_returns_to_the_pool, fixture)
{
    call_runner* object = nullptr;
    {
        auto const call = prepare();
        object = call.get();
    }
    BOOST_TEST(prepare().get() == object);
    BOOST_TEST(core->calls().in_flight() == 0u);
}

BOOST_FIXTURE_TEST_CASE(options_of_a_call_are_destroyed_when_its_object_is_free, fixture)
{
    auto call = prepare();
    auto* const object = call.get();
    call_options options;
    auto const check = [&](void*) {
        auto& free = core->calls().acquire();
        BOOST_TEST(&free == object);
        core->calls().release(free);
    };
    options.on_progress = [owned = std::shared_ptr<void>(nullptr, check)](progress_update const&) {};
    call->request().set_options(std::move(options));
    call.reset();
}

BOOST_FIXTURE_TEST_CASE(rejected_call_completes_with_its_error, fixture)
{
    bool is_intercepted = false;
    core->add_interceptor([&](tool_request, next_call) -> asio::awaitable<call_result> {
        is_intercepted = true;
        co_return call_result();
    });
    auto call = prepare();
    call->request().reject(error::invalid_arguments, "no object");
    start(std::move(call));
    run(error::invalid_arguments);
    BOOST_TEST(received.detail() == "no object");
    BOOST_TEST(!is_intercepted);
}

BOOST_FIXTURE_TEST_CASE(call_of_a_closed_connector_is_not_connected, fixture)
{
    core->close();
    start(prepare());
    run(error::not_connected);
}

BOOST_FIXTURE_TEST_CASE(call_of_an_unknown_server_fails, fixture)
{
    start(prepare("a"));
    run(error::unknown_server);
}

BOOST_FIXTURE_TEST_CASE(call_without_servers_finds_no_tool, fixture)
{
    start(prepare());
    run(error::tool_not_found);
}

BOOST_AUTO_TEST_SUITE_END()
