// A server over HTTP: both eras on one path, HTTP+SSE, authentication, sessions, limits.

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/session/tasks.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <set>
#include <string>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Sends a call of the tool "hold" on the connection of a client, and leaves the response outstanding.
asio::awaitable<void> call_hold(endpoint_world& world, raw_http::client& raw, std::string session)
{
    world.endpoint->serve(raw.other());
    std::string const call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hold"}})";
    co_await raw.write(post(session) + "\r\nContent-Length: " + std::to_string(call.size()) + "\r\n\r\n" + call);
    co_await settle(world.executor);
}

// Starts a server of 2025-11-25, and a call whose request is stored in `held`. Returns the headers of the session.
asio::awaitable<std::string> hold_call(endpoint_world& world, raw_http::client& raw,
                                       std::optional<server_request>& held)
{
    world.make_endpoint(protocol_version::v2025_11_25).add(any_tool("hold"), [&held](server_request request) {
        held.emplace(std::move(request));
    });
    auto const session = co_await begin_session(world);
    co_await call_hold(world, raw, session);
    BOOST_TEST_REQUIRE(held.has_value());
    co_return session;
}

// Starts a server of one version, and a call of a session that completes `result`. The request is stored in `held`.
asio::awaitable<void> hold_call_of_session(endpoint_world& world, protocol_version version, completion_box& result,
                                           std::optional<server_request>& held)
{
    world.make_endpoint(version).add(any_tool("hold"),
                                     [&held](server_request request) { held.emplace(std::move(request)); });
    auto& calls = world.dial();
    co_await calls.async_open();
    calls.async_call_tool("hold", result.handler());
    co_await settle(world.executor);
    BOOST_TEST_REQUIRE(held.has_value());
}

// Handler of a tool that asks the end user, and reports whether there was a response.
asio::awaitable<void> ask_user(server_request request)
{
    elicit_request asked;
    asked.message = "Who?";
    auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
    request.complete(tool_output::text(std::get<0>(answer) ? "failed" : "asked"));
}

// Records the completion of a wait.
struct ended_wait {
    int count = 0;
    error_code ec;

    auto handler()
    {
        return [this](error_code e) {
            ++count;
            ec = e;
        };
    }
};

void accept_elicitations(session& calls)
{
    calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation> reply) {
        elicit_result result;
        result.action = elicit_action::accept;
        reply(result);
    });
}

// Begins a session of 2025-11-25 whose client can be asked, and returns the headers of its requests.
asio::awaitable<std::string> begin_asked_session(endpoint_world& world)
{
    std::string const begin =
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})";
    auto const begun = co_await world.exchange(post(), begin);
    co_return "\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id");
}

// Calls the tool "ask" as a task, and returns the id of the task.
asio::awaitable<std::string> start_task(endpoint_world& world, std::string session)
{
    std::string const call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","task":{}}})";
    auto const created = co_await world.exchange(post(session), call, "\"status\":");
    auto const begin = created.find("\"taskId\":\"") + 10;
    co_return created.substr(begin, created.find('"', begin) - begin);
}

} // namespace

LINKSPAN_CASE_IN(endpoint_world, request_with_escaped_names_has_a_response)
{
    make_endpoint().add(any_tool("list"), [](server_request request) { request.complete(tool_output::text("a")); });
    std::string const body =
        R"({"jsonrpc":"2.0","id":1,"method":"tools\/list","params":{"_meta":{)"
        R"("io.modelcontextprotocol\/protocolVersion":"2026-07-28","io.modelcontextprotocol\/clientCapabilities":{}}}})";
    auto const stateless = co_await exchange(stateless_head("tools/list"), body, "]");
    BOOST_TEST(contains(stateless, R"("name":"list")"), stateless);
    auto const session = co_await begin_session(*this);
    auto const of_session =
        co_await exchange(post(session), R"({"jsonrpc":"2.0","id":2,"method":"tools\/list","params":{}})", "]");
    BOOST_TEST(contains(of_session, R"("name":"list")"), of_session);
}

