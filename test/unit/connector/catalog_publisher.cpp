#include <linkspan/connector/detail/catalog_publisher.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/catalog_entries.hpp"
#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(catalog_publisher_test)

using linkspan::catalog;
using linkspan::catalog_entry;
using linkspan::detail::catalog_publisher;
using linkspan::detail::tool_snapshot;
using linkspan::test::entry;
using kind = catalog::match::kind;

namespace {

// Begins to build a catalog with one tool of each of `count` servers.
void begin(catalog_publisher& publisher, unsigned count)
{
    std::vector<tool_snapshot> lists;
    for (unsigned i = 0; i != count; ++i)
        lists.push_back(std::make_shared<std::vector<catalog_entry> const>(1, entry(i, "t" + std::to_string(i))));
    publisher.begin(std::move(lists), count == 1);
}

// Publishes one tool of each of `count` servers.
void publish(catalog_publisher& publisher, unsigned count)
{
    begin(publisher, count);
    while (!publisher.step())
        continue;
}

} // namespace

BOOST_AUTO_TEST_CASE(catalog_is_empty_before_the_first_publication)
{
    catalog_publisher publisher;
    BOOST_REQUIRE(publisher.latest());
    BOOST_TEST(publisher.latest()->tools().empty());
    BOOST_TEST(publisher.copy() == publisher.latest());
    BOOST_TEST(!publisher.has_changes());
    BOOST_TEST((publisher.find("t0").what == kind::unknown));
}

BOOST_AUTO_TEST_CASE(publication_includes_all_changes)
{
    catalog_publisher publisher;
    publisher.on_changed();
    publisher.on_changed();
    BOOST_TEST(publisher.has_changes());
    publish(publisher, 2);
    BOOST_TEST(!publisher.has_changes());
    BOOST_TEST(publisher.latest()->tools().size() == 2u);
    BOOST_TEST(publisher.copy() == publisher.latest());
    publisher.on_changed();
    BOOST_TEST(publisher.has_changes());
}

BOOST_AUTO_TEST_CASE(own_names_are_displayed_if_there_is_only_one_server)
{
    catalog_publisher publisher;
    publish(publisher, 1);
    BOOST_TEST(publisher.latest()->tools()[0].displays_own_name);
    publish(publisher, 2);
    BOOST_TEST(!publisher.latest()->tools()[0].displays_own_name);
}

BOOST_AUTO_TEST_CASE(earlier_catalog_remains_valid_after_a_publication)
{
    catalog_publisher publisher;
    publish(publisher, 1);
    auto const earlier = publisher.latest();
    publish(publisher, 3);
    BOOST_TEST(earlier->tools().size() == 1u);
    BOOST_TEST(publisher.latest() != earlier);
}

BOOST_AUTO_TEST_CASE(publication_is_due_if_changes_reach_one_eighth_of_the_servers)
{
    catalog_publisher publisher;
    publisher.on_changed();
    BOOST_TEST(publisher.has_many_changes()); // no server is in the catalog
    publish(publisher, 16);
    publisher.on_changed();
    BOOST_TEST(!publisher.has_many_changes()); // 1 of 16
    publisher.on_changed();
    BOOST_TEST(publisher.has_many_changes()); // 2 of 16
    publish(publisher, 17);
    publisher.on_changed();
    publisher.on_changed();
    BOOST_TEST(!publisher.has_many_changes()); // 2 of 17
    publisher.on_changed();
    BOOST_TEST(publisher.has_many_changes());
}

BOOST_AUTO_TEST_CASE(publication_is_posted_once_until_it_begins)
{
    catalog_publisher publisher;
    BOOST_TEST(publisher.request());
    BOOST_TEST(!publisher.request());
    publish(publisher, 1); // published by a call, before the posted publication
    BOOST_TEST(!publisher.request());
    publisher.on_posted();
    BOOST_TEST(publisher.request());
}

BOOST_AUTO_TEST_CASE(name_is_looked_up_again_after_a_publication)
{
    catalog_publisher publisher;
    BOOST_TEST((publisher.find("t1").what == kind::unknown));
    BOOST_TEST((publisher.find("t1").what == kind::unknown));
    publish(publisher, 2);
    BOOST_TEST((publisher.find("t1").what == kind::one));
    BOOST_REQUIRE(publisher.find("t1").entries.size() == 1u);
    BOOST_TEST(publisher.find("t1").entries[0] == 1u);
    publish(publisher, 1);
    BOOST_TEST((publisher.find("t1").what == kind::unknown));
}

