// Tests a call of a connector with two mock servers in the same process, in virtual time.

#define BOOST_TEST_MODULE example
#include <linkspan.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/test/unit_test.hpp>

//[ case
using namespace linkspan::test;
using namespace std::chrono_literals;
using hub_type = linkspan::connector<linkspan::transports<linkspan::inproc>>;

LINKSPAN_CASE(call_with_lost_response_fails_over_if_read_only)
{
    scripted_server first, second;
    first.on(call("forecast")).then(delay(2s), drop_connection());
    second.on(call("forecast")).then(text("sunny"));

    hub_type hub(executor);
    linkspan::server_options options;
    options.tools["forecast"].replay = linkspan::replay_class::read_only;
    hub.add<linkspan::inproc>("first", first, options).add<linkspan::inproc>("second", second, options);
    co_await hub.async_open();

    auto const result = co_await hub.async_call("forecast");
    BOOST_TEST(result.text() == "sunny");
    BOOST_TEST(result.attempts().size() == 2u);
    BOOST_TEST((time.now() == linkspan::time_point(2s))); // virtual time: the test does not wait
    co_await hub.async_shutdown();
}
//]
