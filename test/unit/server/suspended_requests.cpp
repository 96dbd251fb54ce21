// Failing allocations in the events of `suspended_requests`, with a server and its requests.

#include <linkspan/server/detail/suspended_requests.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/any_tool.hpp"
#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(suspended_requests_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::detail::served_request;

namespace {

constexpr std::string_view account = "principal with a name that is not short";

// A server with the tool "ask", whose handler asks the user for a name.
struct asking_server : quiet_server {
    static serving_options options()
    {
        auto out = quiet_server::options();
        out.max_suspended_per_principal = 4;
        return out;
    }

    std::optional<duration> timeout;                // of each request to the client
    std::vector<error_code> results;                // of the requests to the client
    std::shared_ptr<int> in_use;                    // each handler of a request to the client has a copy
    std::vector<std::weak_ptr<served_request>> all; // requests of the client

    asking_server() : quiet_server(options()), in_use(std::make_shared<int>())
    {
        results.reserve(16);
        all.reserve(16);
        core->add(any_tool("ask"),
                  [this](server_request request) {
                      auto const held = std::make_shared<server_request>(std::move(request));
                      elicit_request form;
                      form.message = "A question that is not short";
                      ask_options with;
                      with.timeout = timeout;
                      held->async_ask<elicitation>(
                          form, with, [this, held, use = in_use](error_code ec, elicit_result const&) {
                              results.push_back(ec);
                              ec ? held->fail(ec) : held->complete(tool_output::text("a result that is not short"));
                          });
                  },
                  {});
        connect(std::string(account), protocol_version::v2026_07_28);
    }

    // Returns a request with an id; `more`: further members of the params.
    std::shared_ptr<served_request> request(std::string id, std::string const& more = {})
    {
        auto const params = R"({"name":"ask","arguments":{})" + more + "}";
        auto const from = std::make_shared<client_info const>(client_info{{}, R"({"elicitation":{}})", {}});
        served_request::origin origin{client, 0, std::move(id), {}, {}, from};
        auto out = std::make_shared<served_request>(core, std::move(origin), protocol_version::v2026_07_28,
                                                    "tools/call", params, request_params::read(params));
        all.push_back(out);
        return out;
    }

    // Returns the request that a client sends after the response `input_required` to another one.
    std::shared_ptr<served_request> retry(std::string id, std::string_view state)
    {
        return request(std::move(id), R"(,"requestState":)" + std::string(state) +
                                          R"(,"inputResponses":{"input-1":{"action":"accept","content":{}}})");
    }

    // Returns the state in the response to a request, with quotes; empty: the response has none.
    std::string state_of(std::string_view id) const
    {
        auto const response = wire->last(R"("id":)" + std::string(id) + ",");
        return std::string(json_scan::member(json_scan::member(response, "result"), "requestState"));
    }

    std::size_t responses(std::string_view id) const { return wire->count(R"("id":)" + std::string(id) + ","); }

    // Checks that no request remains, and that a client can use all places again.
    void check_released()
    {
        run();
        BOOST_TEST(core->waiting().size() == 0u);
        BOOST_TEST(in_use.use_count() == 1);
        for (auto const& each : all)
            BOOST_TEST(each.expired());
        BOOST_TEST(core->keep_params(core->options().max_kept_params)); // no byte is counted
        core->release_params(core->options().max_kept_params);
        std::string const ids[] = {"101", "102", "103", "104", "105"};
        for (auto const& id : ids)
            core->dispatch(request(id));
        run();
        BOOST_TEST(core->waiting().size() == 4u);
        BOOST_TEST(state_of("104") != "");
        BOOST_TEST(state_of("105") == "");
        results.clear();
        pass(1min); // a wait for the first deadline is outstanding
        BOOST_TEST(core->waiting().size() == 0u);
        BOOST_TEST(results.size() == 4u);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(request_with_input_has_one_response_after_each_failed_allocation)
{
    fail_each_step(4, [](auto const& step) {
        asking_server own;
        auto first = own.request("1");
        step([&] { own.core->dispatch(std::exchange(first, nullptr)); });
        step([&] { own.run(); });
        BOOST_TEST(own.responses("1") == 1u);
        auto const state = own.state_of("1");
        auto second = state.empty() ? own.request("2") : own.retry("2", state);
        step([&] { own.core->dispatch(std::exchange(second, nullptr)); });
        step([&] { own.run(); });
        own.run();
        BOOST_TEST(own.responses("2") == 1u);
        if (own.core->waiting().size() != 0) { // the client returns once more
            own.core->dispatch(own.retry("3", state.empty() ? own.state_of("2") : state));
            own.run();
            BOOST_TEST(own.responses("3") == 1u);
            BOOST_TEST(own.wire->count("a result that is not short") == 1u);
        }
        own.check_released();
    });
}

BOOST_AUTO_TEST_CASE(all_requests_expire_after_each_failed_allocation)
{
    fail_each_step(1, [](auto const& step) {
        asking_server own;
        for (auto const* const id : {"1", "2", "3"})
            own.core->dispatch(own.request(id));
        own.run();
        own.pass(30s);
        own.core->dispatch(own.request("4"));
        own.run();
        BOOST_TEST_REQUIRE(own.core->waiting().size() == 4u);
        step([&] { own.pass(30s); });
        own.pass(10s);
        BOOST_TEST(own.core->waiting().size() == 1u);
        BOOST_TEST(own.results == std::vector<error_code>(3, asio::error::timed_out), boost::test_tools::per_element());
        own.pass(20s);
        BOOST_TEST(own.core->waiting().size() == 0u);
        BOOST_TEST(own.results == std::vector<error_code>(4, asio::error::timed_out), boost::test_tools::per_element());
        own.check_released();
    });
}

BOOST_AUTO_TEST_CASE(outcome_of_a_suspended_request_is_not_lost_after_each_failed_allocation)
{
    fail_each_step(2, [](auto const& step) {
        asking_server own;
        own.timeout = 10s;
        own.core->dispatch(own.request("1"));
        own.run();
        auto const state = own.state_of("1");
        own.timeout.reset();
        step([&] { own.pass(10s); });
        BOOST_TEST(own.core->waiting().size() == 1u);
        BOOST_TEST(own.results.size() == 1u);
        auto second = own.retry("2", state);
        step([&] { own.core->dispatch(std::exchange(second, nullptr)); });
        BOOST_TEST(own.responses("2") == 1u);
        if (own.core->waiting().size() != 0)
            own.core->dispatch(own.retry("3", state));
        BOOST_TEST(own.wire->count("required input in time") + own.wire->count("Internal error") >= 1u);
        own.check_released();
    });
}

BOOST_AUTO_TEST_CASE(all_requests_of_a_client_are_cancelled_without_memory)
{
    for (bool const clears : {false, true}) {
        asking_server own;
        for (auto const* const id : {"1", "2", "3"})
            own.core->dispatch(own.request(id));
        own.run();
        {
            failing_allocation const failing(0);
            clears ? own.core->waiting().clear() : own.core->waiting().cancel_of(*own.client);
        }
        BOOST_TEST(own.core->waiting().size() == 0u);
        own.run();
        BOOST_TEST(own.results == std::vector<error_code>(3, asio::error::operation_aborted),
                   boost::test_tools::per_element());
        own.check_released();
    }
}

BOOST_AUTO_TEST_SUITE_END()
