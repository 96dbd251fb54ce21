// Sessions of a server over HTTP that end because they are idle, without a further request.

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
    http_backend behind;
    int clients = 0, requests = 0;

    explicit counting_backend(server& what) : behind(what) {}

    std::vector<protocol_version> const& protocol_versions() const override { return behind.protocol_versions(); }
    mirrored_arguments const* mirrored(std::string_view tool) override { return behind.mirrored(tool); }

    bool on_client(http_client client) override
    {
        ++clients;
        return behind.on_client(std::move(client));
    }

    bool reuses_clients() const noexcept override { return behind.reuses_clients(); }

    bool intercept(http_server_request const& request, http_exchange with) override
    {
        ++requests;
        return behind.intercept(request, std::move(with));
    }
};

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
    co_await pass(executor, 9min + 1s);
    BOOST_TEST(endpoint->sessions() == 1u);
    stream.close();
    co_await settle(executor);
    co_await pass(executor, 7min);
    BOOST_TEST(endpoint->sessions() == 1u);
    co_await pass(executor, 2min + 1s);
    BOOST_TEST(endpoint->sessions() == 0u);
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

LINKSPAN_CASE_IN(endpoint_world, idle_sessions_end_again_after_all_sessions_have_ended)
{
    serving.session_limits.idle_timeout = 8min;
    make_endpoint();
    for (int i = 0; i != 2; ++i) {
        co_await begin_session(*this);
        co_await pass(executor, 9min + 1s);
        BOOST_TEST(endpoint->sessions() == 0u);
        co_await pass(executor, 1h);
    }
}

LINKSPAN_CASE_IN(endpoint_world, idle_client_without_a_session_is_forgotten)
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
        co_await pass(executor, backend.requests == 2 ? 9min + 1s : 7min);
    }
    service.reset();
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
