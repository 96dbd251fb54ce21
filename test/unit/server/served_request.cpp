// Failing allocations at the timeouts of `served_request`, with a server and its client.

#include <linkspan/server/detail/served_request.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/any_tool.hpp"
#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(served_request_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// A server with the tool "ask", whose request to the client has no response.
struct asking_server : quiet_server {
    bool is_task;
    std::size_t completions = 0, timeouts = 0;             // of the request to the client
    std::shared_ptr<int> in_use = std::make_shared<int>(); // the handler of the request to the client has a copy
    std::shared_ptr<server_request> held;

    explicit asking_server(bool becomes_task) : quiet_server(options()), is_task(becomes_task)
    {
        auto ask = any_tool("ask");
        ask.tasks = task_support::optional;
        core->add(ask,
                  [this](server_request request) {
                      held = std::make_shared<server_request>(std::move(request));
                      if (is_task)
                          held->become_task();
                      elicit_request form;
                      form.message = "A question that is not short";
                      held->async_ask<elicitation>(form, [this, use = in_use](error_code ec, elicit_result const&) {
                          ++completions;
                          timeouts += ec == asio::error::timed_out ? 1 : 0;
                      });
                  },
                  {});
        connect({}, is_task ? protocol_version::v2026_07_28 : protocol_version::v2025_11_25);
        if (!is_task)
            wire->receive(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                          R"("capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})");
    }

    ~asking_server()
    {
        held.reset();
        run();
    }

    // Returns the response to a request.
    std::string receive(std::string const& method, std::string const& params)
    {
        std::string text = R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params;
        if (is_task)
            text += R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                    R"("io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},)"
                    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{},)"
                    R"("extensions":{"io.modelcontextprotocol/tasks":{}}}})";
        wire->receive(text + "}}");
        run();
        return wire->last(R"("id":1,)");
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(request_to_the_client_times_out_after_each_failed_allocation)
{
    for (bool const is_task : {false, true})
        BOOST_TEST_CONTEXT("task " << is_task)
            fail_each_allocation([&](step_failure& fail_in) {
                asking_server own(is_task);
                auto const response = own.receive("tools/call", R"("name":"ask","arguments":{})");
                own.pass(59s);
                BOOST_TEST(own.completions == 0u);
                fail_in([&] { own.pass(1s); });
                own.pass(10s);
                BOOST_TEST(own.timeouts == 1u);
                BOOST_TEST(own.completions == 1u);
                BOOST_TEST(own.in_use.use_count() == 1);
                if (is_task) {
                    auto const id = json_scan::member(json_scan::member(response, "result"), "taskId");
                    BOOST_TEST_REQUIRE(!id.empty(), response);
                    auto const state = own.receive("tasks/get", R"("taskId":)" + std::string(id));
                    BOOST_TEST(state.find("A question") == state.npos, state);
                    BOOST_TEST(state.find(R"("status":"working")") != state.npos, state);
                }
            });
}

// The destructor of the handle must not throw.
BOOST_AUTO_TEST_CASE(request_without_a_handle_has_a_response_or_its_connection_is_closed_after_each_failed_allocation)
{
    for (auto const how : {failing::one_or_handler, failing::all_later})
        for (bool const is_task : {false, true})
            BOOST_TEST_CONTEXT("task " << is_task)
                fail_each_allocation(
                    [&](step_failure& fail_in) {
                        asking_server own(is_task);
                        auto const response = own.receive("tools/call", R"("name":"ask","arguments":{})");
                        BOOST_TEST(fail_in([&] { own.held.reset(); }));
                        own.run();
                        BOOST_TEST(own.in_use.use_count() == 1);
                        if (is_task) {
                            auto const id = json_scan::member(json_scan::member(response, "result"), "taskId");
                            auto const state = own.receive("tasks/get", R"("taskId":)" + std::string(id));
                            bool const is_final = state.find(R"("status":"failed")") != state.npos ||
                                                  state.find(R"("status":"cancelled")") != state.npos;
                            BOOST_TEST(is_final, state);
                        } else {
                            BOOST_TEST((own.wire->count(R"("code":-32603)") == 1u || own.wire->is_closed));
                        }
                    },
                    how);
}

BOOST_AUTO_TEST_SUITE_END()
