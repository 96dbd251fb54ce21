// Sessions of a server over HTTP, and clients without a session, that a timer ends because they are idle; and their
// streams.

#include <linkspan/http/server/http_service.hpp>
#include <linkspan/server/http_backend.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_idle_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// The backend of a server, which counts its clients and their requests.
struct counting_backend final : http_service_backend {
    http_backend inner;
    int clients = 0, requests = 0;

    explicit counting_backend(server& of) : inner(of) {}

    std::vector<protocol_version> const& protocol_versions() const override { return inner.protocol_versions(); }
    mirrored_arguments const* mirrored(std::string_view tool) override { return inner.mirrored(tool); }

    bool on_client(http_client client) override
    {
        ++clients;
        return inner.on_client(std::move(client));
    }

    bool reuses_clients() const noexcept override { return inner.reuses_clients(); }

    bool intercept(http_server_request const& request, http_exchange exchange) override
    {
        ++requests;
        return inner.intercept(request, std::move(exchange));
    }
};

// A timeout of 8 min, and the interval of the searches for idle sessions, which is an eighth of it.
constexpr auto latest_end = 9min + 1s;

} // namespace

LINKSPAN_CASE_IN(endpoint_world, idle_session_ends_without_a_further_request)
{
    serving.session_limits.idle_timeout = 8min;
    make_endpoint();
    auto const before = time.pending();
    auto const session = co_await begin_session(*this);
    BOOST_TEST(time.pending() == before + 1); // the timer
    co_await pass(executor, 8min);
    BOOST_TEST(endpoint->sessions() == 1u);
    BOOST_TEST(served->counters().clients == 1u);
    co_await pass(executor, 1ms);
    BOOST_TEST(endpoint->sessions() == 0u);
    BOOST_TEST(served->counters().clients == 0u);
    co_await pass(executor, 2min);
    BOOST_TEST(time.pending() == before); // without sessions, the timer is not armed
    auto const late = co_await exchange(post(session), R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
    BOOST_TEST(contains(late, "HTTP/1.1 404"), late);
}

LINKSPAN_CASE_IN(endpoint_world, session_with_a_request_or_a_stream_does_not_end)
{
    serving.session_limits.idle_timeout = 8min;
    make_endpoint();
    auto const used = co_await begin_session(*this);
    auto const streamed = co_await begin_session(*this);
    raw_http::client stream(executor);
    endpoint->serve(stream.other());
    co_await stream.write(get_stream(streamed));
    co_await settle(executor);
    for (int i = 0; i != 4; ++i) {
        co_await pass(executor, 6min);
        co_await exchange(post(used), R"({"jsonrpc":"2.0","id":2,"method":"ping"})", "}");
        BOOST_TEST(endpoint->sessions() == 2u);
    }
    co_await pass(executor, latest_end);
    BOOST_TEST(endpoint->sessions() == 1u);
    stream.close();
    co_await settle(executor);
    co_await pass(executor, 7min);
    BOOST_TEST(endpoint->sessions() == 1u);
    co_await pass(executor, 2min + 1s);
    BOOST_TEST(endpoint->sessions() == 0u);
}

LINKSPAN_CASE_IN(endpoint_world, timer_ends_with_the_last_session)
{
    make_endpoint();
    auto const before = time.pending();
    auto const first = co_await begin_session(*this);
    auto const second = co_await begin_session(*this);
    auto const with_sessions = time.pending();
    BOOST_TEST(with_sessions == before + 1);
    for (std::string const& session : {first, second}) {
        auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + session, "");
        BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
        BOOST_TEST(time.pending() == (endpoint->sessions() == 0 ? before : with_sessions));
    }
    co_await begin_session(*this);
    BOOST_TEST(time.pending() == with_sessions);
}

LINKSPAN_CASE_IN(endpoint_world, timer_ends_with_the_graceful_stop_of_the_endpoint)
{
    make_endpoint();
    auto const before = time.pending();
    co_await begin_session(*this);
    BOOST_TEST(time.pending() == before + 1);
    auto const [ec] = co_await endpoint->async_stop(1s, in_tuple);
    BOOST_TEST(!ec);
    BOOST_TEST(endpoint->sessions() == 1u);
    BOOST_TEST(time.pending() == before);
}

