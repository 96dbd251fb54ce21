// Tasks that a client hosts for the requests of its server (2025-11-25).

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>

#include "support/contains.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(session_hosted_tasks_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// A server that requests elicitations as tasks, and a client whose handler keeps their responders.
struct hosting_world : session_world {
    std::vector<typed_responder<elicitation>> asked;
    int last_id = 0;

    hosting_world()
    {
        server.dialogue().protocol_versions = {protocol_version::v2025_11_25};
        options.max_hosted_tasks = 2;
    }

    session& make()
    {
        auto& out = session_world::make();
        out.set_handler<elicitation>(
            [this](elicit_request const&, typed_responder<elicitation> reply) { asked.push_back(std::move(reply)); });
        return out;
    }

    // Sends a request of the server. Returns its id.
    int send(std::string const& method, std::string const& params)
    {
        server.broadcast(R"({"jsonrpc":"2.0","id":)" + std::to_string(++last_id) + R"(,"method":")" + method +
                         R"(","params":)" + params + "}");
        return last_id;
    }

    int ask(std::string const& task = R"({"ttl":60000})")
    {
        return send("elicitation/create",
                    R"({"message":"Who?","requestedSchema":{"type":"object","properties":{}},"task":)" + task + "}");
    }

    int about(std::string const& method, std::string const& task_id)
    {
        return send(method, R"({"taskId":")" + task_id + R"("})");
    }

    // Returns the response of the client to a request of the server; empty: there is none.
    std::string response(int id) const
    {
        for (auto const& message : server.received())
            if (json_scan::member(message, "id") == std::to_string(id) && json_scan::member(message, "method").empty())
                return message;
        return {};
    }

    // Returns the error code of that response; empty: it is no error.
    std::string code(int id) const
    {
        return std::string(json_scan::member(json_scan::member(response(id), "error"), "code"));
    }

    // Returns the id of the task that the response to a request announces.
    std::string task_of(int id) const
    {
        auto const announced = response(id);
        auto const task = json_scan::member(json_scan::member(announced, "result"), "task");
        return std::string(json_scan::quoted(json_scan::member(task, "taskId")).value_or(""));
    }

    // Returns the status in the response to a request `tasks/get` or `tasks/cancel`.
    std::string status(int id) const
    {
        return std::string(json_scan::member(json_scan::member(response(id), "result"), "status"));
    }

    void clean_up()
    {
        asked.clear();
        session_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(hosting_world, result_of_a_request_is_read_from_its_task)
{
    co_await make().async_open();
    BOOST_TEST(server.received(R"("tasks":{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}}}})") == 1u);
    auto const created = ask();
    co_await settle(executor);
    auto const id = task_of(created);
    BOOST_TEST(id.size() == 32u);
    BOOST_TEST(contains(response(created), R"("ttl":60000)"));
    BOOST_TEST_REQUIRE(asked.size() == 1u);
    auto const working = about("tasks/get", id);
    auto const result = about("tasks/result", id);
    co_await settle(executor);
    BOOST_TEST(status(working) == R"("working")");
    BOOST_TEST(response(result) == "");
    asked[0](elicit_result{elicit_action::accept, {}});
    co_await settle(executor);
    BOOST_TEST(contains(response(result), R"("action":"accept")"), response(result));
    BOOST_TEST(contains(response(result), R"("io.modelcontextprotocol/related-task":{"taskId":")" + id + "\"}"));
    auto const done = about("tasks/get", id);
    auto const again = about("tasks/result", id);
    auto const list = send("tasks/list", "{}");
    co_await settle(executor);
    BOOST_TEST(status(done) == R"("completed")");
    BOOST_TEST(contains(response(again), R"("action":"accept")"));
    BOOST_TEST(contains(response(list), id));
}

LINKSPAN_CASE_IN(hosting_world, task_is_cancelled_by_its_server_only_as_a_task)
{
    co_await make().async_open();
    auto const created = ask();
    co_await settle(executor);
    auto const id = task_of(created);
    server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(asked.size() == 1u);
    BOOST_TEST(asked[0].is_awaited());
    auto const result = about("tasks/result", id);
    auto const cancelled = about("tasks/cancel", id);
    co_await settle(executor);
    BOOST_TEST(!asked[0].is_awaited());
    BOOST_TEST(status(cancelled) == R"("cancelled")");
    BOOST_TEST(code(result) == "-32603");
    asked[0](elicit_result{elicit_action::accept, {}}); // has no effect
    auto const again = about("tasks/cancel", id);
    co_await settle(executor);
    BOOST_TEST(code(again) == "-32602");
}

LINKSPAN_CASE_IN(hosting_world, refusal_of_the_handler_is_the_error_of_the_task)
{
    make().on_request("sampling/createMessage", [](std::string_view, responder reply) { reply.refuse(-1, "no"); });
    co_await client->async_open();
    auto const created = send("sampling/createMessage", R"({"messages":[],"maxTokens":1,"task":{}})");
    co_await settle(executor);
    auto const id = task_of(created);
    auto const state = about("tasks/get", id);
    auto const result = about("tasks/result", id);
    co_await settle(executor);
    BOOST_TEST(status(state) == R"("failed")");
    BOOST_TEST(code(result) == "-1");
    BOOST_TEST(contains(response(result), R"("message":"no")"));
}

LINKSPAN_CASE_IN(hosting_world, tasks_are_limited_and_expire)
{
    co_await make().async_open();
    auto const first = ask(), second = ask(), third = ask();
    co_await settle(executor);
    BOOST_TEST(task_of(first) != task_of(second));
    BOOST_TEST(code(third) == "-32603");
    BOOST_TEST_REQUIRE(asked.size() == 2u); // the handler of the third is not called
    asked[0](elicit_result{elicit_action::decline, {}});
    co_await pass(executor, 61s);
    auto const expired = about("tasks/get", task_of(first));
    auto const open = about("tasks/get", task_of(second)); // not final, and therefore kept
    auto const fourth = ask();
    auto const unknown = send("tasks/other", "{}");
    auto const page = send("tasks/list", R"({"cursor":"x"})");
    co_await settle(executor);
    BOOST_TEST(code(expired) == "-32602");
    BOOST_TEST(status(open) == R"("working")");
    BOOST_TEST(task_of(fourth) != "");
    BOOST_TEST(code(unknown) == "-32601");
    BOOST_TEST(code(page) == "-32602");
}

LINKSPAN_CASE_IN(hosting_world, client_without_tasks_responds_to_the_request_itself)
{
    options.max_hosted_tasks = 0;
    co_await make().async_open();
    BOOST_TEST(server.received(R"("tasks")") == 0u);
    auto const direct = ask();
    auto const list = send("tasks/list", "{}");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(asked.size() == 1u);
    BOOST_TEST(response(direct) == "");
    BOOST_TEST(code(list) == "-32601");
    asked[0](elicit_result{elicit_action::accept, {}});
    co_await settle(executor);
    BOOST_TEST(contains(response(direct), R"("action":"accept")"));
}

LINKSPAN_CASE_IN(hosting_world, tasks_end_with_their_connection)
{
    co_await make().async_open();
    ask();
    co_await settle(executor);
    client->close();
    BOOST_TEST_REQUIRE(asked.size() == 1u);
    BOOST_TEST(!asked[0].is_awaited());
    co_await client->async_open();
    auto const list = send("tasks/list", "{}");
    co_await settle(executor);
    BOOST_TEST(contains(response(list), R"("tasks":[])"), response(list));
}

BOOST_AUTO_TEST_SUITE_END()
