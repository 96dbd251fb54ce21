#include <linkspan/session.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(session_test)

namespace asio = boost::asio;
using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error_code;

LINKSPAN_CASE(call_returns_result_of_tool)
{
    scripted_server server;
    server.on(call("greet")).then(delay(2s), text("hello"));
    linkspan::session session(executor, linkspan::via<linkspan::inproc>(server));
    co_await session.async_open();
    BOOST_TEST((session.protocol_version() == linkspan::protocol_version::v2026_07_28));
    boost::json::object const args{{"name", "you"}};
    auto const result = co_await session.async_call_tool("greet", args);
    BOOST_TEST(result.text() == "hello");
    BOOST_TEST((time.now() == linkspan::time_point(2s)));
    co_await session.async_shutdown();
}

BOOST_AUTO_TEST_SUITE_END()
