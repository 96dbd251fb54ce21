// Timeouts of single requests to the client (`ask_options::timeout`).

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/server/detail/served_request.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "support/contains.hpp"
#include "support/failing_allocations.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(ask_timeout_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

elicit_request question()
{
    elicit_request out;
    out.message = "Who?";
    return out;
}

// A server with the tool "ask", which makes a request for each timeout at once, and stores when each completes.
struct asking_world : server_world {
    struct completed {
        std::size_t number; // of the timeout
        error_code ec;
        duration after; // the call
    };
    std::vector<std::optional<duration>> timeouts;
    std::vector<completed> seen;
    bool is_task = false; // the tool continues as a task
    std::shared_ptr<line_client> raw;
    std::weak_ptr<linkspan::detail::served_request> operation; // of the last call

    asio::awaitable<void> open(protocol_version version)
    {
        options.input_timeout = 1min;
        auto definition = any_tool("ask");
        definition.tasks = task_support::optional;
        make(version).add(definition, [this](server_request request) {
            auto const held = std::make_shared<server_request>(std::move(request));
            operation = linkspan::detail::pointer_of(*held);
            if (is_task)
                BOOST_TEST(held->become_task());
            auto const started = time.now();
            for (std::size_t i = 0; i != timeouts.size(); ++i) {
                ask_options with;
                with.timeout = timeouts[i];
                held->async_ask<elicitation>(question(), with, [=, this](error_code ec, elicit_result const&) {
                    seen.push_back({i, ec, time.now() - started});
                    if (seen.size() == timeouts.size())
                        held->complete(tool_output::text("asked"));
                });
            }
        });
        raw = line_client::open(executor, inproc_to(*served));
        co_await settle(executor);
        if (version == protocol_version::v2025_11_25)
            co_await raw->ask_in_session("initialize",
                                         R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                                         R"("clientInfo":{"name":"c","version":"1"}})");
        raw->messages.clear();
        seen.clear();
    }

    asio::awaitable<std::string> call(protocol_version version)
    {
        if (version == protocol_version::v2025_11_25)
            co_return co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
        co_return co_await raw->ask("tools/call", R"("name":"ask")",
                                    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})");
    }

    // Returns the numbers of the timeouts that have passed, and the seconds after which.
    std::string passed() const
    {
        std::string out;
        for (auto const& [number, ec, after] : seen) {
            BOOST_TEST((ec == asio::error::timed_out));
            (out += out.empty() ? "" : " ") +=
                std::to_string(number) + ":" +
                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(after).count());
        }
        return out;
    }

    std::size_t count(std::string_view method) const
    {
        std::size_t out = 0;
        for (auto const& each : raw->messages)
            out += json_scan::string(json_scan::member(each, "method")) == method ? 1 : 0;
        return out;
    }

    void clean_up()
    {
        if (raw)
            raw->close();
        raw.reset();
        served.reset();
    }
};

} // namespace

LINKSPAN_CASE_IN(asking_world, request_with_a_timeout_is_cancelled_after_it_and_another_after_the_input_timeout)
{
    timeouts = {std::nullopt, 10s, 90s};
    auto const version = protocol_version::v2025_11_25;
    co_await open(version);
    co_await call(version);
    BOOST_TEST(count("elicitation/create") == 3u);
    co_await pass(executor, 10s);
    co_await settle(executor);
    BOOST_TEST(passed() == "1:10");
    BOOST_TEST(count("notifications/cancelled") == 1u);
    co_await pass(executor, 50s);
    co_await settle(executor);
    BOOST_TEST(passed() == "1:10 0:60");
    co_await pass(executor, 29s);
    BOOST_TEST(passed() == "1:10 0:60");
    co_await pass(executor, 1s);
    co_await settle(executor);
    BOOST_TEST(passed() == "1:10 0:60 2:90");
    BOOST_TEST(count("notifications/cancelled") == 3u);
    BOOST_TEST(contains(raw->response("2"), "asked"));
}

LINKSPAN_CASE_IN(asking_world, stateless_request_with_a_timeout_completes_before_its_client_returns)
{
    timeouts = {10s};
    auto const version = protocol_version::v2026_07_28;
    co_await open(version);
    auto const required = co_await call(version);
    auto const state = json_scan::member(json_scan::member(required, "result"), "requestState");
    BOOST_TEST_REQUIRE(!state.empty(), required);
    co_await pass(executor, 10s);
    co_await settle(executor);
    BOOST_TEST(passed() == "0:10");
    auto const again = R"("name":"ask","requestState":)" + std::string(state) +
                       R"(,"inputResponses":{"input-1":{"action":"decline"}})";
    auto const response = co_await raw->ask("tools/call", again, R"({"elicitation":{}})");
    BOOST_TEST(contains(response, "asked"), response); // the outcome was stored
    BOOST_TEST(seen.size() == 1u);
}

