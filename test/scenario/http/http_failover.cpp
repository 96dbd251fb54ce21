// A server over HTTP that is lost while it streams a response: resumption of the stream or failover of the call.

#include <linkspan/connector.hpp>
#include <linkspan/policy/fallback.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <deque>

#include "support/connector_case.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_failover_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::test::contains;

namespace {

// One HTTP server whose streams can be resumed.
struct resumable_server {
    asio::any_io_executor executor;
    std::shared_ptr<memory_dialer> net = std::make_shared<memory_dialer>();
    scripted_server server;
    std::string path; // the path of its URL
    std::unique_ptr<http_server> web;
    time_point stopped_at{};

    resumable_server(asio::any_io_executor given, std::vector<protocol_version> versions, http_server_options serving)
        : executor(std::move(given)),
          server(std::move(versions)),
          path(serving.sse_path.empty() ? serving.path : serving.sse_path)
    {
        web = std::make_unique<http_server>(executor, server, std::move(serving));
        net->accept = [this](std::unique_ptr<byte_stream> stream) { web->serve(std::move(stream)); };
    }

    http_config config() const
    {
        http_config out;
        out.url = "http://server" + path;
        out.dialer = net;
        return out;
    }

    // Drops all connections and refuses new ones until `restart()`. Tools being executed continue.
    void stop()
    {
        stopped_at = time_source::of(executor).now();
        net->refusal = asio::error::connection_refused;
        web->drop_connections();
    }

    void restart() { net->refusal = {}; }

    // Returns an action that calls `stop()`.
    action stopping()
    {
        return [this](exchange&, std::function<void()> const& next) {
            stop();
            next();
        };
    }

    std::size_t executions() const { return server.received("\"tools/call\""); }
};

template<class... Policies>
struct failover_world : world {
    using hub_type = connector<transports<streamable_http, http_sse>, Policies...>;

    http_server_options serving;
    std::vector<protocol_version> versions = handshake_era;
    std::optional<resumable_server> a, b;
    std::optional<hub_type> hub;
    server_options first = with(9, replay_class::read_only), second = with(8, replay_class::read_only);
    duration elapsed{};
    action at_last = text("a"); // final action of the tool of "a"

    failover_world()
    {
        serving.response_form = http_server_options::form::stream;
        serving.resumable = true;
    }

    void replay(replay_class value) { first.tools["pay"].replay = second.tools["pay"].replay = value; }

    // Opens two servers. The tool of "a" runs for 5 s, and its server is lost after 500 ms; the tool of "b" responds
    // immediately.
    template<class Transport = streamable_http>
    asio::awaitable<void> open()
    {
        a.emplace(executor, versions, serving);
        b.emplace(executor, versions, serving);
        a->server.on(call("pay")).then(delay(500ms), a->stopping(), delay(4500ms), at_last);
        b->server.on(call("pay")).then(text("b"));
        hub.emplace(executor);
        hub->template add<Transport>("a", a->config(), first);
        hub->template add<Transport>("b", b->config(), second);
        auto const [ec, report] = co_await hub->async_open(in_tuple);
        BOOST_TEST_REQUIRE(!ec, ec.message());
        co_await settle(executor);
    }

    asio::awaitable<completion_box> request_payment(call_options options = {})
    {
        auto const began = time.now();
        auto [ec, result] = co_await hub->async_call("pay", {}, options, in_tuple);
        elapsed = time.now() - began;
        completion_box out;
        out.ec = ec;
        out.result = std::move(result);
        co_return out;
    }

    asio::awaitable<void> restart_later(duration span = 5s)
    {
        co_await pass(executor, span);
        a->restart();
    }

    void clean_up()
    {
        hub.reset();
        a.reset();
        b.reset();
    }
};

using plain_world = failover_world<>;
using cautious_world = failover_world<fallback::never_replay>;

} // namespace

LINKSPAN_CASE_IN(plain_world, read_only_call_with_lost_stream_fails_over_after_first_refused_resume)
{
    co_await open();
    auto const got = co_await request_payment();
    BOOST_TEST(!got.ec, got.ec.message());
    BOOST_TEST(got.result.text() == "b");
    BOOST_TEST((time.now() - a->stopped_at <= 2s));
    BOOST_TEST(trail_of(got.result) == "a unknown, b completed");
    BOOST_TEST(got.result.attempts()[0].detail == "stream lost, 1 attempt to resume failed");
    BOOST_TEST((got.result.attempts()[0].result.ec == asio::error::connection_refused));
    BOOST_TEST(a->executions() == 1u);
    auto const dials = a->net->dials;
    co_await pass(executor, 1min);
    BOOST_TEST(a->web->requests("GET") == 1u); // of the opening
    BOOST_TEST(dials >= 3u);
}