LINKSPAN_CASE_IN(endpoint_world, clients_of_both_eras_call_tools_on_one_path)
{
    for (auto const form : {http_service_options::form::json, http_service_options::form::stream}) {
        for (auto const version : newest_of_both_eras) {
            serving.response_form = form;
            make_endpoint(version).add(any_tool("echo"), [](server_request request) {
                request.report_progress(1);
                request.complete(tool_output::text(std::string(request.arguments())));
            });
            auto& calls = dial();
            co_await calls.async_open();
            boost::json::object const arguments{{"a", 1}};
            int progress = 0;
            call_options with;
            with.on_progress = [&](progress_update const&) { ++progress; };
            auto const result = co_await calls.async_call_tool("echo", arguments, with);
            BOOST_TEST(result.text() == R"({"a":1})");
            BOOST_TEST(progress == 1);
            BOOST_TEST(endpoint->sessions() == (version == protocol_version::v2025_11_25 ? 1u : 0u));
            co_await calls.async_shutdown();
            co_await settle(executor);
            BOOST_TEST(endpoint->sessions() == 0u);
            BOOST_TEST(served->counters().clients == 0u);
        }
    }
}

LINKSPAN_CASE_IN(endpoint_world, http_with_sse_is_served_beside)
{
    serving.sse_path = "/sse";
    make_endpoint().add(any_tool("echo"), [](server_request request) {
        request.complete(tool_output::text(std::string(to_string(request.protocol_version()))));
    });
    config.url = "http://localhost/sse";
    auto& old = dial<http_sse>();
    co_await old.async_open();
    BOOST_TEST((co_await old.async_call_tool("echo")).text() != "");
    session modern(executor, [&] {
        auto other = config;
        other.url = "http://localhost/mcp";
        return via<streamable_http>(other);
    }());
    co_await modern.async_open();
    BOOST_TEST((co_await modern.async_call_tool("echo")).text() == "2026-07-28");
}

LINKSPAN_CASE_IN(endpoint_world, elicitation_completes_over_http_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        make_endpoint(version).add(any_tool("ask"), &ask_user);
        auto& calls = dial();
        accept_elicitations(calls);
        co_await calls.async_open();
        BOOST_TEST((co_await calls.async_call_tool("ask")).text() == "asked");
    }
}

LINKSPAN_CASE_IN(endpoint_world, tasks_are_awaited_over_http_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        auto ask = any_tool("ask");
        ask.tasks = task_support::optional;
        make_endpoint(version).add(ask, [](server_request request) -> asio::awaitable<void> {
            request.become_task();
            return ask_user(std::move(request));
        });
        auto& calls = dial();
        accept_elicitations(calls);
        co_await calls.async_open();
        auto const started = co_await async_start_task(calls, ask);
        BOOST_TEST_REQUIRE(started.task.has_value());
        BOOST_TEST((co_await async_wait_task(calls, *started.task)).text() == "asked");
        BOOST_TEST(((co_await async_get_task(calls, started.task->id))->status == task_status::completed));
    }
}

