#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <deque>

#include "http_case.hpp"

using namespace linkspan::test;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::http;
using linkspan::http_exchange;
using linkspan::http_server_request;
using linkspan::legacy_sse;
using linkspan::revision;
using linkspan::streamable_http;
using form = http_server_options::form;

BOOST_AUTO_TEST_SUITE(http_client_test)

// What real servers say to a method that they do not know.
static constexpr auto method_not_allowed =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}})";

// Plain ways

HTTP_CASE(a_stateless_server_answers_as_json_and_as_a_stream)
{
    for (auto const answers : {form::json, form::stream}) {
        serving.answers = answers;
        serve(modern);
        add().then(text("5"));
        co_await open();
        auto const got = co_await ask();
        BOOST_TEST(!got.ec, got.ec.message());
        BOOST_TEST(got.result.text() == "5");
        BOOST_TEST(web->requests("GET") == 0u);
        BOOST_TEST(web->requests("DELETE") == 0u);
        auto const& seen = last("POST", "tools/call");
        BOOST_TEST(seen.target == "/mcp");
        BOOST_TEST(seen.header("host") == "server");
        BOOST_TEST(seen.header("mcp-method") == "tools/call");
        BOOST_TEST(seen.header("mcp-name") == "add");
        BOOST_TEST(seen.header("mcp-protocol-version") == "2026-07-28");
        BOOST_TEST(seen.header("mcp-session-id") == "");
        BOOST_TEST(seen.header("accept") == "application/json, text/event-stream");
        BOOST_TEST(seen.header("content-type") == "application/json");
    }
}

HTTP_CASE(a_server_with_sessions_sees_the_headers_of_its_revision)
{
    for (auto const answers : {form::json, form::stream})
        for (auto const spoken : {revision::r2025_03_26, revision::r2025_06_18, revision::r2025_11_25}) {
            serving.answers = answers;
            serve({spoken});
            add().then(text("5"));
            co_await open();
            auto const got = co_await ask();
            BOOST_TEST(!got.ec, got.ec.message());
            auto const named = spoken == revision::r2025_03_26 ? "" : to_string(spoken);
            auto const id = std::string(last("POST", "tools/call").header("mcp-session-id"));
            BOOST_TEST(!id.empty());
            BOOST_TEST(web->sessions() == 1u);
            for (auto const* const part : {"tools/call", "notifications/initialized"}) {
                BOOST_TEST(last("POST", part).header("mcp-protocol-version") == named, part);
                BOOST_TEST(last("POST", part).header("mcp-session-id") == id, part);
                BOOST_TEST(last("POST", part).header("mcp-method") == "", part);
            }
            BOOST_TEST(last("GET").header("mcp-session-id") == id);
            BOOST_TEST(last("GET").header("mcp-protocol-version") == named);
            BOOST_TEST(last("GET").header("accept") == "text/event-stream");
            BOOST_TEST(last("POST", "\"initialize\"").header("mcp-session-id") == "");
            BOOST_TEST(last("POST", "\"initialize\"").header("mcp-protocol-version") == "");
            co_await client->async_shutdown(in_tuple);
            BOOST_TEST(web->requests("DELETE") == 1u);
            BOOST_TEST(last("DELETE").header("mcp-session-id") == id);
            BOOST_TEST(web->sessions() == 0u);
        }
}

HTTP_CASE(calls_one_after_another_take_one_connection)
{
    serve(modern);
    add().then(text("5"));
    co_await open();
    for (int i = 0; i != 5; ++i)
        BOOST_TEST(!(co_await ask()).ec);
    BOOST_TEST(web->connections() == 1u);
}

