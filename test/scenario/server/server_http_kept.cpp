// The limit on the messages that all sessions of an HTTP server together keep.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "support/contains.hpp"
#include "support/polling_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_kept_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// A server whose sessions together keep 10,000 bytes.
struct kept_world : polling_endpoint {
    kept_world() { serving.session_limits.max_all_kept_bytes = 10'000; }

    // Sends a call whose response of a size is kept, and returns the id of the first event of its stream.
    asio::awaitable<std::string> keep_response(std::string session, std::size_t size)
    {
        auto const first = co_await begin_call(session);
        complete(size);
        co_await settle(executor);
        co_return first;
    }

    // Polls a response, and returns its status in the head or its error; empty: the response is complete.
    asio::awaitable<std::string> fault_of(std::string session, std::string first, std::size_t size)
    {
        auto const end = std::string(size, 'x');
        auto const polled = co_await resume(session, first, "\n\n0\r\n\r\n");
        if (contains(polled, end))
            co_return "";
        if (contains(polled, "exceeds the memory that is left for all clients that resume a stream"))
            co_return "-32603";
        co_return polled.substr(0, std::string_view("HTTP/1.1 400").size());
    }
};

// An update of a resource with a long URI.
std::string long_uri(char name) { return "file:///" + std::string(992, name); }

// A server whose sessions have no stream, and cannot resume one.
struct waiting_world : endpoint_world {
    waiting_world()
    {
        serving.resumable = false;
        serving.session_limits.max_all_kept_bytes = 2'999; // the messages have more than 1,000 bytes each
    }

    server& make_resources()
    {
        auto& own = make_endpoint(protocol_version::v2025_11_25);
        for (char const name : {'a', 'b', 'c'})
            own.add(resource{.uri = long_uri(name), .name = std::string(1, name)}, [](server_request) {});
        return own;
    }

    // Begins a session that is subscribed to resources.
    asio::awaitable<std::string> subscribe(std::string_view names)
    {
        auto session = co_await begin_session(*this);
        co_await exchange(post(session), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        for (char const name : names)
            co_await exchange(post(session),
                              R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":")" +
                                  long_uri(name) + R"("}})");
        co_return session;
    }

    // Opens the stream of a session, and returns what it receives until the next update of "c".
    asio::awaitable<std::string> read_stream(std::string session, server& own)
    {
        raw_http::client stream(executor);
        endpoint->serve(stream.other());
        co_await stream.write(get_stream(session));
        co_await settle(executor);
        own.resource_updated(long_uri('c'));
        auto received = co_await stream.read_until("ccc\"}}\n");
        stream.close();
        co_await settle(executor);
        co_return received;
    }
};

} // namespace