BOOST_AUTO_TEST_CASE(repeated_look_up_of_a_name_returns_the_remembered_match)
{
    catalog_publisher publisher;
    publish(publisher, 2);
    auto const* const first = publisher.find("t0").entries.data();
    BOOST_TEST(publisher.find("t0").entries.data() == first);
    BOOST_TEST(publisher.find("t1").entries[0] == 1u);
    BOOST_TEST(publisher.find("s0__t0").entries[0] == 0u);
    BOOST_TEST(publisher.find("t0").entries.data() == first);
}

BOOST_AUTO_TEST_CASE(other_threads_read_copies_while_catalogs_are_published)
{
    catalog_publisher publisher;
    std::atomic<bool> is_over{false};
    std::size_t most = 0;
    std::thread reader([&] {
        while (!is_over)
            most = std::max(most, publisher.copy()->tools().size());
    });
    for (unsigned i = 0; i != 100; ++i)
        publish(publisher, 1 + i % 3);
    is_over = true;
    reader.join();
    BOOST_TEST(most <= 3u);
    BOOST_TEST(publisher.copy() == publisher.latest());
}

// Builds in several steps

BOOST_AUTO_TEST_CASE(previous_catalog_is_published_until_a_build_is_complete)
{
    catalog_publisher publisher(2);
    publisher.on_changed();
    begin(publisher, 3);
    BOOST_TEST(publisher.is_building());
    BOOST_TEST(!publisher.fits_one_step());
    BOOST_TEST(!publisher.step());
    BOOST_TEST(publisher.latest()->tools().empty());
    BOOST_TEST(publisher.has_changes());
    BOOST_TEST(publisher.step());
    BOOST_TEST(!publisher.is_building());
    BOOST_TEST(!publisher.has_changes());
    BOOST_TEST(publisher.latest()->tools().size() == 3u);
    BOOST_TEST(publisher.copy() == publisher.latest());
}

BOOST_AUTO_TEST_CASE(change_during_a_build_is_part_of_the_next_build)
{
    catalog_publisher publisher(2);
    publisher.on_changed();
    begin(publisher, 3);
    BOOST_TEST(!publisher.step());
    publisher.on_changed();
    BOOST_TEST(!publisher.request()); // the build is completed first
    BOOST_TEST(publisher.step());
    BOOST_TEST(publisher.has_changes());
    BOOST_TEST(publisher.is_requested());
    publish(publisher, 4);
    BOOST_TEST(!publisher.has_changes());
    BOOST_TEST(!publisher.is_requested());
}

BOOST_AUTO_TEST_CASE(waiting_functions_are_returned_when_their_changes_are_published)
{
    catalog_publisher publisher(2);
    std::string log;
    publisher.on_changed();
    publisher.await([&] { log += 'a'; });
    begin(publisher, 3);
    publisher.on_changed();
    publisher.await([&] { log += 'b'; });
    while (!publisher.step())
        continue;
    BOOST_TEST(publisher.is_requested());
    while (auto const done = publisher.take_published())
        done();
    BOOST_TEST(log == "a");
    BOOST_TEST(publisher.is_requested());
    publish(publisher, 3);
    while (auto const done = publisher.take_published())
        done();
    BOOST_TEST(log == "ab");
    publisher.await([&] { log += 'c'; });
    BOOST_TEST((publisher.take_waiting() != nullptr));
    BOOST_TEST((publisher.take_waiting() == nullptr));
}

BOOST_AUTO_TEST_CASE(aborted_build_leaves_its_changes_unpublished)
{
    catalog_publisher publisher(2);
    publisher.on_changed();
    begin(publisher, 3);
    publisher.abort_build();
    BOOST_TEST(!publisher.is_building());
    BOOST_TEST(publisher.has_changes());
    BOOST_TEST(publisher.latest()->tools().empty());
}

// Destruction in steps

