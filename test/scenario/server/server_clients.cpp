// The limit on the clients that a server serves at the same time.

#include <linkspan/transport/memory_pipe.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/echo_endpoint.hpp"
#include "support/line_client.hpp"

BOOST_AUTO_TEST_SUITE(server_clients_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// A server with the tool "echo", and clients that are served by `async_serve`.
struct clients_world : echo_endpoint {
    struct connection {
        memory_end end;                  // of the client
        std::optional<error_code> ended; // error of the operation, when it is complete
    };
    std::deque<connection> connections;

    connection& serve()
    {
        auto const [mine, theirs] = make_memory_pipe();
        auto& added = connections.emplace_back(connection{mine, {}});
        served->async_serve(any_transport::make<inproc_server>(executor, {theirs}), {},
                            [&added](error_code ec) { added.ended = ec; });
        BOOST_TEST(!added.ended.has_value()); // not inside the initiating function
        return added;
    }

    // Returns whether a client is connected.
    static bool is_open(connection const& which)
    {
        error_code ec;
        which.end.out->write_some(asio::buffer("\n", 1), ec);
        return !ec && !which.ended;
    }

    void clean_up()
    {
        for (auto const& each : connections)
            each.end.close();
        echo_endpoint::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(clients_world, client_beyond_the_limit_is_disconnected_and_others_are_served)
{
    options.max_clients = 2;
    make_echo();
    auto const line = line_client::open(executor, inproc_to(*served));
    auto& second = serve();
    auto& third = serve();
    co_await settle(executor);
    BOOST_TEST(is_open(second));
    BOOST_TEST(!is_open(third));
    BOOST_TEST_REQUIRE(third.ended.has_value());
    BOOST_TEST((*third.ended == error::too_many_clients), third.ended->message());
    BOOST_TEST(served->counters().clients == 2u);
    BOOST_TEST(contains(co_await line->ask("tools/call", R"("name":"echo")"), R"("text":"served")"));
    second.end.close();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(second.ended.has_value());
    BOOST_TEST(!*second.ended, second.ended->message());
    auto& fourth = serve(); // in the place of the second one
    co_await settle(executor);
    BOOST_TEST(is_open(fourth));
    BOOST_TEST(!is_open(serve()));
    line->close();
}

LINKSPAN_CASE_IN(clients_world, place_of_a_client_is_free_when_its_operation_completes)
{
    options.max_clients = 1;
    make_echo();
    auto const [mine, theirs] = make_memory_pipe();
    connection* next = nullptr;
    served->async_serve(any_transport::make<inproc_server>(executor, {theirs}), {},
                        [&](error_code) { next = &serve(); });
    co_await settle(executor);
    mine.close();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(next != nullptr);
    BOOST_TEST(is_open(*next));
}

LINKSPAN_CASE_IN(clients_world, clients_of_an_endpoint_do_not_count)
{
    options.max_clients = 1;
    make_echo();
    for (int i = 0; i != 2; ++i) {
        auto const begun = co_await exchange(post(), std::string(initialize));
        BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
    }
    BOOST_TEST(endpoint->sessions() == 2u);
    auto& direct = serve();
    co_await settle(executor);
    BOOST_TEST(is_open(direct));
    auto const begun = co_await exchange(post(), std::string(initialize));
    BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
}

LINKSPAN_CASE_IN(clients_world, client_of_a_stopping_server_is_not_refused_because_of_the_limit)
{
    options.max_clients = 1;
    make_echo();
    std::optional<server_request> held;
    served->add(any_tool("hold"), [&](server_request request) { held.emplace(std::move(request)); });
    auto const line = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    BOOST_TEST(co_await line->ask("tools/call", R"("name":"hold")") == "");
    BOOST_TEST_REQUIRE(held.has_value());
    auto& refused = serve();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(refused.ended.has_value());
    BOOST_TEST((*refused.ended == error::too_many_clients), refused.ended->message());
    std::optional<error_code> stopped;
    served->async_stop(1min, [&](error_code ec) { stopped = ec; });
    co_await settle(executor);
    BOOST_TEST(!stopped.has_value()); // the request is outstanding
    auto& later = serve();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(later.ended.has_value());
    BOOST_TEST((*later.ended == asio::error::operation_aborted), later.ended->message());
    BOOST_TEST(!is_open(later));
    held->complete(tool_output::text("done"));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(stopped.has_value());
    BOOST_TEST(!*stopped, stopped->message());
    held.reset();
    line->close();
}

LINKSPAN_CASE_IN(clients_world, clients_of_a_closed_server_are_disconnected)
{
    options.max_clients = 1;
    make_echo();
    auto& first = serve();
    served->close();
    co_await settle(executor);
    auto& later = serve();
    co_await settle(executor);
    for (auto const* each : {&first, &later}) {
        BOOST_TEST_REQUIRE(each->ended.has_value());
        BOOST_TEST((*each->ended == asio::error::operation_aborted), each->ended->message());
    }
}

LINKSPAN_CASE_IN(clients_world, clients_are_not_limited_by_zero)
{
    options.max_clients = 0;
    make_echo();
    auto& first = serve();
    auto& second = serve();
    co_await settle(executor);
    BOOST_TEST(is_open(first));
    BOOST_TEST(is_open(second));
}

BOOST_AUTO_TEST_SUITE_END()