LINKSPAN_CASE_IN(plain_world, read_only_call_fails_over_within_two_seconds_despite_long_retry_of_server)
{
    serving.retry = 10s;
    co_await open();
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "b");
    BOOST_TEST((time.now() - a->stopped_at <= 2s));
    BOOST_TEST(got.result.attempts()[0].detail == "stream lost, attempt to connect failed");
    co_await pass(executor, 1min);
    BOOST_TEST(a->executions() == 1u);
}

LINKSPAN_CASE_IN(plain_world, unsafe_call_is_resumed_after_retry_of_server)
{
    for (bool const reachable : {false, true}) {
        replay(replay_class::never);
        serving.retry = 10s;
        co_await open();
        if (reachable)
            asio::co_spawn(executor, restart_later(600ms), asio::detached); // 100 ms after the loss
        else
            asio::co_spawn(executor, restart_later(5s), asio::detached);
        auto const got = co_await request_payment();
        BOOST_TEST(got.result.text() == "a");
        BOOST_TEST((time.now() - a->stopped_at >= 10s));
        BOOST_TEST((time.now() - a->stopped_at <= 11s));
        BOOST_TEST(a->web->requests("GET") == 3u); // two for the stream of the session, one to resume the response
        BOOST_TEST(a->web->open_connections() <= 2u);
        clean_up();
    }
}

LINKSPAN_CASE_IN(plain_world, idempotent_call_with_lost_stream_fails_over_within_two_seconds)
{
    replay(replay_class::idempotent);
    co_await open();
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "b");
    BOOST_TEST((time.now() - a->stopped_at <= 2s));
    BOOST_TEST(got.result.attempts()[0].detail == "stream lost, 1 attempt to resume failed");
    BOOST_TEST(a->executions() == 1u);
}

LINKSPAN_CASE_IN(plain_world, unsafe_call_with_lost_stream_is_resumed_until_server_is_reachable)
{
    for (auto const value : {replay_class::never, replay_class::keyed}) {
        replay(value);
        co_await open();
        asio::co_spawn(executor, restart_later(), asio::detached);
        auto const got = co_await request_payment();
        BOOST_TEST(!got.ec, got.ec.message());
        BOOST_TEST(got.result.text() == "a");
        BOOST_TEST(a->executions() == 1u);
        BOOST_TEST(b->executions() == 0u);
        clean_up();
    }
}

LINKSPAN_CASE_IN(plain_world, attempt_of_unsafe_call_with_lost_stream_counts_refused_resumes)
{
    replay(replay_class::never);
    co_await open();
    call_options patient;
    patient.idle_timeout = 1h;
    auto const got = co_await request_payment(patient);
    BOOST_TEST((got.ec == error::outcome_unknown), got.ec.message());
    BOOST_TEST(trail_of(got.result) == "a unknown");
    BOOST_TEST(got.result.attempts()[0].detail == "stream lost, 5 attempts to resume failed");
    BOOST_TEST((time.now() - a->stopped_at == 31s));
    BOOST_TEST(b->executions() == 0u);
}

LINKSPAN_CASE_IN(plain_world, attempt_that_times_out_between_resumes_counts_refused_resumes)
{
    replay(replay_class::never);
    co_await open();
    auto const got = co_await request_payment();
    BOOST_TEST((got.ec == error::outcome_unknown), got.ec.message());
    BOOST_TEST((got.result.attempts()[0].result.ec == error::attempt_timed_out));
    BOOST_TEST(got.result.attempts()[0].detail ==
               "stream lost, 4 attempts to resume failed; no response or progress within idle_timeout, 30000 ms; raise "
               "call_options::idle_timeout");
}

LINKSPAN_CASE_IN(plain_world, attempt_whose_stream_was_resumed_does_not_mention_refused_resumes)
{
    replay(replay_class::never);
    at_last = hang();
    co_await open();
    asio::co_spawn(executor, restart_later(), asio::detached);
    auto const got = co_await request_payment();
    BOOST_TEST((got.ec == error::outcome_unknown), got.ec.message());
    BOOST_TEST((got.result.attempts()[0].result.ec == error::attempt_timed_out));
    BOOST_TEST(got.result.attempts()[0].detail ==
               "no response or progress within idle_timeout, 30000 ms; raise call_options::idle_timeout");
}