HTTP_CASE(many_calls_at_once_keep_to_the_size_of_the_pool)
{
    for (std::size_t const most : {64u, 4u}) {
        config.max_connections = most;
        serve(modern);
        std::size_t at_once = 0, peak = 0;
        auto begin = [&](exchange&, std::function<void()> const& next) {
            peak = std::max(peak, ++at_once);
            next();
        };
        auto end = [&](exchange&, std::function<void()> const& next) {
            --at_once;
            next();
        };
        add().then(action(begin), delay(1s), action(end), text("5"));
        co_await open();
        std::deque<answer_box> boxes(64);
        auto const began = time.now();
        for (auto& box : boxes)
            client->async_call_tool("add", {}, box.handler());
        co_await pass(executor, 20s);
        for (auto const& box : boxes) {
            BOOST_TEST(box.count == 1u);
            BOOST_TEST(!box.ec, box.ec.message());
        }
        BOOST_TEST(peak == most);
        BOOST_TEST(web->connections() <= most + 1);
        BOOST_TEST((time.now() - began >= 64s / static_cast<int>(most)));
    }
}

HTTP_CASE(an_unused_connection_is_closed)
{
    config.idle_limit = 5s;
    serve(modern);
    add().then(text("5"));
    co_await open();
    co_await ask();
    BOOST_TEST(web->open_connections() == 1u);
    co_await pass(executor, 4s);
    co_await settle(executor);
    BOOST_TEST(web->open_connections() == 1u);
    co_await pass(executor, 2s);
    BOOST_TEST(web->open_connections() == 0u);
    BOOST_TEST(!(co_await ask()).ec);
    BOOST_TEST(web->connections() == 2u);
}

HTTP_CASE(a_connection_that_the_server_has_closed_is_not_used_again)
{
    serve(modern);
    add().then(text("5"));
    co_await open();
    web->drop_connections();
    co_await settle(executor);
    BOOST_TEST(!(co_await ask()).ec);
    BOOST_TEST(web->connections() == 2u);
    BOOST_TEST(web->requests("POST", "tools/call") == 1u);
}

HTTP_CASE(a_server_that_closes_behind_each_answer_does_not_make_the_pool_larger)
{
    config.max_connections = 1;
    serve(modern);
    std::size_t at_once = 0, peak = 0;
    auto begin = [&](exchange&, std::function<void()> const& next) {
        peak = std::max(peak, ++at_once);
        next();
    };
    auto end = [&](exchange&, std::function<void()> const& next) {
        --at_once;
        next();
    };
    // Its connections are kept until they are looked at, and are found closed then.
    auto close = [&](exchange&, std::function<void()> const& next) {
        net->close_all();
        next();
    };
    add().then(action(begin), delay(1s), action(end), text("5"), action(close));
    co_await open();
    std::deque<answer_box> boxes(8);
    for (auto& box : boxes)
        client->async_call_tool("add", {}, box.handler());
    co_await pass(executor, 20s);
    for (auto const& box : boxes)
        BOOST_TEST(box.result.text() == "5");
    BOOST_TEST(peak == 1u);
}

HTTP_CASE(a_stream_that_goes_on_behind_the_answer_does_not_keep_its_place_in_the_pool)
{
    config.max_connections = 1;
    serve(modern);
    add().then(text("5"));
    auto first = [this](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        if (!has_part(what.body, "tools/call") || web->requests("POST", "tools/call") != 1)
            return false;
        with.begin_stream();
        auto const answer = with_id(five, what.body);
        with.event({.data = answer});
        asio::co_spawn(
            executor,
            [this, with]() mutable -> asio::awaitable<void> {
                for (int i = 0; i != 100 && !with.is_over(); ++i) {
                    co_await pass(executor, 300ms);
                    with.comment("still here");
                }
            },
            asio::detached);
        return true;
    };
    web->intercept(first);
    co_await open();
    BOOST_TEST((co_await ask()).result.text() == "5");
    auto const began = time.now();
    BOOST_TEST((co_await ask()).result.text() == "5");
    BOOST_TEST((time.now() - began <= 2s));
    client.reset();
    co_await pass(executor, 1s);
}

// Answers that come by another way than that of their request

// Keeps the exchanges of all calls, and the stream of what the server says unasked.
struct crossed_world : http_world {
    std::deque<http_exchange> calls;
    std::vector<std::string> asked;
    http_exchange unasked;
    bool has_begun = true; // the stream of each call

    crossed_world() { config.max_connections = 1; }

