// Limits of a server over HTTP: memory, connections and requests that one client can use.

#include <algorithm>
#include <string>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_limits_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Returns the URI of a resource, of 1,000 bytes.
std::string long_uri(char name) { return "file:///" + std::string(992, name); }

// Sends three changes to a session without a stream, and returns what the stream of the session receives afterwards.
asio::awaitable<std::string> changes_without_a_stream(endpoint_world& world)
{
    auto& own = world.make_endpoint(protocol_version::v2025_11_25);
    for (char const name : {'a', 'b', 'c'})
        own.add(resource{.uri = long_uri(name), .name = std::string(1, name)}, [](server_request) {});
    auto const session = co_await begin_session(world);
    co_await world.exchange(post(session), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    for (char const name : {'a', 'b', 'c'})
        co_await world.exchange(post(session),
                                R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":")" +
                                    long_uri(name) + R"("}})");
    for (char const name : {'a', 'b', 'c'}) {
        own.resource_updated(long_uri(name));
        co_await settle(world.executor);
    }
    raw_http::client stream(world.executor);
    world.endpoint->serve(stream.other());
    co_await stream.write(get_stream(session));
    auto const received = co_await stream.read_until("cccc");
    stream.close();
    co_await settle(world.executor);
    co_return received;
}

} // namespace

LINKSPAN_CASE_IN(endpoint_world, messages_that_wait_for_a_stream_are_limited_by_bytes)
{
    for (bool const is_resumable : {true, false}) {
        serving.resumable = is_resumable;
        serving.session_limits.max_waiting_bytes = 2'999; // the messages have more than 1,000 bytes each
        auto const limited = co_await changes_without_a_stream(*this);
        BOOST_TEST(!contains(limited, long_uri('a')));
        BOOST_TEST(contains(limited, long_uri('b')));
        BOOST_TEST(contains(limited, long_uri('c')));
        serving.session_limits.max_waiting_bytes = 4'000;
        auto const all = co_await changes_without_a_stream(*this);
        BOOST_TEST(contains(all, long_uri('a')));
    }
}

LINKSPAN_CASE_IN(endpoint_world, messages_that_wait_for_a_stream_are_limited_by_number)
{
    serving.session_limits.resume.max_events = 2;
    auto const limited = co_await changes_without_a_stream(*this);
    BOOST_TEST(!contains(limited, long_uri('a')));
    BOOST_TEST(contains(limited, long_uri('b')));
    BOOST_TEST(contains(limited, long_uri('c')));
}

BOOST_AUTO_TEST_SUITE_END()