LINKSPAN_CASE_IN(endpoint_world, input_of_a_task_is_requested_on_the_stream_of_its_result)
{
    auto ask = any_tool("ask");
    ask.tasks = task_support::optional;
    make_endpoint(protocol_version::v2025_11_25).add(ask, [](server_request request) -> asio::awaitable<void> {
        request.become_task();
        return ask_user(std::move(request));
    });
    auto const session = co_await begin_asked_session(*this);
    raw_http::client listening(executor);
    endpoint->serve(listening.other());
    co_await listening.write(get_stream(session));
    auto const id = co_await start_task(*this, session);

    raw_http::client waiting(executor);
    endpoint->serve(waiting.other());
    std::string const wait = R"({"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":")" + id + "\"}}";
    co_await waiting.write(post(session) + "\r\nContent-Length: " + std::to_string(wait.size()) + "\r\n\r\n" + wait);
    auto const asked = co_await waiting.read_until("elicitation/create");
    BOOST_TEST(contains(asked, "text/event-stream"), asked);
    co_await exchange(post(session), R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept"}})");
    auto const result = co_await waiting.read_until("asked");
    BOOST_TEST(contains(result, R"("id":3)"), result);
    BOOST_TEST(contains(result, id), result);
    co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + session, "");
    auto const heard = co_await listening.read_until("\r\n0\r\n\r\n");
    BOOST_TEST(contains(heard, "text/event-stream"), heard);
    BOOST_TEST(!contains(heard, "elicitation/create"), heard);
    listening.close();
    waiting.close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(endpoint_world, input_of_a_task_is_requested_from_the_session_that_waits_for_its_result)
{
    serving.authenticate = [](http_server_request const&, std::function<void(http_admission)> done) {
        done({.principal = "ada"});
    };
    auto ask = any_tool("ask");
    ask.tasks = task_support::optional;
    int reports = 0;
    make_endpoint(protocol_version::v2025_11_25).add(ask, [&](server_request request) -> asio::awaitable<void> {
        request.become_task();
        elicit_request asked;
        asked.message = "Who?";
        ask_options with_progress;
        with_progress.on_progress = [&](progress_update const&) { ++reports; };
        auto const answer = co_await request.async_ask<elicitation>(asked, with_progress, in_tuple);
        request.complete(tool_output::text(std::get<0>(answer) ? "failed" : "asked"));
    });
    auto const first = co_await begin_asked_session(*this);
    auto const id = co_await start_task(*this, first);
    auto const second = co_await begin_asked_session(*this);
    std::string const wait = R"({"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":")" + id + "\"}}";
    raw_http::client lost(executor), waiting(executor);
    for (auto* const each : {&lost, &waiting}) {
        endpoint->serve(each->other());
        co_await each->write(post(second) + "\r\nContent-Length: " + std::to_string(wait.size()) + "\r\n\r\n" + wait);
        BOOST_TEST(contains(co_await each->read_until("elicitation/create"), "elicitation/create"));
        if (each == &lost) { // the client cancels the request, and sends it again
            co_await exchange(post(second), R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                                            R"("params":{"requestId":3}})");
            lost.close();
            co_await settle(executor);
        }
    }
    auto const report = [&](std::string token) {
        return exchange(post(second),
                        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
                            R"(,"progress":1}})");
    };
    co_await report("1");
    co_await report("2");
    BOOST_TEST(reports == 2);
    co_await exchange(post(second), R"({"jsonrpc":"2.0","id":2,"result":{"action":"accept"}})");
    auto const result = co_await waiting.read_until("asked");
    BOOST_TEST(contains(result, "asked"), result);
    co_await report("1"); // of the copy that has no response
    co_await report("2");
    BOOST_TEST(reports == 2);
    waiting.close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(endpoint_world, a_stateless_request_is_cancelled_by_the_end_of_its_connection)
{
    std::optional<server_request> held;
    int cancelled = 0;
    make_endpoint(protocol_version::v2026_07_28).add(any_tool("hold"), [&](server_request request) {
        request.on_cancelled([&] { ++cancelled; });
        held.emplace(std::move(request));
    });
    auto& calls = dial();
    co_await calls.async_open();
    call_options brief;
    brief.timeout = 1s;
    co_await calls.async_call_tool("hold", boost::json::object(), brief, in_tuple);
    co_await settle(executor);
    BOOST_TEST(cancelled == 1);
    held.reset();
    co_await settle(executor);
    BOOST_TEST(served->counters().clients == 0u);
}

LINKSPAN_CASE_IN(endpoint_world, forbidden_origins_and_hosts_are_refused_before_authentication)
{
    int authenticated = 0;
    serving.authenticate = [&](http_server_request const&, std::function<void(http_admission)> done) {
        ++authenticated;
        done({});
    };
    make_endpoint();
    auto const body = std::string(initialize);
    auto const foreign = co_await exchange(post("\r\nOrigin: https://evil.example"), body);
    BOOST_TEST(contains(foreign, "HTTP/1.1 403"), foreign);
    auto const rebound = co_await exchange("POST /mcp HTTP/1.1\r\nHost: evil.example", body);
    BOOST_TEST(contains(rebound, "HTTP/1.1 403"), rebound);
    BOOST_TEST(authenticated == 0);
    auto const own = co_await exchange(post(), body);
    BOOST_TEST(contains(own, "HTTP/1.1 200"), own);
    BOOST_TEST(authenticated == 1);
}