    asio::awaitable<void> start()
    {
        calls.clear();
        asked.clear();
        has_begun = true;
        serve(legacy);
        add();
        web->intercept([this](http_server_request const& what, http_exchange with) {
            if (what.method == "GET") {
                unasked = with;
                with.begin_stream();
            } else if (has_part(what.body, "tools/call")) {
                calls.push_back(with);
                asked.push_back(what.body);
                if (has_begun)
                    with.begin_stream();
            } else {
                return false;
            }
            return true;
        });
        co_await open();
    }

    asio::awaitable<void> begin(answer_box& box)
    {
        client->async_call_tool("add", {}, box.handler());
        co_await settle(executor);
    }

    // An answer to the call with that number, by whatever way.
    void answer(std::size_t call, http_exchange by) const { answer_id(id_of(asked.at(call)), by); }

    void answer_id(int id, http_exchange by) const
    {
        auto const text = with_id(five, R"({"id":)" + std::to_string(id) + "}");
        by.event({.data = text});
    }

    static int id_of(std::string_view request)
    {
        return std::stoi(std::string(linkspan::json_scan::member(request, "id")));
    }

    void clean_up()
    {
        http_world::clean_up();
        calls.clear();
        unasked = {};
    }
};

LINKSPAN_CASE_IN(crossed_world, an_answer_that_comes_by_another_stream_frees_the_connection_that_waited_for_it)
{
    enum class rest { comes, of_a_stream, of_nothing };
    for (auto const left : {rest::comes, rest::of_a_stream, rest::of_nothing})
        for (bool const by_a_call : {false, true}) {
            config.max_connections = by_a_call ? 2 : 1;
            co_await start();
            answer_box beside, first, next;
            if (by_a_call)
                co_await begin(beside);
            has_begun = left != rest::of_nothing;
            co_await begin(first);
            co_await begin(next);
            std::size_t const own = by_a_call ? 1 : 0;
            BOOST_TEST_REQUIRE(calls.size() == own + 1); // the next one waits for its place
            auto const made = web->connections();
            answer(own, by_a_call ? calls[0] : unasked);
            co_await settle(executor);
            BOOST_TEST(first.result.text() == "5", first.ec.message());
            // The rest may come, so that the connection can be kept; what never comes is not awaited for long.
            BOOST_TEST(!calls[own].is_over());
            BOOST_TEST(calls.size() == own + 1);
            if (left == rest::comes)
                calls[own].end();
            else
                co_await pass(executor, 1s);
            co_await settle(executor);
            BOOST_TEST(calls[own].is_over());
            BOOST_TEST_REQUIRE(calls.size() == own + 2);
            BOOST_TEST(web->connections() == made + (left == rest::comes ? 0u : 1u));
            has_begun = true;
            answer(own + 1, unasked);
            if (by_a_call)
                answer(0, unasked);
            co_await pass(executor, 2s);
            BOOST_TEST(next.result.text() == "5", next.ec.message());
            BOOST_TEST(web->open_connections() == 1u); // that stream
            BOOST_TEST(first.count == 1u);
            BOOST_TEST(next.count == 1u);
            BOOST_TEST(beside.count == own);
        }
}

// A server that guesses what it will be asked. There is nothing to gain for it, and nothing to break.
LINKSPAN_CASE_IN(crossed_world, a_call_that_is_answered_before_it_was_sent_is_not_sent)
{
    co_await start();
    answer_box first, next, last;
    co_await begin(first);
    co_await begin(next);
    answer_id(id_of(asked[0]) + 1, unasked);
    co_await settle(executor);
    BOOST_TEST(next.result.text() == "5", next.ec.message());
    answer(0, calls[0]);
    calls[0].end();
    co_await begin(last);
    BOOST_TEST(first.result.text() == "5");
    BOOST_TEST_REQUIRE(calls.size() == 2u);
    answer(1, calls[1]);
    co_await settle(executor);
    BOOST_TEST(last.result.text() == "5");
}

