#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/intercepted_call.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "support/scripted_policies.hpp"

// Calls that reach a server are covered by scenario.connector.context.

BOOST_AUTO_TEST_SUITE(intercepted_call_test)

using namespace linkspan;
using detail::call_runner;
using detail::connector_core;
namespace asio = boost::asio;

namespace {

call_result result_of(std::string_view text) { return {detail::shared_text(text), {}}; }

// A connector without servers.
struct fixture {
    void start(call_runner::pointer call)
    {
        call->request().end_arguments();
        auto handler = [this](error_code ec, call_result result) {
            ++completions;
            code = ec;
            received = std::move(result);
        };
        detail::start_intercepted(
            std::move(call), {asio::bind_cancellation_slot(signal.slot(), std::move(handler)), context.get_executor()});
        BOOST_TEST(completions == 0);
    }

    call_runner::pointer prepare(std::string_view target = {})
    {
        auto call = call_runner::prepare(core, target, "read");
        call->request().arguments_text() += R"({"a":1})";
        return call;
    }

    void run(error_code ec)
    {
        context.run();
        context.restart();
        BOOST_TEST(completions == 1);
        BOOST_TEST(code == ec, code.message());
        BOOST_TEST(core->calls().in_flight() == 0u);
    }

    asio::io_context context;
    std::shared_ptr<connector_core> core =
        std::make_shared<connector_core>(context.get_executor(), std::make_unique<test::scripted_policies>());
    asio::cancellation_signal signal;
    int completions = 0;
    error_code code;
    call_result received;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(interceptor_receives_the_request_and_may_return_a_result, fixture)
{
    tool_request seen;
    core->add_interceptor([&](tool_request request, next_call) -> asio::awaitable<call_result> {
        seen = request;
        co_return result_of(R"({"content":[]})");
    });
    auto call = prepare("a");
    auto* const object = call.get();
    call_options options;
    options.affinity = "x";
    call->request().set_options(std::move(options));
    start(std::move(call));
    BOOST_TEST(&core->calls().acquire() == object); // the call itself is not started
    core->calls().release(*object);
    run({});
    BOOST_TEST(seen.server == "a");
    BOOST_TEST(seen.tool == "read");
    BOOST_TEST(seen.arguments == R"({"a":1})");
    BOOST_TEST(seen.options.affinity == "x");
}

BOOST_FIXTURE_TEST_CASE(interceptors_run_in_the_order_of_their_addition_around_one_call_each, fixture)
{
    std::string order;
    for (auto const* const name : {"a", "b"})
        core->add_interceptor([&order, name](tool_request request, next_call next) -> asio::awaitable<call_result> {
            order += name;
            request.tool += name;
            co_return co_await next(std::move(request));
        });
    start(prepare());
    run(error::tool_not_found); // the started call skips the interceptors
    BOOST_TEST(order == "ab");
    BOOST_TEST(received.tool() == "readab");
}

BOOST_FIXTURE_TEST_CASE(call_keeps_its_restrictions, fixture)
{
    core->add_interceptor([](tool_request request, next_call next) -> asio::awaitable<call_result> {
        request.server = "b"; // has no effect
        co_return co_await next(std::move(request));
    });
    start(prepare("a"));
    run(error::unknown_server);
    completions = 0;
    auto call = prepare();
    call->request().restrict_to_exposed_names();
    start(std::move(call));
    run(error::invalid_tool_name);
}

BOOST_FIXTURE_TEST_CASE(call_fails_if_an_interceptor_changes_arguments_to_text_that_is_not_an_object, fixture)
{
    core->add_interceptor([](tool_request request, next_call next) -> asio::awaitable<call_result> {
        request.arguments = "[]";
        co_return co_await next(std::move(request));
    });
    start(prepare());
    run(error::invalid_arguments);
    BOOST_TEST(received.detail() != "");
}

BOOST_FIXTURE_TEST_CASE(exception_of_an_interceptor_completes_the_call, fixture)
{
    core->add_interceptor([](tool_request, next_call) -> asio::awaitable<call_result> {
        throw std::runtime_error("no credentials");
        co_return call_result();
    });
    start(prepare());
    run(error::interceptor_failed);
    BOOST_TEST(received.detail() == "no credentials");
}

BOOST_FIXTURE_TEST_CASE(signal_after_the_completion_has_no_effect, fixture)
{
    core->add_interceptor([](tool_request, next_call) -> asio::awaitable<call_result> { co_return result_of("{}"); });
    start(prepare());
    run({});
    signal.emit(asio::cancellation_type::terminal);
    run({});
}

BOOST_AUTO_TEST_SUITE_END()
