#include <linkspan/connector/detail/result_store.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"
#include "support/result_with.hpp"

BOOST_AUTO_TEST_SUITE(result_store_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::result_store;
using linkspan::test::result_with;

namespace {

constexpr time_point start{1000s};
constexpr result_store::connection first{server_id{1}, 5};
constexpr result_store::connection second{server_id{2}, 5};

// A store for one thousand bytes.
struct small_store : result_store {
    small_store() { limit(1000); }

    void add(connection const& from, std::string_view uri, std::string_view members = R"("ttlMs":10000)")
    {
        store(from, uri, result_with(members), now(), start);
    }

    bool has(connection const& from, std::string_view uri, time_point at = start) { return find(from, uri, at); }
};

} // namespace

BOOST_AUTO_TEST_CASE(result_is_used_for_its_time_to_live)
{
    small_store store;
    store.add(first, "a");
    BOOST_TEST(store.has(first, "a", start + 10s - 1ns));
    BOOST_TEST(store.find(first, "a", start)->raw() == R"({"ttlMs":10000})");
    BOOST_TEST(store.find(first, "a", start)->server() == "a");
    BOOST_TEST(!store.has(first, "a", start + 10s));
    BOOST_TEST(store.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(result_without_a_time_to_live_is_not_stored)
{
    small_store store;
    for (std::string_view const members : {"", R"("ttlMs":0)", R"("ttlMs":-1)", R"("ttlMs":"10000")"}) {
        store.add(first, "a", members);
        BOOST_TEST(!store.has(first, "a"), members);
    }
}

BOOST_AUTO_TEST_CASE(time_to_live_is_limited_to_a_day)
{
    small_store store;
    store.add(first, "a", R"("ttlMs":1000000000000)");
    BOOST_TEST(store.has(first, "a", start + 24h - 1ns));
    BOOST_TEST(!store.has(first, "a", start + 24h));
}

BOOST_AUTO_TEST_CASE(result_is_used_for_the_same_uri_server_and_connection_only)
{
    for (std::string_view const scope : {"private", "public"}) {
        small_store store;
        store.add(first, "a", R"("ttlMs":10000,"cacheScope":")" + std::string(scope) + '"');
        BOOST_TEST(!store.has(first, "b"));
        BOOST_TEST(!store.has(second, "a"));
        BOOST_TEST(store.has(first, "a"));
        BOOST_TEST(!store.has({first.server, 6}, "a"));
        BOOST_TEST(!store.has(first, "a")); // dropped by the new connection
    }
}

BOOST_AUTO_TEST_CASE(new_store_stores_nothing)
{
    result_store store;
    store.store(first, "a", result_with(R"("ttlMs":10000)"), store.now(), start);
    BOOST_TEST(!store.find(first, "a", start));
    BOOST_TEST(store.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(update_drops_the_result_of_the_resource)
{
    small_store store;
    store.add(first, "a");
    store.add(first, "b");
    store.add(second, "a");
    store.on_updated(first.server, "a");
    BOOST_TEST(!store.has(first, "a"));
    BOOST_TEST(store.has(first, "b"));
    BOOST_TEST(store.has(second, "a"));
}

BOOST_AUTO_TEST_CASE(update_drops_the_results_of_resources_that_may_contain_the_resource)
{
    small_store store;
    for (std::string_view const uri : {"file:///a", "file:///a/b", "file:///b"})
        store.add(first, uri);
    store.on_updated(first.server, "file:///a/b/c");
    BOOST_TEST(!store.has(first, "file:///a"));
    BOOST_TEST(!store.has(first, "file:///a/b"));
    BOOST_TEST(store.has(first, "file:///b"));
}

BOOST_AUTO_TEST_CASE(change_of_the_list_drops_the_results_of_the_server)
{
    small_store store;
    store.add(first, "a");
    store.add(first, "b");
    store.add(second, "a");
    store.on_list_changed(first.server);
    BOOST_TEST(!store.has(first, "a"));
    BOOST_TEST(!store.has(first, "b"));
    BOOST_TEST(store.has(second, "a"));
    store.clear();
    BOOST_TEST(!store.has(second, "a"));
    BOOST_TEST(store.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(result_of_a_request_that_was_sent_before_a_change_is_not_stored)
{
    for (int const event : {0, 1, 2}) {
        small_store store;
        auto const sent = store.now();
        if (event == 0)
            store.on_updated(first.server, "a");
        else if (event == 1)
            store.on_list_changed(first.server);
        else
            store.clear();
        store.store(first, "a", result_with(R"("ttlMs":10000)"), sent, start);
        BOOST_TEST(!store.has(first, "a"));
    }
}

BOOST_AUTO_TEST_CASE(result_replaces_the_earlier_one)
{
    small_store store;
    store.add(first, "a", R"("ttlMs":10000,"n":1)");
    store.add(first, "a", R"("ttlMs":20000,"n":2)");
    BOOST_TEST(store.find(first, "a", start + 15s)->raw() == R"({"ttlMs":20000,"n":2})");
    BOOST_TEST(store.bytes() == 1 + store.find(first, "a", start)->raw().size());
}

BOOST_AUTO_TEST_CASE(results_whose_time_to_live_ends_first_are_dropped_if_there_is_no_room)
{
    small_store store;
    auto const padding = R"(,"text":")" + std::string(400, 'x') + '"';
    store.add(first, "a", R"("ttlMs":20000)" + padding);
    store.add(first, "b", R"("ttlMs":10000)" + padding);
    store.add(first, "c", R"("ttlMs":30000)" + padding);
    BOOST_TEST(store.has(first, "a"));
    BOOST_TEST(!store.has(first, "b"));
    BOOST_TEST(store.has(first, "c"));
    BOOST_TEST(store.bytes() <= 1000u);
    store.limit(500);
    BOOST_TEST(!store.has(first, "a"));
    BOOST_TEST(store.has(first, "c"));
    store.limit(0);
    BOOST_TEST(store.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(number_of_results_is_limited)
{
    small_store store;
    store.limit(1000, 2);
    store.add(first, "a", R"("ttlMs":20000)");
    store.add(first, "b", R"("ttlMs":10000)");
    store.add(first, "a", R"("ttlMs":30000)"); // replaces the earlier one, so that no other one is dropped
    BOOST_TEST(store.has(first, "b"));
    store.add(first, "c", R"("ttlMs":20000)");
    BOOST_TEST(store.has(first, "a"));
    BOOST_TEST(!store.has(first, "b"));
    BOOST_TEST(store.has(first, "c"));
    store.limit(1000, 1);
    BOOST_TEST(store.has(first, "a"));
    BOOST_TEST(!store.has(first, "c"));
    store.limit(1000, 0);
    BOOST_TEST(store.bytes() == 0u);
    store.add(first, "a");
    BOOST_TEST(!store.has(first, "a"));
}

BOOST_AUTO_TEST_CASE(time_to_live_of_the_caller_takes_precedence)
{
    small_store store;
    store.store(first, "a", result_with(R"("ttlMs":10000)"), 5s, store.now(), start);
    store.store(first, "b", result_with(""), 48h, store.now(), start);
    store.store(first, "c", result_with(R"("ttlMs":10000)"), 0s, store.now(), start);
    BOOST_TEST(store.has(first, "a", start + 5s - 1ns));
    BOOST_TEST(!store.has(first, "a", start + 5s));
    BOOST_TEST(store.has(first, "b", start + 24h - 1ns));
    BOOST_TEST(!store.has(first, "b", start + 24h));
    BOOST_TEST(!store.has(first, "c"));
}

BOOST_AUTO_TEST_CASE(end_of_connection_drops_the_results_of_the_server)
{
    small_store store;
    auto const sent = store.now();
    store.add(first, "a");
    store.add(second, "a");
    store.on_disconnected(first.server);
    BOOST_TEST(!store.has(first, "a"));
    BOOST_TEST(store.has(second, "a"));
    BOOST_TEST(sent == store.now()); // requests to other servers are stored
}

BOOST_AUTO_TEST_CASE(result_that_is_larger_than_the_store_drops_nothing)
{
    small_store store;
    store.add(first, "a");
    store.add(first, "b", R"("ttlMs":10000,"text":")" + std::string(1000, 'x') + '"');
    BOOST_TEST(store.has(first, "a"));
    BOOST_TEST(!store.has(first, "b"));
}

BOOST_AUTO_TEST_CASE(failed_allocation_stores_nothing)
{
    std::string const uri(40, 'u'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation(
        [&](auto& failing) {
            small_store store;
            store.add(first, "other");
            auto const before = store.bytes();
            auto const result = result_with(R"("ttlMs":10000)");
            bool const is_stored = failing([&] { store.store(first, uri, result, store.now(), start); });
            BOOST_TEST(store.has(first, uri) == is_stored);
            if (!is_stored) {
                BOOST_TEST(store.bytes() == before);
                store.store(first, uri, result, store.now(), start);
            }
            BOOST_TEST(store.has(first, uri));
            BOOST_TEST(store.has(first, "other"));
            BOOST_TEST(store.bytes() == before + uri.size() + result.raw().size());
            store.on_list_changed(first.server);
            BOOST_TEST(store.bytes() == 0u);
        },
        linkspan::test::failing::one_or_handler);
}

// An earlier result, and results that leave no room, are dropped before the allocation that fails.
BOOST_AUTO_TEST_CASE(size_is_that_of_the_stored_results_after_a_failed_allocation)
{
    std::string const uri(40, 'u');
    linkspan::test::fail_each_allocation(
        [&](auto& failing) {
            small_store store;
            store.add(first, uri);
            store.add(second, std::string(500, 'v'));
            auto const result = result_with(R"("ttlMs":20000,"text":")" + std::string(600, 't') + '"');
            if (!failing([&] { store.store(first, uri, result, store.now(), start); }))
                store.store(first, uri, result, store.now(), start);
            BOOST_TEST(store.bytes() == uri.size() + result.raw().size());
            BOOST_TEST(!store.has(second, std::string(500, 'v')));
            store.clear();
            BOOST_TEST(store.bytes() == 0u);
            BOOST_TEST(!store.has(first, uri));
        },
        linkspan::test::failing::one_or_handler);
}

BOOST_AUTO_TEST_SUITE_END()
