// Failing allocations in the steps of `client_task`, with a server and its client.

#include <linkspan/server/detail/client_task.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/any_tool.hpp"
#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(client_task_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::detail::served_request;

namespace {

// A server with the tool "ask", whose request to the client continues as a task of the client.
struct asking_server : quiet_server {
    std::size_t completions = 0;                           // of the request to the client
    std::shared_ptr<int> in_use = std::make_shared<int>(); // the handler of the request to the client has a copy
    std::weak_ptr<served_request> operation;

    asking_server() : quiet_server(options())
    {
        core->add(any_tool("ask"),
                  [this](server_request request) {
                      auto const held = std::make_shared<server_request>(std::move(request));
                      operation = linkspan::detail::pointer_of(*held);
                      elicit_request form;
                      form.message = "A question that is not short";
                      ask_options with;
                      with.task.emplace();
                      with.task->ttl = 1h;
                      with.on_progress = [](progress_update const&) {};
                      held->async_ask<elicitation>(
                          form, with, [this, held, use = in_use](error_code ec, elicit_result const&) {
                              ++completions;
                              ec ? held->fail(ec) : held->complete(tool_output::text("a result that is not short"));
                          });
                  },
                  {});
        connect({}, protocol_version::v2025_11_25);
        wire->receive(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{"elicitation":{},"tasks":{"cancel":{},"requests":{"elicitation":)"
                      R"({"create":{}}}}},"clientInfo":{"name":"c","version":"1"}}})");
        wire->receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }

    // Sends the response of the client to the last request with a method, if the server has sent one.
    void respond(std::string_view method, std::string const& result)
    {
        auto const request = wire->last(R"("method":")" + std::string(method) + '"');
        if (!request.empty())
            wire->receive(R"({"jsonrpc":"2.0","id":)" + std::string(json_scan::member(request, "id")) +
                          R"(,"result":)" + result + "}");
    }

    static std::string state(std::string_view status)
    {
        return R"({"taskId":"the id of a task of the client","status":")" + std::string(status) +
               R"(","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":3600000,)"
               R"("pollInterval":1000})";
    }
};

constexpr auto call = R"({"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"ask","arguments":{}}})";

// Event that ends the wait for the task of the client.
enum class ending {
    result,       // a poll reports the end of the task
    notification, // the client notifies of the end of the task
    timeout,      // a poll has no response within `serving_options::input_timeout`
    cancelled,    // the client cancels the tool call
    disconnected, // the client disconnects
};

} // namespace

// A tool call that is cancelled, or whose client disconnects, may also have no response.
BOOST_AUTO_TEST_CASE(call_has_one_response_after_each_failed_allocation_of_a_task_of_the_client)
{
    for (auto const by :
         {ending::result, ending::notification, ending::timeout, ending::cancelled, ending::disconnected})
        BOOST_TEST_CONTEXT("ending " << static_cast<int>(by))
            fail_each_step(by == ending::disconnected ? 5 : 6, [&](auto const& step) {
                asking_server own;
                // The results are made outside of the steps, so that their allocations do not fail. respond() allocates
                // memory in a step: if this fails, the client does not respond.
                auto const created = R"({"task":)" + asking_server::state("working") + "}";
                auto const working = asking_server::state("working");
                auto const completed = asking_server::state("completed");
                auto const notified =
                    R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" + completed + "}";
                std::string const result = R"({"action":"accept","content":{}})";
                step([&] { own.wire->receive(call); });
                step([&] { own.run(); });
                step([&] { own.respond("elicitation/create", created); });
                step([&] { own.pass(1s); });
                step([&] { own.respond("tasks/get", working); });
                auto const end = [&] {
                    switch (by) {
                    case ending::result:
                        own.pass(1s);
                        own.respond("tasks/get", completed);
                        break;
                    case ending::notification: own.wire->receive(notified); break;
                    case ending::timeout: own.pass(2h); break;
                    case ending::cancelled:
                        own.wire->receive(
                            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}})");
                        break;
                    case ending::disconnected: own.wire->end(); break; // allocates no memory
                    }
                };
                by == ending::disconnected ? end() : step(end);
                own.run();
                if (by != ending::disconnected)
                    own.respond("tasks/result", result);
                own.run();
                bool const is_cancelled = by == ending::cancelled || by == ending::disconnected;
                if (!is_cancelled || !own.operation.expired())
                    own.pass(2h);
                auto const responses = own.wire->count(R"("id":"1")");
                BOOST_TEST((responses == 1u || (is_cancelled && responses == 0u)));
                BOOST_TEST(own.completions <= 1u);
                BOOST_TEST(own.in_use.use_count() == 1);
                BOOST_TEST(own.operation.expired());
                if (own.wire->last(R"("id":"1")").find("a result that is not short") != std::string::npos)
                    BOOST_TEST(own.completions == 1u);
            });
}

BOOST_AUTO_TEST_SUITE_END()