BOOST_AUTO_TEST_CASE(replaced_catalog_is_destroyed_in_steps)
{
    catalog_publisher publisher(2);
    std::size_t retired = 0;
    publisher.retired().on_retired([&] { ++retired; });
    publish(publisher, 5);
    std::weak_ptr const tool = publisher.latest()->tools()[0].tool;
    publish(publisher, 3);
    BOOST_TEST(retired == 1u);
    BOOST_TEST(!tool.expired());
    BOOST_TEST(!publisher.destroy_some());
    BOOST_TEST(!publisher.destroy_some());
    BOOST_TEST(!tool.expired());
    BOOST_TEST(publisher.destroy_some());
    BOOST_TEST(tool.expired());
    BOOST_TEST(publisher.destroy_some());
}

BOOST_AUTO_TEST_CASE(catalog_of_a_call_is_destroyed_in_steps_after_the_call)
{
    catalog_publisher publisher(2);
    std::size_t retired = 0;
    publisher.retired().on_retired([&] { ++retired; });
    publish(publisher, 3);
    auto of_call = publisher.latest();
    std::weak_ptr const tool = of_call->tools()[0].tool;
    publish(publisher, 3);
    BOOST_TEST(retired == 0u);
    of_call.reset();
    BOOST_TEST(retired == 1u);
    BOOST_TEST(!tool.expired());
    while (!publisher.destroy_some())
        continue;
    BOOST_TEST(tool.expired());
}

BOOST_AUTO_TEST_CASE(catalog_of_a_user_is_destroyed_by_the_user)
{
    catalog_publisher publisher(2);
    publisher.retired().on_retired([] {});
    publish(publisher, 3);
    auto of_user = publisher.copy();
    std::weak_ptr const tool = of_user->tools()[0].tool;
    publish(publisher, 3);
    BOOST_TEST(publisher.destroy_some());
    BOOST_TEST(of_user->tools().size() == 3u);
    of_user.reset();
    BOOST_TEST(tool.expired());
}

BOOST_AUTO_TEST_CASE(catalog_of_a_user_remains_valid_after_the_publisher)
{
    std::shared_ptr<catalog const> of_user;
    {
        catalog_publisher publisher(2);
        publisher.retired().on_retired([] {});
        publish(publisher, 3);
        of_user = publisher.copy();
        publish(publisher, 4);
    }
    BOOST_TEST(of_user->tools().size() == 3u);
    BOOST_TEST((of_user->find("t2").what == kind::one));
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_publication_keeps_the_published_catalog)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        catalog_publisher publisher(2); // a build of several steps
        publisher.on_changed();
        publish(publisher, 1);
        publisher.on_changed();
        publisher.await([] {});
        std::vector<tool_snapshot> lists;
        for (unsigned i = 0; i != 5; ++i)
            lists.push_back(
                std::make_shared<std::vector<catalog_entry> const>(1, entry(i % 3, "t" + std::to_string(i))));
        bool const is_published = failing([&] {
            publisher.begin(std::move(lists), false);
            while (!publisher.step())
                continue;
        });
        BOOST_TEST(!publisher.is_building());
        BOOST_TEST(publisher.latest()->tools().size() == (is_published ? 5u : 1u));
        BOOST_TEST(publisher.copy()->tools().size() == publisher.latest()->tools().size());
        BOOST_TEST(publisher.has_changes() == !is_published);
        BOOST_TEST((publisher.take_published() != nullptr) == is_published);
        publish(publisher, 2); // the next publication succeeds
        BOOST_TEST(!publisher.has_changes());
        BOOST_TEST(publisher.latest()->tools().size() == 2u);
        BOOST_TEST((publisher.take_published() != nullptr) == !is_published);
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_found_name_leaves_the_next_search_correct)
{
    std::string const name = "s1__" + std::string(40, 't'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        catalog_publisher publisher;
        std::vector<tool_snapshot> lists;
        lists.push_back(std::make_shared<std::vector<catalog_entry> const>(1, entry(1, std::string(40, 't'))));
        publisher.begin(std::move(lists), false);
        BOOST_TEST(publisher.step());
        BOOST_TEST((publisher.find("other").what == kind::unknown));
        failing([&] { publisher.find(name); });
        BOOST_TEST((publisher.find("other").what == kind::unknown));
        BOOST_TEST((publisher.find(name).what == kind::one));
    });
}

BOOST_AUTO_TEST_SUITE_END()