LINKSPAN_CASE_IN(endpoint_world, sessions_belong_to_their_principal)
{
    serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
        auto const token = request.header("Authorization");
        http_admission admission;
        admission.status = token.empty() ? 401 : 200;
        admission.principal = token;
        admission.challenge = R"(Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource")";
        done(admission);
    };
    serving.protected_resource =
        R"({"resource":"http://localhost/mcp","authorization_servers":["https://as.example"]})";
    make_endpoint().add(any_tool("who"), [](server_request request) {
        request.complete(tool_output::text(request.client().principal));
    });
    auto const anonymous = co_await exchange(post(), std::string(initialize));
    BOOST_TEST(contains(anonymous, "HTTP/1.1 401"), anonymous);
    BOOST_TEST(contains(anonymous, "WWW-Authenticate: Bearer resource_metadata="), anonymous);
    auto const metadata = co_await exchange("GET /.well-known/oauth-protected-resource/mcp HTTP/1.1\r\nHost: localhost",
                                            "", "authorization_servers");
    BOOST_TEST(contains(metadata, "HTTP/1.1 200"), metadata);
    auto const begun = co_await exchange(post("\r\nAuthorization: ada"), std::string(initialize));
    auto const id = header(begun, "Mcp-Session-Id");
    BOOST_TEST(id.size() == 32u);
    std::string const call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who"}})";
    auto const stolen = co_await exchange(post("\r\nAuthorization: eve\r\nMcp-Session-Id: " + id), call);
    BOOST_TEST(contains(stolen, "HTTP/1.1 404"), stolen);
    auto const own = co_await exchange(post("\r\nAuthorization: ada\r\nMcp-Session-Id: " + id), call, "text\":\"ada");
    BOOST_TEST(contains(own, "HTTP/1.1 200"), own);
    BOOST_TEST(contains(own, R"("text":"ada")"), own);
}

LINKSPAN_CASE_IN(endpoint_world, stateless_requests_in_succession_have_their_own_clients)
{
    serving.response_form = http_service_options::form::json;
    serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
        http_admission admission;
        admission.principal = request.header("Authorization");
        done(admission);
    };
    make_endpoint().add(any_tool("who"), [](server_request request) {
        auto const& from = request.client();
        auto const text = from.principal + " with " + from.identity.name + " and " + from.capabilities;
        request.complete(tool_output::text(text));
    });
    auto const call = [&](std::string principal, std::string name, std::string capabilities) {
        return exchange(stateless_head("tools/call", "\r\nMcp-Name: who\r\nAuthorization: " + principal),
                        stateless_body("tools/call", R"("name":"who",)", name, capabilities), "resultType");
    };
    for (int round = 0; round != 2; ++round) {
        BOOST_TEST(contains(co_await call("ada", "one", "{}"), "ada with one and {}"));
        BOOST_TEST(contains(co_await call("eve", "one", "{}"), "eve with one and {}"));
        BOOST_TEST(contains(co_await call("ada", "two", R"({"roots":{}})"), R"(ada with two and {\"roots\":{}})"));
    }
    BOOST_TEST(served->counters().clients == 0u);
}

// The bytes of the id are those of the secure source of the system: each of the 32 digits differs in some of the ids,
// also with the fixed seeds of virtual time.
LINKSPAN_CASE_IN(endpoint_world, ids_of_sessions_are_128_random_bits)
{
    make_endpoint();
    std::vector<std::set<char>> digits(32);
    static std::set<std::string> known; // of all runs of this test
    for (int i = 0; i != 32; ++i) {
        auto const begun = co_await exchange(post(), std::string(initialize));
        auto const id = header(begun, "Mcp-Session-Id");
        BOOST_TEST_REQUIRE(id.size() == digits.size(), id);
        BOOST_TEST(id.find_first_not_of("0123456789abcdef") == id.npos, id);
        BOOST_TEST(known.insert(id).second, "repeated id " << id);
        for (std::size_t place = 0; place != id.size(); ++place)
            digits[place].insert(id[place]);
    }
    for (auto const& seen : digits)
        BOOST_TEST(seen.size() > 4u); // the probability of fewer is below 1e-14 for each place
}

LINKSPAN_CASE_IN(endpoint_world, sessions_are_limited_and_end_when_they_are_idle)
{
    serving.session_limits.max_sessions = 1;
    serving.session_limits.idle_timeout = 10min;
    make_endpoint();
    auto const first = co_await exchange(post(), std::string(initialize));
    BOOST_TEST(contains(first, "HTTP/1.1 200"), first);
    auto const second = co_await exchange(post(), std::string(initialize));
    BOOST_TEST(contains(second, "HTTP/1.1 503"), second);
    co_await pass(executor, 12min);
    auto const third = co_await exchange(post(), std::string(initialize));
    BOOST_TEST(contains(third, "HTTP/1.1 200"), third);
    BOOST_TEST(endpoint->sessions() == 1u);
}

LINKSPAN_CASE_IN(endpoint_world, a_stopped_server_refuses_requests)
{
    make_endpoint();
    auto const stopped = co_await served->async_stop(1s, in_tuple);
    BOOST_TEST(!std::get<0>(stopped));
    auto const late = co_await exchange(post(), std::string(initialize));
    BOOST_TEST(contains(late, "HTTP/1.1 503"), late);
}

