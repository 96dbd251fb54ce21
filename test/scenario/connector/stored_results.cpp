// A connector stores the results of reads, and uses a result for equal requests until its time to live ends or a
// notification reports a change.

#include <linkspan/connector/find_session.hpp>
#include <linkspan/connector/resources.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/session/notifications.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "support/entries_case.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(stored_results_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

action note(std::string_view text, std::string_view hints = R"("ttlMs":60000,"cacheScope":"private")")
{
    return result(R"("contents":[{"uri":"note://today","text":")" + std::string(text) + "\"}]," + std::string(hints));
}

// Servers whose first read has another result than the later ones, with a connector that stores results.
struct storing_world : entries_world {
    storing_world()
    {
        a.on(request("resources/list")).then(notes("today yesterday"));
        b.on(request("resources/list")).then(notes("other"));
    }

    asio::awaitable<void> open(std::size_t servers = 1)
    {
        co_await entries_world::open(servers);
        store_read_results(*hub);
    }

    asio::awaitable<std::string> read(std::string_view uri = "note://today")
    {
        auto const contents = co_await async_read_resource(*hub, uri);
        co_return contents->at(0).text;
    }

    static std::size_t reads(scripted_server const& of) { return of.received("\"resources/read\""); }
};

} // namespace

LINKSPAN_CASE_IN(storing_world, result_is_used_for_its_time_to_live_and_causes_no_request_at_its_end)
{
    a.on(request("resources/read")).once(note("first")).then(note("second"));
    co_await open();
    BOOST_TEST(co_await read() == "first");
    co_await pass(executor, 59s);
    BOOST_TEST(co_await read() == "first");
    auto const stored = co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(stored.result().server() == "a");
    BOOST_TEST_REQUIRE(stored.result().attempts().size() == 1u);
    BOOST_TEST(stored.result().attempts()[0].from_store);
    BOOST_TEST(stored.result().attempts()[0].server == "a");
    BOOST_TEST(reads(a) == 1u);
    co_await pass(executor, 1h);
    BOOST_TEST(reads(a) == 1u);
    BOOST_TEST(co_await read() == "second");
    BOOST_TEST(reads(a) == 2u);
}

LINKSPAN_CASE_IN(storing_world, connector_stores_no_results_by_default)
{
    a.on(request("resources/read")).once(note("first")).then(note("second"));
    co_await entries_world::open(1);
    BOOST_TEST(co_await read() == "first");
    BOOST_TEST(co_await read() == "second");
}

LINKSPAN_CASE_IN(storing_world, result_without_a_time_to_live_is_not_stored)
{
    for (auto const hints : {R"("ttlMs":0)", R"("cacheScope":"public")"}) {
        scripted_server server;
        server.dialogue().capabilities = every_entry_capability;
        server.on(request("resources/list")).then(notes("today"));
        server.on(request("resources/read")).then(note("text", hints));
        hub.emplace(executor).add<inproc>("s", server);
        store_read_results(*hub);
        co_await hub->async_open();
        co_await read();
        co_await read();
        BOOST_TEST(reads(server) == 2u);
    }
}

LINKSPAN_CASE_IN(storing_world, result_is_used_for_the_same_uri_and_server_only)
{
    a.on(request("resources/read")).then(note("from a"));
    b.on(request("resources/read")).then(note("from b"));
    co_await open(2);
    co_await read("note://today");
    co_await read("note://yesterday");
    BOOST_TEST(reads(a) == 2u);
    BOOST_TEST(co_await read("note://other") == "from b");
    co_await read("note://today");
    co_await read("note://yesterday");
    co_await read("note://other");
    BOOST_TEST(reads(a) == 2u);
    BOOST_TEST(reads(b) == 1u);
}

