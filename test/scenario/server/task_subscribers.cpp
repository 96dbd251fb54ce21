// Clients that receive `notifications/tasks/status`: those that have a session of their own, and without notifications
// of changed lists.

#include <linkspan/http/server/http_service.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/server/http_backend.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"
#include "support/line_client.hpp"

BOOST_AUTO_TEST_SUITE(task_subscribers_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

// A server with a tool whose calls are tasks that do not complete by themselves.
struct subscribers_world : endpoint_world {
    std::vector<server_request> held; // requests of the tool "hold"

    void make_hold()
    {
        auto hold = any_tool("hold");
        hold.tasks = task_support::optional;
        make_endpoint(protocol_version::v2025_11_25).add(hold, [this](server_request request) {
            held.push_back(std::move(request));
        });
    }

    void clean_up()
    {
        held.clear();
        endpoint_world::clean_up();
    }
};

std::ptrdiff_t count(line_client const& of, std::string_view method)
{
    return std::ranges::count_if(of.messages, [&](std::string const& each) {
        return json_scan::string(json_scan::member(each, "method")).value_or("") == method;
    });
}

} // namespace

LINKSPAN_CASE_IN(subscribers_world, task_does_not_subscribe_its_client_to_lists)
{
    make_hold();
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    auto const params = json_scan::member(initialize, "params");
    co_await raw->ask_in_session("initialize", std::string(params));
    co_await raw->ask_in_session("tools/call", R"({"name":"hold","task":{}})");
    BOOST_TEST_REQUIRE(held.size() == 1u);
    auto const add = [this](std::string name) { served->add(any_tool(std::move(name)), [](server_request) {}); };
    add("a");
    co_await settle(executor);
    BOOST_TEST(count(*raw, "notifications/tools/list_changed") == 0);
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    co_await settle(executor);
    add("b");
    co_await settle(executor);
    BOOST_TEST(count(*raw, "notifications/tools/list_changed") == 1);
    held[0].complete(tool_output::text("done"));
    co_await settle(executor);
    BOOST_TEST(count(*raw, "notifications/tasks/status") == 1);
    raw->close();
}

LINKSPAN_CASE_IN(subscribers_world, subscription_to_a_resource_does_not_subscribe_to_lists)
{
    make_hold();
    resource page;
    page.uri = "file:///a";
    page.name = "a";
    served->add(page, [](server_request request) { request.complete(raw_json(R"({"contents":[]})")); });
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", std::string(json_scan::member(initialize, "params")));
    co_await raw->ask_in_session("resources/subscribe", R"({"uri":"file:///a"})");
    served->add(any_tool("b"), [](server_request) {});
    served->resource_updated("file:///a");
    co_await settle(executor);
    BOOST_TEST(count(*raw, "notifications/resources/updated") == 1);
    BOOST_TEST(count(*raw, "notifications/tools/list_changed") == 0);
    raw->close();
}

LINKSPAN_CASE_IN(subscribers_world, task_over_http_without_a_session_is_not_notified_to_other_clients)
{
    constexpr std::string_view version = "\r\nMCP-Protocol-Version: 2025-11-25";
    make_hold();
    http_backend backend(*served);
    http_service_options without_sessions;
    without_sessions.sessions = false;
    std::optional<http_service> service(std::in_place, executor, backend, without_sessions);
    raw_http::client other(executor), own(executor);
    service->listener().serve(other.other(), {});
    service->listener().serve(own.other(), {});
    co_await other.write(get_stream(version));
    auto const opened = co_await other.read_until("\r\n\r\n");
    BOOST_TEST(contains(opened, "HTTP/1.1 200"), opened);
    constexpr std::string_view call =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","task":{}}})";
    co_await own.write(post(version) + "\r\nContent-Length: " + std::to_string(call.size()) + "\r\n\r\n" +
                       std::string(call));
    auto const created = co_await own.read_until("taskId");
    BOOST_TEST(contains(created, R"("status":"working")"), created);
    BOOST_TEST_REQUIRE(held.size() == 1u);
    held[0].complete(tool_output::text("done"));
    served->add(any_tool("late"), [](server_request) {});
    co_await settle(executor);
    service.reset();
    auto const received = co_await other.read_to_end();
    BOOST_TEST(!contains(received, "notifications/"), received);
    other.close();
    own.close();
}

BOOST_AUTO_TEST_SUITE_END()