LINKSPAN_CASE_IN(plain_world, read_only_call_without_another_eligible_server_is_resumed)
{
    for (int const way : {0, 1}) {
        co_await open();
        if (way == 0)
            co_await hub->async_disconnect("b", in_tuple);
        asio::co_spawn(executor, restart_later(), asio::detached);
        completion_box got;
        if (way == 0)
            got = co_await request_payment();
        else
            hub->on_server("a").async_call("pay", {}, got.handler());
        co_await pass(executor, 30s);
        BOOST_TEST(!got.ec, got.ec.message());
        BOOST_TEST(got.result.text() == "a", way);
        BOOST_TEST(a->executions() == 1u, way);
        clean_up();
    }
}

LINKSPAN_CASE_IN(cautious_world, read_only_call_is_resumed_if_policy_never_replays)
{
    co_await open();
    asio::co_spawn(executor, restart_later(), asio::detached);
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "a");
    BOOST_TEST(a->executions() == 1u);
    BOOST_TEST(b->executions() == 0u);
}

LINKSPAN_CASE_IN(plain_world, intercepted_call_with_lost_stream_fails_over_after_first_refused_resume)
{
    auto const pass_on = [](tool_request request, next_call next) -> asio::awaitable<call_result> {
        co_return co_await next(std::move(request));
    };
    first.interceptors.push_back(pass_on);
    co_await open();
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "b");
    BOOST_TEST((time.now() - a->stopped_at <= 2s));
    BOOST_TEST(got.result.attempts()[0].detail == "stream lost, 1 attempt to resume failed");
}

LINKSPAN_CASE_IN(plain_world, read_only_call_over_http_sse_fails_over_when_stream_is_lost)
{
    serving.sse_path = "/sse";
    versions = {protocol_version::v2024_11_05};
    co_await open<http_sse>();
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "b");
    BOOST_TEST((time.now() - a->stopped_at <= 2s));
    BOOST_TEST(trail_of(got.result) == "a unknown, b completed");
}

LINKSPAN_CASE_IN(plain_world, stateless_read_only_call_with_lost_stream_fails_over_immediately)
{
    versions = stateless_era;
    co_await open();
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "b");
    BOOST_TEST((time.now() - a->stopped_at <= 100ms));
}

LINKSPAN_CASE_IN(plain_world, stateless_call_that_is_repeated_after_a_broken_stream_has_a_new_id)
{
    a.emplace(executor, stateless_era, serving);
    a->server.on(call("pay")).once(delay(500ms), drop_connection()).then(text("a"));
    first.restart.max_restarts = 3;
    hub.emplace(executor);
    hub->add<streamable_http>("a", a->config(), first);
    co_await hub->async_open();
    auto const got = co_await request_payment();
    BOOST_TEST(got.result.text() == "a");
    BOOST_TEST(trail_of(got.result) == "a unknown, a completed");
    auto const ids = call_ids(a->server);
    BOOST_TEST_REQUIRE(ids.size() == 2u);
    BOOST_TEST(ids[0] != ids[1]);
}

// The tool was not executed, so that also a call that must not be repeated is sent again.
LINKSPAN_CASE(only_server_receives_the_call_again_after_the_pause_that_it_requested)
{
    resumable_server only(executor, {protocol_version::v2026_07_28}, {});
    only.server.on(call("pay")).then(text("paid"));
    connector<transports<streamable_http>> hub(executor);
    hub.add<streamable_http>("only", only.config());
    co_await hub.async_open();
    only.web->respond_next("POST", "tools/call", 503, {{"Retry-After", "7"}});
    auto const start = time.now();
    auto const paid = co_await hub.async_call("pay");
    BOOST_TEST(paid.text() == "paid");
    BOOST_TEST((time.now() - start == 7s));
    BOOST_TEST_REQUIRE(paid.attempts().size() == 2u);
    BOOST_TEST((paid.attempts()[0].result.certainty == certainty::refused));
    BOOST_TEST(only.executions() == 1u);

    // A pause that is longer than the policy waits ends the call.
    only.web->respond_next("POST", "tools/call", 503, {{"Retry-After", "61"}});
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST(result.attempts().size() == 1u);
    BOOST_TEST(only.executions() == 1u);
    hub.close();
}

BOOST_AUTO_TEST_SUITE_END()