LINKSPAN_CASE_IN(endpoint_world, a_server_that_stops_refuses_stateless_requests)
{
    std::optional<server_request> held;
    completion_box outstanding;
    co_await hold_call_of_session(*this, protocol_version::v2026_07_28, outstanding, held);
    auto const head = stateless_head("server/discover");
    auto const body = stateless_body("server/discover", "");
    auto const before = co_await exchange(head, body);
    BOOST_TEST(contains(before, "HTTP/1.1 200"), before);
    ended_wait stopped;
    served->async_stop(1min, stopped.handler());
    auto const during = co_await exchange(head, body);
    BOOST_TEST(contains(during, "HTTP/1.1 503"), during);
    BOOST_TEST(stopped.count == 0);
    held->complete(tool_output::text("done"));
    held.reset();
    co_await settle(executor);
    BOOST_TEST(outstanding.result.text() == "done");
    BOOST_TEST(stopped.count == 1);
}

LINKSPAN_CASE_IN(endpoint_world, a_server_that_stops_accepts_stateless_requests_about_its_tasks)
{
    std::optional<server_request> held;
    auto hold = any_tool("hold");
    hold.tasks = task_support::optional;
    make_endpoint(protocol_version::v2026_07_28).add(hold, [&](server_request request) {
        request.become_task();
        held.emplace(std::move(request));
    });
    std::string const with_tasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
    auto const created = co_await exchange(stateless_head("tools/call", "\r\nMcp-Name: hold"),
                                           stateless_body("tools/call", R"("name":"hold",)", "c", with_tasks));
    auto const body = created.substr(created.find("\r\n\r\n"));
    auto const begin = body.find(R"("taskId":")") + 10;
    auto const id = body.substr(begin, body.find('"', begin) - begin);
    ended_wait stopped;
    served->async_stop(1min, stopped.handler());
    auto const state = co_await exchange(stateless_head("tasks/get", "\r\nMcp-Name: " + id),
                                         stateless_body("tasks/get", R"("taskId":")" + id + "\",", "c", with_tasks));
    BOOST_TEST(contains(state, R"("status":"working")"), state);
    auto const other = co_await exchange(stateless_head("server/discover"), stateless_body("server/discover", ""));
    BOOST_TEST(contains(other, "HTTP/1.1 503"), other);
    BOOST_TEST(stopped.count == 0);
    held->complete(tool_output::text("done"));
    held.reset();
    co_await settle(executor);
    BOOST_TEST(stopped.count == 1);
    BOOST_TEST(!stopped.ec, stopped.ec.message());
    auto const late = co_await exchange(stateless_head("tasks/get", "\r\nMcp-Name: " + id),
                                        stateless_body("tasks/get", R"("taskId":")" + id + "\",", "c", with_tasks));
    BOOST_TEST(contains(late, "HTTP/1.1 503"), late);
}

