#include <linkspan/connector.hpp>
#include <linkspan/session/throwing.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(connector_test)

namespace asio = boost::asio;
using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::replay_class;
using hub_type = linkspan::connector<linkspan::transports<inproc>>;

namespace {

constexpr auto in_tuple = asio::as_tuple(asio::use_awaitable);

linkspan::server_options with(int priority, replay_class replay = replay_class::never)
{
    linkspan::server_options options;
    options.priority = priority;
    options.tools["pay"].replay = replay;
    return options;
}

} // namespace

LINKSPAN_CASE(call_is_sent_to_server_with_highest_priority)
{
    scripted_server a, b;
    a.on(call("greet")).then(text("a"));
    b.on(call("greet")).then(text("b"));
    hub_type hub(executor);
    hub.add<inproc>("a", a, with(1)).add<inproc>("b", b, with(2));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("greet");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST(result.server() == "b");
    BOOST_TEST(result.attempts().empty());
    co_await hub.async_shutdown();
}

LINKSPAN_CASE(call_with_lost_response_is_not_replayed_if_unsafe)
{
    scripted_server a, b;
    a.on(call("pay")).then(delay(1s), drop_connection());
    b.on(call("pay")).then(text("paid"));
    hub_type hub(executor);
    hub.add<inproc>("a", a, with(2)).add<inproc>("b", b, with(1));
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.what());
    BOOST_TEST(result.attempts().size() == 1u);
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    BOOST_TEST(b.received("tools/call") == 0u);
}

LINKSPAN_CASE(call_with_lost_response_fails_over_if_read_only)
{
    scripted_server a, b;
    a.on(call("pay")).then(delay(1s), drop_connection());
    b.on(call("pay")).then(text("paid"));
    hub_type hub(executor);
    hub.add<inproc>("a", a, with(2, replay_class::read_only)).add<inproc>("b", b, with(1, replay_class::read_only));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay", {}, linkspan::throwing);
    BOOST_TEST(result.text() == "paid");
    BOOST_TEST(result.attempts().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
