// Failing allocations in the events of `served_tasks`, with a server and its requests.

#include <linkspan/server/detail/served_tasks.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(served_tasks_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::detail::served_request;

namespace {

// A server with the tool "work", whose calls become tasks. A stateless one asks the user for a name.
struct working_server : quiet_server {
    static serving_options options()
    {
        serving_options out;
        out.max_tasks_per_principal = 1;
        out.max_task_ttl = 1h;
        return out;
    }

    protocol_version version;
    std::optional<server_request> held;
    std::size_t results = 0;                        // of the requests to the client
    std::shared_ptr<int> in_use;                    // each handler of a request to the client has a copy
    std::vector<std::weak_ptr<served_request>> all; // requests of the client

    bool is_stateless() const { return version == protocol_version::v2026_07_28; }

    explicit working_server(protocol_version id) : quiet_server(options()), version(id), in_use(std::make_shared<int>())
    {
        all.reserve(16);
        tool work;
        work.name = "work";
        work.input_schema = R"({"type":"object"})";
        work.tasks = task_support::optional;
        core->add(work,
                  [this](server_request request) {
                      held.emplace(std::move(request));
                      if (is_stateless()) {
                          task_options terms;
                          terms.ttl = 1h;
                          held->become_task(terms);
                      }
                      elicit_request form;
                      form.message = "A question that is not short";
                      if (is_stateless())
                          held->async_ask<elicitation>(
                              form, [this, use = in_use](error_code, elicit_result const&) { ++results; });
                  },
                  {});
        connect("principal with a name that is not short", version);
        if (!is_stateless())
            for (auto const* const text :
                 {R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                  R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
                  R"({"jsonrpc":"2.0","method":"notifications/initialized"})"})
                wire->receive(text);
    }

    // Returns a request with an id.
    std::shared_ptr<served_request> request(std::string id, std::string_view method, std::string params)
    {
        constexpr auto capabilities = R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
        auto const from = std::make_shared<client_info const>(client_info{{}, capabilities, {}});
        served_request::origin origin{client, 0, std::move(id), {}, {}, from};
        auto out = std::make_shared<served_request>(core, std::move(origin), version, method, params,
                                                    request_params::read(params));
        all.push_back(out);
        return out;
    }

    std::shared_ptr<served_request> call(std::string id)
    {
        return request(std::move(id), "tools/call",
                       R"({"name":"work","arguments":{})" +
                           std::string(is_stateless() ? "}" : R"(,"task":{"ttl":3600000}})"));
    }

    std::string response(std::string_view id) const { return wire->last(R"("id":)" + std::string(id) + ","); }
    std::size_t responses(std::string_view id) const { return wire->count(R"("id":)" + std::string(id) + ","); }

    // Returns the id of the task in the response to a call; empty: the response has none.
    std::string task_of(std::string_view id) const
    {
        auto const text = response(id);
        auto const members = json_scan::member(text, "result");
        auto const found = is_stateless() ? members : json_scan::member(members, "task");
        return json_scan::string(json_scan::member(found, "taskId")).value_or("");
    }

    // Executes a function of a handler, which the server ends if the function throws.
    template<class Function>
    void handle(Function const& function)
    {
        try {
            if (held)
                function(*held);
        } catch (std::bad_alloc const&) {
        }
        held.reset();
    }

    // Checks that no request remains, and that the client can create a task after the time to live of the others.
    void check_released()
    {
        held.reset();
        run();
        BOOST_TEST(!core->tasks().has_running());
        BOOST_TEST(in_use.use_count() == 1);
        for (auto const& each : all)
            BOOST_TEST(each.expired());
        BOOST_TEST(core->keep_params(core->options().max_kept_params)); // no byte is counted
        core->release_params(core->options().max_kept_params);
        pass(2h);
        BOOST_TEST(core->tasks().count() == 0u);
        core->dispatch(call("9"));
        BOOST_TEST(task_of("9") != "");
        BOOST_TEST(core->tasks().count() == 1u);
        handle([](server_request& request) { request.complete(tool_output::text("")); });
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(call_and_its_result_have_one_response_each_after_each_failed_allocation)
{
    for (bool const is_cancelled : {false, true})
        fail_each_step(4, [&](auto const& step) {
            working_server own(protocol_version::v2025_11_25);
            auto call = own.call("1");
            step([&] { own.core->dispatch(std::exchange(call, nullptr)); });
            BOOST_TEST(own.responses("1") == 1u);
            auto const id = own.task_of("1");
            BOOST_TEST(own.core->tasks().count() == (id.empty() ? 0u : 1u));
            auto const params = R"({"taskId":")" + id + "\"}";
            auto wait = own.request("2", "tasks/result", params);
            auto other = own.request("3", "tasks/result", params);
            auto cancel = own.request("4", "tasks/cancel", params);
            auto last = own.request("6", "tasks/result", params);
            step([&] { own.core->dispatch(wait); });
            own.core->dispatch(other);
            step([&] {
                if (is_cancelled)
                    own.core->dispatch(cancel);
                else
                    own.handle([](server_request& request) {
                        request.complete(tool_output::text("a result that is not short"));
                    });
            });
            if (is_cancelled) {
                BOOST_TEST(own.responses("4") == 1u);
                if (own.core->tasks().has_running())
                    own.core->dispatch(own.request("5", "tasks/cancel", params));
            }
            own.held.reset();
            step([&] { own.core->dispatch(last); });
            own.run();
            BOOST_TEST(own.responses("2") == 1u);
            BOOST_TEST(own.responses("3") == 1u);
            BOOST_TEST(own.responses("6") == 1u);
            for (auto* const each : {&wait, &other, &cancel, &last})
                each->reset();
            own.check_released();
        });
}

BOOST_AUTO_TEST_CASE(input_of_a_task_is_taken_or_refused_after_each_failed_allocation)
{
    fail_each_step(4, [](auto const& step) {
        working_server own(protocol_version::v2026_07_28);
        auto call = own.call("1");
        step([&] { own.core->dispatch(std::exchange(call, nullptr)); });
        BOOST_TEST(own.responses("1") == 1u);
        auto const id = own.task_of("1");
        if (id.empty())
            BOOST_TEST(!own.core->tasks().has_running());
        step([&] { own.run(); });
        auto const params =
            R"({"taskId":")" + id + R"(","inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}}}})";
        auto update = own.request("2", "tasks/update", params);
        step([&] { own.core->dispatch(std::exchange(update, nullptr)); });
        own.run();
        BOOST_TEST(own.responses("2") == 1u);
        bool const is_refused = own.response("2").find("\"error\"") != std::string::npos;
        if (is_refused && own.core->tasks().has_running()) {
            own.core->dispatch(own.request("3", "tasks/update", params));
            own.run();
        }
        if (!id.empty()) // otherwise the handler was destroyed with its request
            BOOST_TEST(own.in_use.use_count() == 1);
        step([&] {
            own.handle(
                [](server_request& request) { request.complete(tool_output::text("a result that is not short")); });
        });
        BOOST_TEST(!own.core->tasks().has_running());
        own.check_released();
    });
}

BOOST_AUTO_TEST_SUITE_END()