LINKSPAN_CASE_IN(endpoint_world, an_endpoint_may_be_destroyed_in_its_handlers)
{
    for (bool const is_notification : {false, true}) {
        auto& own = make_endpoint(protocol_version::v2026_07_28);
        own.add(any_tool("end"), [this](server_request request) {
            endpoint.reset();
            request.complete(tool_output::text("late"));
        });
        own.set_notification_handler("own/end", [this](client_info const&, std::string_view) { endpoint.reset(); });
        raw_http::client raw(executor);
        endpoint->serve(raw.other());
        auto const body = is_notification ? R"({"jsonrpc":"2.0","method":"own/end"})"
                                          : stateless_body("tools/call", R"("name":"end",)");
        auto const head =
            is_notification ? stateless_head("own/end") : stateless_head("tools/call", "\r\nMcp-Name: end");
        co_await raw.write(head + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await settle(executor);
        BOOST_TEST(!endpoint);
        raw.close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(endpoint_world, an_endpoint_may_be_destroyed_by_the_end_of_a_request)
{
    std::optional<server_request> held;
    make_endpoint(protocol_version::v2026_07_28).add(any_tool("hold"), [&](server_request request) {
        request.on_cancelled([this] { endpoint.reset(); });
        held.emplace(std::move(request));
    });
    raw_http::client raw(executor);
    endpoint->serve(raw.other());
    auto const body = stateless_body("tools/call", R"("name":"hold",)");
    co_await raw.write(stateless_head("tools/call", "\r\nMcp-Name: hold") +
                       "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.has_value());
    raw.close();
    co_await settle(executor);
    BOOST_TEST(!endpoint);
    held.reset();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(endpoint_world, a_response_that_was_lost_is_sent_again)
{
    serving.response_form = http_service_options::form::stream;
    std::optional<server_request> held;
    completion_box result;
    co_await hold_call_of_session(*this, protocol_version::v2025_11_25, result, held);
    net->close_all();
    co_await settle(executor);
    held->complete(tool_output::text("late"));
    held.reset();
    co_await pass(executor, 10s);
    BOOST_TEST(result.count == 1u);
    BOOST_TEST(result.result.text() == "late");
}

LINKSPAN_CASE_IN(endpoint_world, client_polls_for_the_response)
{
    serving.response_form = http_service_options::form::stream;
    serving.polling = true;
    serving.retry = 3s;
    std::optional<server_request> held;
    completion_box result;
    co_await hold_call_of_session(*this, protocol_version::v2025_11_25, result, held);
    held->complete(tool_output::text("polled"));
    held.reset();
    co_await settle(executor);
    BOOST_TEST(result.count == 0u);
    co_await pass(executor, 4s);
    BOOST_TEST(result.count == 1u);
    BOOST_TEST(result.result.text() == "polled");
}

LINKSPAN_CASE_IN(endpoint_world, polling_ends_the_connection_after_the_first_event_since_2025_11_25)
{
    serving.response_form = http_service_options::form::stream;
    serving.polling = true;
    serving.retry = 3s;
    for (auto const version : {protocol_version::v2025_06_18, protocol_version::v2025_11_25}) {
        std::optional<server_request> held;
        make_endpoint(version).add(any_tool("hold"), [&](server_request request) { held.emplace(std::move(request)); });
        bool const is_polled = version == protocol_version::v2025_11_25;
        auto const begun = co_await exchange(post(), std::string(initialize), "0\r\n\r\n");
        BOOST_TEST(contains(begun, R"("result")") != is_polled, begun);
        auto const session = "\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id");
        raw_http::client raw(executor);
        co_await call_hold(*this, raw, session);
        BOOST_TEST_REQUIRE(held.has_value());
        held->complete(tool_output::text("done"));
        held.reset();
        auto const received = co_await raw.read_until("0\r\n\r\n");
        raw.close();
        BOOST_TEST(contains(received, "retry: 3000\n"), received);
        BOOST_TEST(contains(received, R"("text":"done")") != is_polled, received);
        auto const id_at = received.find("id: ") + 4;
        auto const id = received.substr(id_at, received.find('\n', id_at) - id_at);
        raw_http::client resumed(executor);
        endpoint->serve(resumed.other());
        co_await resumed.write(get_stream(session + "\r\nLast-Event-ID: " + id));
        auto const rest = co_await resumed.read_until(R"("text":"done")");
        BOOST_TEST(contains(rest, R"("text":"done")"), rest);
        resumed.close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(endpoint_world, the_exchange_of_a_cancelled_request_of_a_session_ends)
{
    std::optional<server_request> held;
    raw_http::client raw(executor);
    auto const session = co_await hold_call(*this, raw, held);
    co_await exchange(post(session),
                      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
    BOOST_TEST(held->is_over());
    auto const ended = co_await raw.read_until("0\r\n\r\n");
    BOOST_TEST(contains(ended, "text/event-stream"), ended);
    BOOST_TEST(!contains(ended, R"("result")"), ended);
    raw.close();
}

LINKSPAN_CASE_IN(endpoint_world, unread_bytes_are_those_of_the_stream_of_the_request)
{
    std::optional<server_request> held;
    raw_http::client raw(executor);
    co_await hold_call(*this, raw, held);
    BOOST_TEST(held->unread_bytes() == 0U);
    auto const text = '"' + std::string(std::size_t{64} << 10, 'x') + '"';
    for (int i = 0; i != 4; ++i) {
        held->log(linkspan::log_level::info, linkspan::raw_json(text));
        co_await settle(executor);
    }
    BOOST_TEST(held->unread_bytes() > std::size_t{128} << 10); // the rest is in the pipe and in the outstanding write
    held->complete(tool_output::text("done"));
    co_await raw.read_until("done");
    co_await settle(executor);
    BOOST_TEST(held->unread_bytes() == 0U);
    raw.close();
}

LINKSPAN_CASE_IN(endpoint_world, handler_waits_until_a_slow_client_has_read)
{
    options.read_timeout = 10s;
    std::optional<server_request> held;
    raw_http::client raw(executor);
    co_await hold_call(*this, raw, held);
    constexpr std::size_t max_bytes = std::size_t{64} << 10;
    ended_wait at_once, read, cancelled, late, over;
    held->async_wait_read(max_bytes, at_once.handler());
    BOOST_TEST(at_once.count == 0); // not inside the initiating function
    co_await settle(executor);
    BOOST_TEST(at_once.count == 1);
    BOOST_TEST(!at_once.ec);
    auto const send = [&](std::string const& end) {
        auto const text = '"' + std::string(max_bytes, 'x') + end + '"';
        held->log(linkspan::log_level::info, linkspan::raw_json(text));
    };
    for (auto const end : {"a", "b", "c", "d"}) {
        send(end);
        co_await settle(executor);
    }
    asio::cancellation_signal cancel;
    held->async_wait_read(max_bytes, read.handler());
    held->async_wait_read(max_bytes, asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    co_await pass(executor, 5s);
    BOOST_TEST(read.count + cancelled.count == 0);
    cancel.emit(asio::cancellation_type::total);
    co_await settle(executor);
    BOOST_TEST((cancelled.ec == asio::error::operation_aborted));
    co_await raw.read_until("xc");
    co_await pass(executor, 1s);
    BOOST_TEST(read.count == 1);
    BOOST_TEST(!read.ec);
    send("e");
    send("f");
    held->async_wait_read(0, late.handler());
    co_await pass(executor, 9s);
    BOOST_TEST(late.count == 0);
    co_await pass(executor, 2s);
    BOOST_TEST((late.ec == asio::error::timed_out));
    held->async_wait_read(0, over.handler());
    held.reset(); // the client receives an error
    co_await settle(executor);
    BOOST_TEST((over.ec == asio::error::operation_aborted));
    raw.close();
}

LINKSPAN_CASE_IN(endpoint_world, outstanding_exchanges_end_with_their_session_and_with_the_server)
{
    std::vector<server_request> held;
    make_endpoint().add(any_tool("hold"), [&](server_request request) { held.push_back(std::move(request)); });
    auto const session = co_await begin_session(*this);
    raw_http::client waiting(executor);
    co_await call_hold(*this, waiting, session);
    co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + session, "");
    auto const ended = co_await waiting.read_until("\r\n\r\n");
    BOOST_TEST(contains(ended, "HTTP/1.1 404"), ended);
    waiting.close();
    auto const other = co_await begin_session(*this);
    raw_http::client stream(executor);
    endpoint->serve(stream.other());
    co_await stream.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + other + "\r\n\r\n");
    co_await stream.read_until("text/event-stream");
    served->close();
    auto const closed = co_await stream.read_until("0\r\n\r\n");
    BOOST_TEST(closed.ends_with("0\r\n\r\n"), closed);
    stream.close();
    held.clear();
    BOOST_TEST(endpoint->sessions() == 0u);
}

LINKSPAN_CASE_IN(endpoint_world, equal_changes_wait_once_for_the_stream_of_a_session)
{
    auto& own = make_endpoint(protocol_version::v2025_11_25);
    own.add(any_tool("first"), [](server_request) {}); // the handshake declares changes of both lists
    own.add(resource{.uri = "file:///first", .name = "first"}, [](server_request) {});
    auto const session = co_await begin_session(*this);
    co_await exchange(post(session), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    for (char const* const name : {"a", "b", "c"}) {
        own.add(any_tool(name), [](server_request) {});
        co_await settle(executor);
    }
    own.add(resource{.uri = "file:///r", .name = "r"}, [](server_request) {});
    co_await settle(executor);
    raw_http::client stream(executor);
    endpoint->serve(stream.other());
    co_await stream.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + session + "\r\n\r\n");
    auto const received = co_await stream.read_until("notifications/resources/list_changed");
    auto const first = received.find("notifications/tools/list_changed");
    BOOST_TEST(first != received.npos, received);
    BOOST_TEST(received.find("notifications/tools/list_changed", first + 1) == received.npos, received);
    stream.close();
    co_await settle(executor);
}

BOOST_AUTO_TEST_SUITE_END()
