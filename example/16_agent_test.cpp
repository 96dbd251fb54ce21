// A test of an agent: scripted servers and a scripted model in the same process, in virtual time.

#define BOOST_TEST_MODULE agent
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/test/unit_test.hpp>

#include "agent.hpp"

//[ case
using namespace linkspan::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;

LINKSPAN_CASE(agent_continues_when_a_tool_hangs)
{
    scripted_server tools;
    tools.on(call("search")).then(delay(2s), text("found"));
    tools.on(call("pay")).then(hang());
    linkspan::connector<linkspan::transports<linkspan::inproc>> hub(executor);
    hub.add<linkspan::inproc>("tools", tools);
    co_await hub.async_open();

    std::vector<std::string> requests;
    model const scripted = [&requests](std::string request) -> asio::awaitable<std::string> {
        requests.push_back(std::move(request));
        co_return requests.size() == 1 ? R"({"role":"assistant","content":[
            {"type":"tool_use","id":"1","name":"search","input":{"text":"x"}},
            {"type":"tool_use","id":"2","name":"pay","input":{}},
            {"type":"tool_use","id":"3","name":"pay","input":{"sum":1,"sum":1000}}]})"
                                       : R"({"role":"assistant","content":[{"type":"text","text":"sorry"}]})";
    };
    linkspan::call_options options;
    options.timeout = 30s;
    auto const answer = co_await converse(hub, scripted, "Search, and pay.", options);

    BOOST_TEST(answer == "sorry");
    BOOST_TEST((time.now() == linkspan::time_point(30s))); // virtual time: the test does not wait
    BOOST_TEST_REQUIRE(requests.size() == 2u);
    for (auto const* part : {"found", "the timeout of the call elapsed", "duplicate key '/sum'"})
        BOOST_TEST(requests[1].find(part) != std::string::npos, requests[1]);
    BOOST_TEST(tools.received(R"("name":"pay")") == 1u); // the malformed request was not sent
    co_await hub.async_shutdown();
}
//]