LINKSPAN_CASE_IN(endpoint_world, session_without_a_timeout_has_no_timer)
{
    serving.session_limits.idle_timeout = duration::max();
    make_endpoint();
    auto const before = time.pending();
    co_await begin_session(*this);
    BOOST_TEST(time.pending() == before);
    co_await pass(executor, 23h);
    BOOST_TEST(endpoint->sessions() == 1u);
}

LINKSPAN_CASE_IN(endpoint_world, timer_is_armed_again_for_a_session_after_the_last_one)
{
    serving.session_limits.idle_timeout = 8min;
    make_endpoint();
    for (int i = 0; i != 2; ++i) {
        co_await begin_session(*this);
        co_await pass(executor, latest_end);
        BOOST_TEST(endpoint->sessions() == 0u);
        co_await pass(executor, 1h);
    }
}

LINKSPAN_CASE_IN(endpoint_world, idle_client_without_a_session_is_discarded)
{
    make(protocol_version::v2025_11_25);
    counting_backend backend(*served);
    http_service_options without_sessions;
    without_sessions.sessions = false;
    without_sessions.session_limits.idle_timeout = 8min;
    std::optional<http_service> service(std::in_place, executor, backend, without_sessions);
    std::string const ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
    auto const head = post("\r\nMCP-Protocol-Version: 2025-11-25\r\nContent-Length: ") + std::to_string(ping.size());
    for (int const clients : {1, 1, 2}) {
        raw_http::client raw(executor);
        service->listener().serve(raw.other());
        co_await raw.write(head + "\r\n\r\n" + ping);
        auto const response = co_await raw.read_until("\r\n\r\n");
        BOOST_TEST(contains(response, "HTTP/1.1 200"), response);
        BOOST_TEST(backend.clients == clients); // the client of the first two requests is the same
        raw.close();
        co_await pass(executor, backend.requests == 2 ? latest_end : 7min);
    }
    service.reset();
}

LINKSPAN_CASE_IN(endpoint_world, client_without_a_session_cannot_resume_the_stream_of_another_one)
{
    constexpr std::string_view version = "\r\nMCP-Protocol-Version: 2025-11-25";
    make(protocol_version::v2025_11_25).add(any_tool("secret"), [](server_request request) {
        request.complete(tool_output::text("of one client"));
    });
    counting_backend backend(*served);
    http_service_options without_sessions;
    without_sessions.sessions = false;
    without_sessions.response_form = http_service_options::form::stream;
    without_sessions.resumable = true;
    std::optional<http_service> service(std::in_place, executor, backend, without_sessions);
    raw_http::client own(executor), other(executor);
    service->listener().serve(own.other(), {});
    service->listener().serve(other.other(), {});
    constexpr std::string_view call =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"secret","arguments":{}}})";
    co_await own.write(post(version) + "\r\nContent-Length: " + std::to_string(call.size()) + "\r\n\r\n" +
                       std::string(call));
    auto const received = co_await own.read_until("0\r\n\r\n");
    BOOST_TEST(contains(received, "of one client"), received);
    BOOST_TEST(!contains(received, "id: "), received); // events have ids in sessions only
    co_await other.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + std::string(version) +
                         "\r\nLast-Event-ID: 1-0\r\n\r\n"); // the id that the first event would have in a session
    co_await other.read_until("\r\n\r\n");
    co_await settle(executor);
    service.reset();
    auto const late = co_await other.read_to_end();
    BOOST_TEST(!contains(late, "of one client"), late);
    own.close();
    other.close();
}

LINKSPAN_CASE_IN(endpoint_world, timeout_of_zero_ends_a_session_after_its_request)
{
    serving.session_limits.idle_timeout = duration::zero();
    make_endpoint();
    co_await begin_session(*this);
    co_await pass(executor, 10ms);
    BOOST_TEST(endpoint->sessions() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
