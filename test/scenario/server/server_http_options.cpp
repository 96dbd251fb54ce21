// Options of an HTTP endpoint that omit parts of Streamable HTTP.

#include <string>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_options_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";

std::string end_session(std::string const& session) { return "DELETE /mcp HTTP/1.1\r\nHost: localhost" + session; }

} // namespace

LINKSPAN_CASE_IN(endpoint_world, endpoint_without_a_get_stream_refuses_a_get)
{
    serving.get_stream = false;
    make_endpoint();
    auto const session = co_await begin_session(*this);
    auto const opened =
        co_await exchange("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + session, "");
    BOOST_TEST(contains(opened, "HTTP/1.1 405"), opened);
    BOOST_TEST(contains(opened, "Allow: POST, DELETE\r\n"), opened);
    auto const served_one = co_await exchange(post(session), std::string(ping));
    BOOST_TEST(contains(served_one, "HTTP/1.1 200"), served_one);
}

LINKSPAN_CASE_IN(endpoint_world, endpoint_without_delete_refuses_a_delete_and_keeps_the_session)
{
    serving.delete_session = false;
    make_endpoint();
    auto const session = co_await begin_session(*this);
    auto const ended = co_await exchange(end_session(session), "");
    BOOST_TEST(contains(ended, "HTTP/1.1 405"), ended);
    BOOST_TEST(contains(ended, "Allow: POST, GET\r\n"), ended);
    BOOST_TEST(endpoint->sessions() == 1u);
    auto const served_one = co_await exchange(post(session), std::string(ping));
    BOOST_TEST(contains(served_one, "HTTP/1.1 200"), served_one);
}

LINKSPAN_CASE_IN(endpoint_world, endpoint_has_sessions_a_get_stream_and_delete_by_default)
{
    make_endpoint();
    auto const session = co_await begin_session(*this);
    raw_http::client stream(executor);
    endpoint->serve(stream.other());
    co_await stream.write(get_stream(session));
    auto const opened = co_await stream.read_until("\r\n\r\n");
    BOOST_TEST(contains(opened, "HTTP/1.1 200"), opened);
    BOOST_TEST(endpoint->sessions() == 1u);
    auto const ended = co_await exchange(end_session(session), "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    BOOST_TEST(endpoint->sessions() == 0u);
    stream.close();
    co_await settle(executor);
}

BOOST_AUTO_TEST_SUITE_END()