LINKSPAN_CASE_IN(crossed_world, a_call_that_is_answered_while_its_connection_is_made_is_not_sent)
{
    co_await start();
    answer_box before, first, next;
    co_await begin(before);
    answer(0, calls[0]);
    co_await pass(executor, 2s); // and then there is no connection for the next one
    net->takes = 1s;
    co_await begin(first);
    answer_id(id_of(asked[0]) + 1, unasked);
    co_await settle(executor);
    BOOST_TEST(first.result.text() == "5", first.ec.message());
    co_await begin(next);
    co_await pass(executor, 2s);
    BOOST_TEST(first.count == 1u);
    BOOST_TEST_REQUIRE(calls.size() == 2u);
    answer(1, calls[1]);
    co_await settle(executor);
    BOOST_TEST(next.result.text() == "5");
}

HTTP_CASE(an_answer_before_the_whole_request_was_taken_counts)
{
    serve(modern);
    add().then(text("5"));
    co_await open();
    BOOST_TEST_REQUIRE(net->ends.size() == 1u);
    net->ends[0].out->capacity(64);
    BOOST_TEST((co_await ask()).result.text() == "5");
}

// The chain of revisions

HTTP_CASE(an_older_server_of_streams_is_found)
{
    serving.sse_path = "/sse";
    config.url = "http://server/sse";
    for (int const status : {400, 404, 405}) {
        serve({revision::r2024_11_05});
        add().then(text("5"));
        web->answer_next("POST", "server/discover", status);
        web->answer_next("POST", "\"initialize\"", status);
        co_await open<http>();
        BOOST_TEST((co_await ask()).result.text() == "5");
        BOOST_TEST(web->requests("GET") == 1u);
        BOOST_TEST((client->spoken() == revision::r2024_11_05));
    }
}

HTTP_CASE(nor_does_an_error_in_the_refusal_hide_it)
{
    serving.sse_path = "/sse";
    config.url = "http://server/sse";
    serve({revision::r2024_11_05});
    add().then(text("5"));
    web->answer_next("POST", "server/discover", 405);
    web->answer_next("POST", "\"initialize\"", 405, {}, method_not_allowed);
    co_await open<http>();
    BOOST_TEST((co_await ask()).result.text() == "5");
    BOOST_TEST((client->spoken() == revision::r2024_11_05));
}

HTTP_CASE(an_error_that_refuses_the_handshake_is_told_where_there_is_no_stream)
{
    serve(modern);
    auto first = [](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        if (what.body.find("\"initialize\"") != what.body.npos)
            with.answer(400, {}, method_not_allowed);
        else
            with.answer(405);
        return true;
    };
    web->intercept(first);
    auto const ec = co_await open_in_vain<http>();
    BOOST_TEST((ec == linkspan::error_code(-32000, linkspan::rpc_category())), ec.message());
    BOOST_TEST(web->requests("GET") == 1u);
}

HTTP_CASE(where_nothing_answers_the_first_refusal_is_told)
{
    serve(modern);
    auto first = [](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        with.answer(what.method == "POST" ? 405 : 406);
        return true;
    };
    web->intercept(first);
    auto const ec = co_await open_in_vain<http>();
    BOOST_TEST((ec == linkspan::error_code(405, linkspan::http_category())), ec.message());
    BOOST_TEST(web->requests("GET") == 1u);
}

HTTP_CASE(another_refusal_is_no_sign_of_an_older_server)
{
    serve(modern);
    auto first = [](linkspan::http_server_request const&, linkspan::http_exchange with) {
        with.answer(403);
        return true;
    };
    web->intercept(first);
    auto const ec = co_await open_in_vain<http>();
    BOOST_TEST((ec == linkspan::error_code(403, linkspan::http_category())), ec.message());
    BOOST_TEST(web->requests("GET") == 0u);
}

// HTTP with SSE of 2024-11-05

struct old_world : http_world {
    old_world()
    {
        serving.sse_path = "/sse";
        config.url = "http://server/sse";
    }

    // The first event of the stream is `endpoint`, and nothing follows.
    void point_to(std::string endpoint)
    {
        web->intercept(
            [endpoint = std::move(endpoint)](linkspan::http_server_request const& what, linkspan::http_exchange with) {
                if (what.method != "GET")
                    return false;
                with.begin_stream();
                with.event({.data = endpoint, .type = "endpoint"});
                return true;
            });
    }
};

