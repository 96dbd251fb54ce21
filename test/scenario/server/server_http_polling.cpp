// Messages of a server that are larger than the events that it stores for clients that poll or resume.

#include <cstddef>
#include <string>

#include "support/contains.hpp"
#include "support/polling_endpoint.hpp"

BOOST_AUTO_TEST_SUITE(server_http_polling_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t max_bytes = 10'000;

// A server that stores few bytes.
struct polling_world : polling_endpoint {
    polling_world() { serving.session_limits.resume.max_bytes = max_bytes; }
};

} // namespace

LINKSPAN_CASE_IN(polling_world, client_receives_an_error_for_a_response_that_is_too_large_to_be_polled)
{
    make_hold();
    auto& calls = dial();
    co_await calls.async_open();
    completion_box result, later;
    calls.async_call_tool("hold", result.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.has_value());
    complete(max_bytes);
    co_await pass(executor, 4s);
    BOOST_TEST(result.count == 1u);
    BOOST_TEST((result.ec == error_code(-32603, rpc_category())), result.ec.message());
    calls.async_call_tool("hold", later.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.has_value());
    complete(max_bytes / 2);
    co_await pass(executor, 4s);
    BOOST_TEST(later.count == 1u);
    BOOST_TEST(!later.ec);
    BOOST_TEST(later.result.text().size() == max_bytes / 2);
}

LINKSPAN_CASE_IN(polling_world, error_for_a_response_that_is_too_large_names_the_sizes)
{
    make_hold();
    auto const session = co_await begin_session(*this);
    auto const first = co_await begin_call(session);
    complete(max_bytes);
    auto const polled = co_await resume(session, first, "\n\n");
    BOOST_TEST(contains(polled, "HTTP/1.1 200"), polled);
    BOOST_TEST(contains(polled, R"("id":"call","error":{"code":-32603,"message":"response of 10)"), polled);
    BOOST_TEST(contains(polled, "exceeds 10000 bytes"), polled);
}

LINKSPAN_CASE_IN(polling_world, message_that_is_too_large_to_be_polled_does_not_discard_the_stream_of_a_request)
{
    make_hold();
    auto const session = co_await begin_session(*this);
    co_await exchange(post(session),
                      R"({"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":"info"}})");
    auto const first = co_await begin_call(session);
    auto const log = [&](std::size_t size) {
        held->log(log_level::info, raw_json('"' + std::string(size, 'y') + '"'));
    };
    log(max_bytes);
    log(1'000);
    error_code failed;
    held->session().async_request("own/large", raw_json(R"({"text":")" + std::string(max_bytes, 'z') + R"("})"), 60s,
                                  [&](error_code ec, std::string const&) { failed = ec; });
    co_await settle(executor);
    BOOST_TEST((failed == error::input_refused), failed.message()); // at once
    complete(10);
    auto const polled = co_await resume(session, first, "xxxxxxxxxx");
    BOOST_TEST(contains(polled, "HTTP/1.1 200"), polled);
    BOOST_TEST(contains(polled, std::string(1'000, 'y')), polled);
    BOOST_TEST(!contains(polled, std::string(1'001, 'y')), polled);
    BOOST_TEST(contains(polled, "xxxxxxxxxx"), polled);
}

LINKSPAN_CASE_IN(polling_world, large_response_on_an_open_stream_is_sent_and_other_streams_can_be_resumed)
{
    make_hold();
    auto const session = co_await begin_session(*this);
    auto const first = co_await begin_call(session);
    complete(1'000);
    auto const second = co_await begin_call(session);
    raw_http::client open(executor);
    endpoint->serve(open.other());
    co_await open.write(get_stream(session + "\r\nLast-Event-ID: " + second));
    co_await settle(executor);
    complete(2 * max_bytes);
    auto const received = co_await open.read_until("0\r\n\r\n");
    BOOST_TEST(contains(received, std::string(2 * max_bytes, 'x')));
    open.close();
    co_await settle(executor);
    auto const polled = co_await resume(session, first, std::string(1'000, 'x'));
    BOOST_TEST(contains(polled, std::string(1'000, 'x')), polled);
}

BOOST_AUTO_TEST_SUITE_END()