LINKSPAN_CASE_IN(kept_world, response_without_room_becomes_an_error_and_other_sessions_keep_theirs)
{
    make_hold();
    auto const ada = co_await begin_session(*this);
    auto const eve = co_await begin_session(*this);
    auto const of_ada = co_await keep_response(ada, 6'000);
    auto const late = co_await keep_response(eve, 6'000);
    BOOST_TEST(co_await fault_of(eve, late, 6'000) == "-32603");
    auto const short_one = co_await keep_response(eve, 3'000);
    BOOST_TEST(co_await fault_of(eve, short_one, 3'000) == "");
    BOOST_TEST(co_await fault_of(ada, of_ada, 6'000) == "");
}

LINKSPAN_CASE_IN(kept_world, session_without_room_discards_its_own_oldest_messages)
{
    make_hold();
    auto const ada = co_await begin_session(*this);
    auto const eve = co_await begin_session(*this);
    auto const of_eve = co_await keep_response(eve, 1'500);
    auto const first = co_await keep_response(ada, 6'000);
    auto const second = co_await keep_response(ada, 6'000);
    BOOST_TEST(co_await fault_of(ada, first, 6'000) == "HTTP/1.1 400");
    BOOST_TEST(co_await fault_of(ada, second, 6'000) == "");
    BOOST_TEST(co_await fault_of(eve, of_eve, 1'500) == "");
}

LINKSPAN_CASE_IN(kept_world, sessions_of_one_principal_keep_a_quarter_and_leave_room_for_others)
{
    serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
        http_admission admission;
        admission.principal = request.header("Authorization");
        done(std::move(admission));
    };
    make_hold();
    auto const begin = [this](std::string principal) -> asio::awaitable<std::string> {
        auto const field = "\r\nAuthorization: " + principal;
        auto const begun = co_await exchange(post(field), std::string(initialize));
        co_return "\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + header(begun, "Mcp-Session-Id") + field;
    };
    auto const first = co_await begin("ada");
    auto const second = co_await begin("ada");
    auto const other = co_await begin("eve");
    auto const kept = co_await keep_response(first, 1'500);
    auto const late = co_await keep_response(second, 1'500);
    auto const of_other = co_await keep_response(other, 1'500);
    BOOST_TEST(co_await fault_of(second, late, 1'500) == "-32603");
    BOOST_TEST(co_await fault_of(first, kept, 1'500) == "");
    BOOST_TEST(co_await fault_of(other, of_other, 1'500) == "");
}

LINKSPAN_CASE_IN(kept_world, messages_of_an_ended_session_are_not_counted)
{
    make_hold();
    auto const ada = co_await begin_session(*this);
    auto const eve = co_await begin_session(*this);
    co_await keep_response(ada, 8'000);
    auto const refused = co_await keep_response(eve, 8'000);
    BOOST_TEST(co_await fault_of(eve, refused, 8'000) == "-32603");
    auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + ada, "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    auto const kept = co_await keep_response(eve, 8'000);
    BOOST_TEST(co_await fault_of(eve, kept, 8'000) == "");
}

LINKSPAN_CASE_IN(kept_world, messages_of_an_ended_session_without_a_timeout_are_not_counted)
{
    serving.session_limits.idle_timeout = duration::max();
    make_hold();
    auto const ada = co_await begin_session(*this);
    auto const eve = co_await begin_session(*this);
    co_await keep_response(ada, 8'000);
    auto const first = co_await begin_call(eve);
    auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + ada, "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    complete(8'000); // without a request after the end of the other session
    co_await settle(executor);
    BOOST_TEST(co_await fault_of(eve, first, 8'000) == "");
}

LINKSPAN_CASE_IN(kept_world, events_of_other_sessions_that_are_too_old_leave_room)
{
    make_hold();
    auto const ada = co_await begin_session(*this);
    auto const eve = co_await begin_session(*this);
    co_await keep_response(ada, 8'000);
    co_await pass(executor, serving.session_limits.resume.max_age);
    auto const refused = co_await keep_response(eve, 8'000);
    BOOST_TEST(co_await fault_of(eve, refused, 8'000) == "-32603");
    co_await pass(executor, 1s);
    auto const kept = co_await keep_response(eve, 8'000);
    BOOST_TEST(co_await fault_of(eve, kept, 8'000) == "");
}

LINKSPAN_CASE_IN(kept_world, messages_of_streams_that_were_removed_are_not_counted)
{
    serving.session_limits.max_all_kept_bytes = 200'000;
    make_hold();
    auto const ada = co_await begin_session(*this);
    auto const eve = co_await begin_session(*this);
    for (int i = 0; i != 200; ++i) // 64 streams with 1,100 bytes remain, which count twice
        co_await keep_response(ada, 1'000);
    auto const kept = co_await keep_response(eve, 20'000);
    BOOST_TEST(co_await fault_of(eve, kept, 20'000) == "");
}

LINKSPAN_CASE_IN(kept_world, kept_messages_are_not_limited_by_zero)
{
    serving.session_limits.max_all_kept_bytes = 0;
    make_hold();
    for (int i = 0; i != 3; ++i) {
        auto const session = co_await begin_session(*this);
        auto const first = co_await keep_response(session, 8'000);
        BOOST_TEST(co_await fault_of(session, first, 8'000) == "");
    }
}

LINKSPAN_CASE_IN(waiting_world, message_that_waits_for_a_stream_discards_no_message_of_another_session)
{
    auto& own = make_resources();
    auto const ada = co_await subscribe("abc");
    auto const eve = co_await subscribe("bc");
    own.resource_updated(long_uri('a'));
    co_await settle(executor);
    own.resource_updated(long_uri('b')); // has room in one session
    co_await settle(executor);
    auto const first = co_await read_stream(ada, own);
    auto const second = co_await read_stream(eve, own);
    BOOST_TEST(contains(first, long_uri('a')));
    BOOST_TEST(contains(first, long_uri('b')));
    BOOST_TEST(!contains(second, long_uri('b')));
    BOOST_TEST(contains(second, long_uri('c')));
    auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost" + ada, "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    own.resource_updated(long_uri('b')); // the messages that were sent, and the ended session, have left room
    co_await settle(executor);
    BOOST_TEST(contains(co_await read_stream(eve, own), long_uri('b')));
}

LINKSPAN_CASE_IN(waiting_world, limit_of_waiting_messages_is_exact_after_messages_were_written_discarded_or_resumed)
{
    for (bool const is_resumable : {false, true}) {
        serving.resumable = is_resumable;
        serving.session_limits.max_all_kept_bytes = 0;
        serving.session_limits.max_waiting_bytes = 2'999;
        auto& own = make_resources();
        auto const session = co_await subscribe("abc");
        for (int i = 0; i != 6; ++i) {
            for (char const name : {'a', 'b', 'c'}) {
                own.resource_updated(long_uri(name));
                co_await settle(executor);
            }
            auto const received = co_await read_stream(session, own);
            BOOST_TEST(!contains(received, long_uri('a')), i);
            BOOST_TEST(contains(received, long_uri('b')), i);
            if (!is_resumable)
                continue;
            own.resource_updated(long_uri('a')); // waits, and is resumed
            co_await settle(executor);
            auto const id = received.find("id: ") + 4;
            raw_http::client stream(executor);
            endpoint->serve(stream.other());
            co_await stream.write(
                get_stream(session + "\r\nLast-Event-ID: " + received.substr(id, received.find('\n', id) - id)));
            auto const resumed = co_await stream.read_until("aaa\"}}\n");
            BOOST_TEST(contains(resumed, long_uri('a')), i);
            stream.close();
            co_await settle(executor);
        }
    }
}

LINKSPAN_CASE_IN(waiting_world, message_that_is_too_long_to_be_stored_discards_no_waiting_message)
{
    serving.resumable = true;
    serving.response_form = http_service_options::form::stream;
    serving.session_limits.max_all_kept_bytes = 10'000;
    serving.session_limits.resume.max_bytes = 2'000;
    auto& own = make_resources();
    own.add(any_tool("long"),
            [](server_request request) { request.complete(tool_output::text(std::string(9'500, 'x'))); });
    auto const session = co_await subscribe("ac");
    own.resource_updated(long_uri('a'));
    co_await settle(executor);
    auto const called = co_await exchange(
        post(session), R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"long"}})", "0\r\n\r\n");
    BOOST_TEST(contains(called, std::string(9'500, 'x')));
    BOOST_TEST(contains(co_await read_stream(session, own), long_uri('a')));
}

BOOST_AUTO_TEST_SUITE_END()