LINKSPAN_CASE_IN(old_world, a_server_of_streams_answers_and_is_asked_where_it_says)
{
    serve({revision::r2024_11_05});
    add().then(text("5"));
    co_await open<legacy_sse>();
    BOOST_TEST((co_await ask()).result.text() == "5");
    BOOST_TEST(last("POST", "tools/call").target.starts_with("/message?sessionId="));
    BOOST_TEST(web->requests("POST", "server/discover") == 0u);
}

LINKSPAN_CASE_IN(old_world, an_endpoint_is_relative_or_of_the_same_origin)
{
    for (auto const* const endpoint :
         {"/there?s=1", "http://server/there?s=1", "http://server:80/there?s=1", "there?s=1"}) {
        serve({revision::r2024_11_05});
        point_to(endpoint);
        options.startup_limit = 1s;
        co_await open_in_vain<legacy_sse>();
        BOOST_TEST(last("POST", "initialize").target == "/there?s=1", endpoint);
    }
    for (auto const* const endpoint :
         {"http://other/there", "https://server/there", "http://server:81/there", "//other/there"}) {
        serve({revision::r2024_11_05});
        point_to(endpoint);
        auto const ec = co_await open_in_vain<legacy_sse>();
        BOOST_TEST((ec == error::address_forbidden), endpoint << ": " << ec.message());
        BOOST_TEST(web->requests("POST") == 0u);
    }
}

LINKSPAN_CASE_IN(old_world, a_stream_without_an_endpoint_is_awaited_for_a_while)
{
    serve({revision::r2024_11_05});
    auto first = [](linkspan::http_server_request const&, linkspan::http_exchange with) {
        with.begin_stream();
        return true;
    };
    web->intercept(first);
    config.control_limit = 3s;
    auto const ec = co_await open_in_vain<legacy_sse>();
    BOOST_TEST((ec == error::attempt_timed_out), ec.message());
    BOOST_TEST((since_start(time) == 3s));
    serve({revision::r2024_11_05});
    web->intercept(first);
    config.auth = linkspan::token_provider{[](auto const&, auto done) { done({}, {"t", {}}); }};
    auto const began = time.now();
    auto const with_token = co_await open_in_vain<legacy_sse>();
    BOOST_TEST((with_token == error::attempt_timed_out), with_token.message());
    BOOST_TEST((time.now() - began == 3s));
}

LINKSPAN_CASE_IN(old_world, what_is_no_stream_is_told)
{
    serve({revision::r2024_11_05});
    web->answer_next("GET", "", 401);
    auto const refused = co_await open_in_vain<legacy_sse>();
    BOOST_TEST((refused == linkspan::error_code(401, linkspan::http_category())), refused.message());
    web->answer_next("GET", "", 200, {{"Content-Type", "text/html"}}, "<html>");
    auto const page = co_await open_in_vain<legacy_sse>();
    BOOST_TEST((page == error::malformed_http), page.message());
}

LINKSPAN_CASE_IN(old_world, to_lose_the_stream_is_to_lose_the_session)
{
    serve({revision::r2024_11_05});
    add().then(hang());
    co_await open<legacy_sse>();
    answer_box box;
    client->async_call_tool("add", {}, box.handler());
    co_await settle(executor);
    web->drop_connections();
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(to_string(box.how()) == "unknown");
    BOOST_TEST((client->state() == linkspan::session_state::closed));
}

LINKSPAN_CASE_IN(old_world, a_post_that_is_refused_fails_its_call_alone)
{
    serve({revision::r2024_11_05});
    add().then(text("5"));
    co_await open<legacy_sse>();
    web->answer_next("POST", "tools/call", 413);
    auto const refused = co_await ask();
    BOOST_TEST((refused.ec == linkspan::error_code(413, linkspan::http_category())), refused.ec.message());
    BOOST_TEST(to_string(refused.how()) == "refused");
    BOOST_TEST((co_await ask()).result.text() == "5");
}