LINKSPAN_CASE_IN(asking_world, timeout_of_a_stateless_request_ends_with_the_input_timeout)
{
    timeouts = {90s, 10s, std::nullopt};
    auto const version = protocol_version::v2026_07_28;
    co_await open(version);
    co_await call(version);
    co_await pass(executor, 1min);
    co_await settle(executor);
    BOOST_TEST(passed() == "1:10 0:60 2:60");
    BOOST_TEST(served->counters().suspended == 0u);
}

LINKSPAN_CASE_IN(asking_world, request_of_a_task_with_a_timeout_leaves_the_task_after_it)
{
    is_task = true;
    timeouts = {10s, std::nullopt};
    auto const version = protocol_version::v2026_07_28;
    co_await open(version);
    auto const created = co_await call(version);
    auto const id = json_scan::member(json_scan::member(created, "result"), "taskId");
    auto const params = R"("taskId":)" + std::string(id);
    std::string const capabilities = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
    auto const before = co_await raw->ask("tasks/get", params, capabilities);
    BOOST_TEST(contains(before, "input-1"), before);
    BOOST_TEST(contains(before, "input-2"), before);
    co_await pass(executor, 10s);
    co_await settle(executor);
    BOOST_TEST(passed() == "0:10");
    auto const after = co_await raw->ask("tasks/get", params, capabilities);
    BOOST_TEST(!contains(after, "input-1"), after);
    BOOST_TEST(contains(after, "input-2"), after);
    co_await pass(executor, 50s);
    co_await settle(executor);
    BOOST_TEST(passed() == "0:10 1:60");
}

LINKSPAN_CASE_IN(asking_world, response_within_the_timeout_is_the_only_completion)
{
    timeouts = {10s};
    auto const version = protocol_version::v2025_11_25;
    co_await open(version);
    co_await call(version);
    BOOST_TEST_REQUIRE(raw->messages.size() == 1u);
    auto const id = json_scan::member(raw->messages[0], "id");
    raw->send(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{"action":"decline"}})");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(seen.size() == 1u);
    BOOST_TEST(!seen[0].ec);
    co_await pass(executor, 1min);
    BOOST_TEST(seen.size() == 1u);
    BOOST_TEST(count("notifications/cancelled") == 0u);
}

LINKSPAN_CASE_IN(asking_world, request_of_a_session_has_the_timeout_of_its_options)
{
    auto const version = protocol_version::v2025_11_25;
    co_await open(version);
    std::optional<client_session> kept;
    served->add(any_tool("keep"), [&kept](server_request request) {
        kept.emplace(request.session());
        request.complete(tool_output::text("kept"));
    });
    co_await raw->ask_in_session("tools/call", R"({"name":"keep"})");
    BOOST_TEST_REQUIRE(kept.has_value());
    for (auto const timeout : {std::optional<duration>(10s), std::optional<duration>(90s), std::optional<duration>()}) {
        ask_options with;
        with.timeout = timeout;
        auto asked = question();
        auto const started = time.now();
        auto const [ec, result] = co_await kept->async_ask<elicitation>(asked, with, in_tuple);
        BOOST_TEST((ec == asio::error::timed_out));
        BOOST_TEST(result.content.empty());
        BOOST_TEST((time.now() - started == timeout.value_or(1min)));
    }
}

LINKSPAN_CASE_IN(asking_world, failed_allocation_at_the_input_timeout_loses_no_request)
{
    timeouts = {std::nullopt, 90s, std::nullopt};
    auto const version = protocol_version::v2025_11_25;
    std::size_t number = 0;
    for (bool has_failed = true; has_failed; ++number) {
        co_await open(version);
        co_await call(version);
        auto const request = operation.lock();
        BOOST_TEST_REQUIRE(request);
        {
            failing_allocation const failing(number);
            try {
                request->expire();
            } catch (std::bad_alloc const&) {
            }
            has_failed = failing.has_failed();
        }
        request->expire();
        co_await settle(executor);
        BOOST_TEST(passed() == "0:0 2:0");
        co_await pass(executor, 90s);
        co_await settle(executor);
        BOOST_TEST(passed() == "0:0 2:0 1:90");
    }
    BOOST_TEST(number > 1u);
}

LINKSPAN_CASE_IN(asking_world, timeout_of_a_stateless_task_may_be_longer_than_the_input_timeout)
{
    is_task = true;
    timeouts = {90s, std::nullopt};
    auto const version = protocol_version::v2026_07_28;
    co_await open(version);
    co_await call(version);
    co_await pass(executor, 89s);
    co_await settle(executor);
    BOOST_TEST(passed() == "1:60");
    co_await pass(executor, 1s);
    co_await settle(executor);
    BOOST_TEST(passed() == "1:60 0:90");
}

BOOST_AUTO_TEST_SUITE_END()