LINKSPAN_CASE_IN(storing_world, request_with_metadata_neither_uses_nor_stores_a_result)
{
    a.on(request("resources/read")).once(note("first")).then(note("second"));
    co_await open();
    call_options options;
    options.meta = R"({"user":"me"})";
    auto const first = co_await async_read_resource(*hub, "note://today", options);
    BOOST_TEST(first->at(0).text == "first");
    BOOST_TEST(co_await read() == "second");
    co_await async_read_resource(*hub, "note://today", options);
    BOOST_TEST(reads(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, read_can_require_a_request_whose_result_replaces_the_stored_one)
{
    a.on(request("resources/read")).once(note("first")).then(note("second"));
    co_await open();
    BOOST_TEST(co_await read() == "first");
    call_options fresh;
    fresh.use_stored_results = false;
    auto const again = co_await async_read_resource(*hub, "note://today", fresh);
    BOOST_TEST(again->at(0).text == "second");
    BOOST_TEST(co_await read() == "second");
    BOOST_TEST(reads(a) == 2u);
}

LINKSPAN_CASE_IN(storing_world, notification_of_an_update_drops_the_result)
{
    a.on(request("resources/read")).then(note("text"));
    co_await open();
    co_await read("note://today");
    co_await read("note://yesterday");
    send_update(a, "note://today");
    co_await settle(executor);
    co_await read("note://yesterday");
    BOOST_TEST(reads(a) == 2u);
    co_await read("note://today");
    BOOST_TEST(reads(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, change_of_the_list_drops_the_results_of_the_server)
{
    a.on(request("resources/read")).then(note("text"));
    b.on(request("resources/read")).then(note("text"));
    co_await open(2);
    co_await read("note://today");
    co_await read("note://other");
    a.broadcast(R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
    co_await settle(executor);
    co_await read("note://today");
    co_await read("note://other");
    BOOST_TEST(reads(a) == 2u);
    BOOST_TEST(reads(b) == 1u);
}

LINKSPAN_CASE_IN(storing_world, result_of_a_request_during_which_the_resource_changed_is_not_stored)
{
    a.on(request("resources/read")).then(delay(1s), note("text"));
    co_await open();
    co_await async_list_resources(*hub);
    async_read_resource(*hub, "note://today", [](error_code ec, auto const&) { BOOST_TEST(!ec); });
    co_await settle(executor);
    send_update(a, "note://today");
    co_await pass(executor, 2s);
    co_await read();
    BOOST_TEST(reads(a) == 2u);
}

LINKSPAN_CASE_IN(storing_world, result_of_a_request_that_was_sent_before_the_storage_began_is_not_stored)
{
    a.on(request("resources/read")).once(delay(1s), note("first")).then(note("second"));
    co_await entries_world::open(1);
    bool is_complete = false;
    async_read_resource(*hub, "note://today", [&](error_code, auto const&) { is_complete = true; });
    co_await settle(executor);
    store_read_results(*hub);
    co_await pass(executor, 2s);
    BOOST_TEST(is_complete);
    BOOST_TEST(co_await read() == "second");
}

LINKSPAN_CASE_IN(storing_world, new_connection_drops_the_results)
{
    c.on(request("resources/list")).then(notes("today"));
    c.on(request("resources/read")).then(note("text"));
    hub.emplace(executor).add<inproc>("c", c);
    store_read_results(*hub);
    co_await hub->async_open();
    co_await read();
    c.drop_connections();
    co_await pass(executor, 10s);
    co_await read();
    BOOST_TEST(reads(c) == 2u);
}

LINKSPAN_CASE_IN(storing_world, result_that_followed_an_input_request_is_not_stored)
{
    a.dialogue().protocol_versions = {protocol_version::v2026_07_28};
    a.on(request("resources/read"))
        .once(input_required(R"({"q":{"method":"roots/list"}})", R"("state")"))
        .then(note("text"));
    make({}, 1).set_handler<roots>([](roots_request const&, typed_responder<roots> reply) { reply(roots_result()); });
    store_read_results(*hub);
    co_await hub->async_open();
    BOOST_TEST(co_await read() == "text");
    BOOST_TEST(reads(a) == 2u); // the second one with the input
    co_await read();
    BOOST_TEST(reads(a) == 3u); // without input: stored
    co_await read();
    BOOST_TEST(reads(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, dropped_and_limited_results_are_requested_again)
{
    a.on(request("resources/read")).then(note("text"));
    co_await open();
    co_await read();
    drop_read_results(*hub);
    co_await read();
    BOOST_TEST(reads(a) == 2u);
    store_read_results(*hub, 10); // less than the result has
    co_await read();
    co_await read();
    BOOST_TEST(reads(a) == 4u);
    auto const session = find_session(*hub, "a");
    store_read_results(*hub);
    co_await read();
    co_await async_read_resource(session.value(), "note://today");
    BOOST_TEST(reads(a) == 6u);
}

BOOST_AUTO_TEST_SUITE_END()