LINKSPAN_CASE_IN(old_world, an_endpoint_is_relative_to_where_the_stream_was_found)
{
    serve({revision::r2024_11_05});
    options.startup_limit = 1s;
    web->intercept([](linkspan::http_server_request const& what, linkspan::http_exchange with) {
        if (what.method != "GET")
            return false;
        if (what.target == "/sse") {
            with.answer(307, {{"Location", "/v2/sse"}});
        } else {
            with.begin_stream();
            with.event({.data = "there", .type = "endpoint"});
        }
        return true;
    });
    co_await open_in_vain<legacy_sse>();
    BOOST_TEST(last("POST", "initialize").target == "/v2/there");
}

// What the server asks

HTTP_CASE(requests_of_the_server_are_answered_by_post)
{
    for (bool const on_get : {false, true}) {
        serving.asks_on_get = on_get;
        serve(legacy);
        add().then(linkspan::test::ask("ping"), text("5"));
        co_await open();
        auto const got = co_await this->ask();
        BOOST_TEST(got.result.text() == "5");
        BOOST_TEST(last("POST", "\"result\":{}").header("mcp-session-id") ==
                   last("POST", "tools/call").header("mcp-session-id"));
        BOOST_TEST(web->requests("POST", "\"result\":{}") == 1u);
    }
}

HTTP_CASE(a_question_to_the_user_is_answered_by_post)
{
    for (bool const on_get : {false, true}) {
        serving.asks_on_get = on_get;
        serve(legacy);
        add().then(linkspan::test::ask("elicitation/create",
                                       R"({"message":"Who?","requestedSchema":{"type":"object","properties":{}}})"),
                   text("5"));
        auto& asked = make();
        asked.on_request("elicitation/create", [](std::string_view, linkspan::responder reply) {
            reply(boost::json::object{{"action", "decline"}});
        });
        BOOST_TEST_REQUIRE(!std::get<0>(co_await asked.async_open(in_tuple)));
        co_await settle(executor);
        auto const got = co_await this->ask();
        BOOST_TEST(got.result.text() == "5", got.ec.message());
        BOOST_TEST(web->requests("POST", R"({"action":"decline"})") == 1u);
        BOOST_TEST(last("POST", "decline").header("mcp-protocol-version") == "2025-11-25");
    }
}

HTTP_CASE(many_answers_of_ours_at_once_take_turns_and_hold_no_call_up)
{
    constexpr std::size_t questions = 50, most = 8;
    config.max_connections = 1;
    for (bool const takes : {true, false}) {
        serve(legacy);
        add().then(text("5"));
        std::size_t now = 0, peak = 0;
        http_exchange unasked;
        web->intercept([&](http_server_request const& what, http_exchange with) {
            if (what.method == "GET") {
                unasked = with;
                with.begin_stream();
                return true;
            }
            if (!has_part(what.body, "\"result\":{}"))
                return false;
            peak = std::max(peak, ++now);
            with.on_gone([&] { --now; });
            if (takes)
                asio::co_spawn(
                    executor,
                    [this, with, &now]() mutable -> asio::awaitable<void> {
                        co_await pass(executor, 1s);
                        --now;
                        with.answer(202);
                    },
                    asio::detached);
            return true;
        });
        co_await open();
        for (std::size_t i = 0; i != questions; ++i) {
            auto const question = R"({"jsonrpc":"2.0","id":"q)" + std::to_string(i) + R"(","method":"ping"})";
            unasked.event({.data = question});
        }
        co_await settle(executor);
        BOOST_TEST(now == most);
        auto const began = time.now();
        BOOST_TEST((co_await ask()).result.text() == "5");
        BOOST_TEST((time.now() == began));
        BOOST_TEST(web->requests("POST", "\"result\":{}") == most);
        BOOST_TEST(web->open_connections() == most + 2);
        // One that is not taken is left after the limit of what is no request, and its connection with it.
        auto const each = takes ? 1s : config.control_limit;
        co_await pass(executor, each * 7);
        co_await settle(executor);
        BOOST_TEST(now == 0u);
        BOOST_TEST(peak == most);
        for (std::size_t i = 0; i != questions; ++i)
            BOOST_TEST(web->requests("POST", "\"q" + std::to_string(i) + "\"") == 1u, i);
        client.reset();
        co_await settle(executor);
    }
}

BOOST_AUTO_TEST_SUITE_END()
