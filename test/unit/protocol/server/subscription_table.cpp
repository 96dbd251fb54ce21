#include <linkspan/protocol/server/subscription_table.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(subscription_table_test)

using linkspan::subscription_filter;
using linkspan::subscription_table;
using change = subscription_table::change;

namespace {

subscription_filter const all_lists{true, true, true, {}, {}};

subscription_filter with_uris(std::set<std::string, std::less<>> uris)
{
    return {false, false, false, std::move(uris), {}};
}

// Returns notifications as text such as "1:tools 2:file:///a".
std::string text_of(std::vector<subscription_table::notification> const& due)
{
    std::string out;
    for (auto const& [subscriber, what, uri] : due) {
        (out += out.empty() ? "" : " ") += std::to_string(subscriber) + ':';
        switch (what) {
        case change::tools: out += "tools"; break;
        case change::prompts: out += "prompts"; break;
        case change::resources: out += "resources"; break;
        case change::contents: break;
        case change::task: out += "task "; break;
        }
        out += uri;
    }
    return out;
}

std::string take(subscription_table& from) { return text_of(from.take()); }

// Returns whether a subscription to the URI `wanted` matches a change of the resource `uri`.
bool matches(std::string const& wanted, std::string_view uri)
{
    subscription_table table;
    table.add(with_uris({wanted}));
    bool const is_due = table.on_updated(uri);
    BOOST_TEST(take(table) == (is_due ? "1:" + std::string(uri) : std::string()));
    return is_due;
}

} // namespace

BOOST_AUTO_TEST_CASE(lists_are_added_to_the_filter_of_a_subscriber)
{
    subscription_table table;
    auto const first = table.add(with_uris({"file:///a"}));
    BOOST_TEST(!table.on_list_changed(change::tools));
    table.add_lists(first + 1, all_lists); // unknown subscriber
    BOOST_TEST(!table.on_list_changed(change::tools));
    table.add_lists(first, {.tools = true});
    BOOST_TEST(!table.on_list_changed(change::prompts));
    BOOST_TEST(!table.on_list_changed(change::resources));
    table.add_lists(first, {.prompts = true, .resources = true});
    BOOST_TEST(table.on_list_changed(change::tools));
    table.on_list_changed(change::prompts);
    table.on_list_changed(change::resources);
    table.on_updated("file:///a");
    BOOST_TEST(take(table) == "1:tools 1:prompts 1:resources 1:file:///a");
}

BOOST_AUTO_TEST_CASE(change_without_subscribers_is_not_recorded)
{
    subscription_table table;
    for (auto const what : {change::tools, change::prompts, change::resources})
        BOOST_TEST(!table.on_list_changed(what));
    BOOST_TEST(!table.on_updated("file:///a"));
    BOOST_TEST(!table.on_task_changed("t1"));
    BOOST_TEST(take(table) == "");
    auto everything = all_lists;
    everything.uris = {"file:///a"};
    everything.task_ids = {"t1"};
    table.add(everything);
    BOOST_TEST(take(table) == "");
}

BOOST_AUTO_TEST_CASE(changed_list_is_notified_to_the_subscribers_whose_filters_contain_it)
{
    struct row {
        change what;
        subscription_filter filter;
        char const* expected;
    };
    for (auto const& [what, filter, expected] :
         {row{change::tools, {true, false, false, {}}, "2:tools 3:tools"},
          row{change::prompts, {false, true, false, {}}, "2:prompts 3:prompts"},
          row{change::resources, {false, false, true, {}}, "2:resources 3:resources"}}) {
        subscription_table table;
        table.add({what != change::tools, what != change::prompts, what != change::resources, {"file:///a"}});
        BOOST_TEST(!table.on_list_changed(what));
        table.add(filter);
        table.add(all_lists);
        table.add({});
        BOOST_TEST(table.on_list_changed(what));
        BOOST_TEST(take(table) == expected);
    }
}

BOOST_AUTO_TEST_CASE(changed_contents_are_notified_to_the_subscribers_of_the_resource)
{
    subscription_table table;
    table.add(all_lists);
    table.add(with_uris({"file:///a", "file:///b"}));
    table.add(with_uris({"file:///b"}));
    BOOST_TEST(table.on_updated("file:///a"));
    BOOST_TEST(take(table) == "2:file:///a");
    BOOST_TEST(table.on_updated("file:///b"));
    BOOST_TEST(take(table) == "2:file:///b 3:file:///b");
    BOOST_TEST(!table.on_updated("file:///c"));
    BOOST_TEST(take(table) == "");
}

BOOST_AUTO_TEST_CASE(equal_changes_before_take_are_one_notification)
{
    subscription_table table;
    auto filter = all_lists;
    filter.uris = {"file:///a"};
    table.add(filter);
    for (auto const what : {change::tools, change::prompts, change::resources}) {
        BOOST_TEST(table.on_list_changed(what));
        BOOST_TEST(!table.on_list_changed(what));
        BOOST_TEST(take(table) != "");
        BOOST_TEST(take(table) == "");
    }
    BOOST_TEST(table.on_updated("file:///a"));
    BOOST_TEST(!table.on_updated("file:///a"));
    BOOST_TEST(take(table) == "1:file:///a");
    BOOST_TEST(take(table) == "");
    BOOST_TEST(table.on_updated("file:///a")); // also after the notification
    BOOST_TEST(take(table) == "1:file:///a");
}

BOOST_AUTO_TEST_CASE(only_the_first_recorded_change_after_take_returns_true)
{
    subscription_table table;
    table.add({true, true, false, {"file:///a"}});
    BOOST_TEST(!table.on_list_changed(change::resources)); // not wanted
    BOOST_TEST(!table.on_updated("file:///b"));
    BOOST_TEST(table.on_list_changed(change::prompts));
    BOOST_TEST(!table.on_list_changed(change::tools));
    BOOST_TEST(!table.on_updated("file:///a"));
    BOOST_TEST(take(table) == "1:tools 1:prompts 1:file:///a");
    BOOST_TEST(table.on_updated("file:///a"));
    BOOST_TEST(!table.on_list_changed(change::tools));
    BOOST_TEST(take(table) == "1:tools 1:file:///a");
}

BOOST_AUTO_TEST_CASE(task_is_notified_from_its_addition_to_its_removal)
{
    subscription_table table;
    auto const first = table.add({});
    table.add({});
    table.add_task(first, "t");
    table.add_task(first + 2, "t"); // unknown subscriber
    BOOST_TEST(table.on_task_changed("t"));
    BOOST_TEST(take(table) == "1:task t");
    table.remove_task(first, "u");
    table.remove_task(first + 2, "t");
    BOOST_TEST(table.on_task_changed("t"));
    BOOST_TEST(take(table) == "1:task t");
    table.remove_task(first, "t");
    BOOST_TEST(!table.on_task_changed("t"));
    BOOST_TEST(take(table) == "");
}

BOOST_AUTO_TEST_CASE(notifications_are_in_the_order_of_subscribers_then_lists_then_uris_then_tasks)
{
    subscription_table table;
    auto filter = all_lists;
    filter.uris = {"file:///b", "file:///a"};
    filter.task_ids = {"t2", "t1"};
    table.add(filter);
    table.add(filter);
    table.on_task_changed("t2");
    table.on_task_changed("t1");
    table.on_updated("file:///b");
    table.on_updated("file:///a");
    for (auto const what : {change::resources, change::prompts, change::tools})
        table.on_list_changed(what);
    BOOST_TEST(take(table) == "1:tools 1:prompts 1:resources 1:file:///a 1:file:///b 1:task t1 1:task t2 "
                              "2:tools 2:prompts 2:resources 2:file:///a 2:file:///b 2:task t1 2:task t2");
}

BOOST_AUTO_TEST_CASE(notification_of_changed_list_has_no_uri)
{
    subscription_table table;
    auto const subscriber = table.add({true, false, false, {"file:///a"}});
    table.on_list_changed(change::tools);
    table.on_updated("file:///a/b");
    std::vector<subscription_table::notification> const expected = {{subscriber, change::tools, ""},
                                                                    {subscriber, change::contents, "file:///a/b"}};
    BOOST_TEST((table.take() == expected));
}

BOOST_AUTO_TEST_CASE(subscription_matches_the_resource_and_the_resources_below_it)
{
    BOOST_TEST(matches("file:///a", "file:///a"));
    BOOST_TEST(matches("file:///a", "file:///a/"));
    BOOST_TEST(matches("file:///a", "file:///a/b"));
    BOOST_TEST(matches("file:///a", "file:///a/b/c"));
    BOOST_TEST(matches("file:///a/", "file:///a/"));
    BOOST_TEST(matches("file:///a/", "file:///a/b"));
    BOOST_TEST(matches("file:///", "file:///a"));
}

BOOST_AUTO_TEST_CASE(subscription_does_not_match_a_uri_prefix_that_ends_within_a_segment)
{
    for (auto const* uri : {"file:///ab", "file:///ab/c", "file:///a.txt", "file:///a?b", "file:///a#b", "file:///",
                            "file:///b/file:///a", "file:///A", ""})
        BOOST_TEST(!matches("file:///a", uri), uri);
    BOOST_TEST(!matches("file:///a/", "file:///a")); // the parent
    BOOST_TEST(!matches("file:///a/", "file:///ab"));
    BOOST_TEST(!matches("file:///a/b", "file:///a"));
}

BOOST_AUTO_TEST_CASE(resource_that_matches_several_uris_of_a_subscriber_is_notified_once)
{
    subscription_table table;
    table.add(with_uris({"file:///", "file:///a", "file:///a/b"}));
    BOOST_TEST(table.on_updated("file:///a/b"));
    BOOST_TEST(take(table) == "1:file:///a/b");
}

BOOST_AUTO_TEST_CASE(resources_below_a_subscription_are_notified_one_by_one)
{
    subscription_table table;
    table.add(with_uris({"file:///a"}));
    table.add(with_uris({"file:///a/c"}));
    for (auto const* uri : {"file:///a/c", "file:///a/b", "file:///a/c"})
        table.on_updated(uri);
    BOOST_TEST(take(table) == "1:file:///a/b 1:file:///a/c 2:file:///a/c");
}

BOOST_AUTO_TEST_CASE(added_uri_extends_the_filter_of_its_subscriber)
{
    subscription_table table;
    auto const first = table.add(all_lists);
    table.add(all_lists);
    BOOST_TEST(!table.on_updated("file:///a"));
    table.add_uri(first, "file:///a");
    table.add_uri(first, "file:///a"); // without effect
    table.add_uri(first, "file:///b");
    BOOST_TEST(table.on_updated("file:///a"));
    BOOST_TEST(!table.on_updated("file:///b"));
    BOOST_TEST(take(table) == "1:file:///a 1:file:///b");
    BOOST_TEST(table.on_list_changed(change::tools)); // the lists remain in the filter
    BOOST_TEST(take(table) == "1:tools 2:tools");
}

BOOST_AUTO_TEST_CASE(resource_is_in_the_filter_of_its_subscriber_only)
{
    subscription_table table;
    subscription_filter wanted;
    wanted.uris = {"note://a"};
    auto const first = table.add(wanted), second = table.add({});
    BOOST_TEST(table.has_uri(first, "note://a"));
    BOOST_TEST(!table.has_uri(first, "note://a/b"));
    BOOST_TEST(!table.has_uri(second, "note://a"));
    BOOST_TEST(!table.has_uri(second + 1, "note://a"));
    table.add_uri(second, "note://a");
    table.remove_uri(first, "note://a");
    BOOST_TEST(!table.has_uri(first, "note://a"));
    BOOST_TEST(table.has_uri(second, "note://a"));
    table.remove(second);
    BOOST_TEST(!table.has_uri(second, "note://a"));
}

BOOST_AUTO_TEST_CASE(removed_uri_is_no_longer_notified)
{
    subscription_table table;
    auto const first = table.add(with_uris({"file:///a", "file:///b"}));
    table.add(with_uris({"file:///a"}));
    table.add_uri(first, "file:///a"); // a second subscription to the same resource
    BOOST_TEST(table.on_updated("file:///a"));
    BOOST_TEST(!table.on_updated("file:///b"));
    table.remove_uri(first, "file:///a");
    table.remove_uri(first, "file:///c");                 // unknown URI
    table.remove_uri(first, "file:///");                  // not in the filter, although it is a prefix
    BOOST_TEST(take(table) == "1:file:///b 2:file:///a"); // also for a recorded change
    BOOST_TEST(table.on_updated("file:///a"));
    BOOST_TEST(take(table) == "2:file:///a");
    BOOST_TEST(table.size() == 2u); // the subscriber remains
}

BOOST_AUTO_TEST_CASE(uri_of_unknown_subscriber_is_ignored)
{
    subscription_table table;
    auto const only = table.add(all_lists);
    for (auto const subscriber : {only - 1, only + 1}) {
        table.add_uri(subscriber, "file:///a");
        table.remove_uri(subscriber, "file:///a");
        table.remove(subscriber);
    }
    BOOST_TEST(table.size() == 1u);
    BOOST_TEST(!table.on_updated("file:///a"));
}

BOOST_AUTO_TEST_CASE(removed_subscriber_is_not_notified)
{
    subscription_table table;
    auto filter = all_lists;
    filter.uris = {"file:///a"};
    auto const first = table.add(filter);
    table.add(filter);
    BOOST_TEST(table.on_list_changed(change::tools));
    BOOST_TEST(!table.on_updated("file:///a"));
    table.remove(first);
    table.remove(first); // without effect
    BOOST_TEST(table.size() == 1u);
    BOOST_TEST(take(table) == "2:tools 2:file:///a");
    BOOST_TEST(table.on_list_changed(change::prompts));
    BOOST_TEST(take(table) == "2:prompts");
}

BOOST_AUTO_TEST_CASE(change_remains_recorded_until_take_if_its_only_subscriber_is_removed)
{
    subscription_table table;
    auto const first = table.add(all_lists);
    table.add(with_uris({"file:///a"}));
    BOOST_TEST(table.on_list_changed(change::tools));
    table.remove(first);
    BOOST_TEST(!table.on_list_changed(change::tools)); // not wanted any more
    BOOST_TEST(!table.on_updated("file:///a"));        // take() is due already
    BOOST_TEST(take(table) == "2:file:///a");
    BOOST_TEST(table.on_updated("file:///a"));
}

BOOST_AUTO_TEST_CASE(filters_at_the_time_of_take_decide)
{
    subscription_table table;
    table.add(all_lists);
    BOOST_TEST(table.on_list_changed(change::tools));
    table.add(all_lists);
    BOOST_TEST(take(table) == "1:tools 2:tools");
    BOOST_TEST(take(table) == "");
}

BOOST_AUTO_TEST_CASE(key_of_a_removed_subscriber_is_not_reused)
{
    subscription_table table;
    auto const first = table.add({});
    auto const second = table.add({});
    BOOST_TEST(second != first);
    table.remove(second);
    BOOST_TEST(table.size() == 1u);
    auto const third = table.add({});
    BOOST_TEST(third > second);
    table.remove(first);
    table.remove(third);
    BOOST_TEST(table.size() == 0u);
    BOOST_TEST(table.add({}) > third);
}

BOOST_AUTO_TEST_CASE(resources_of_all_subscribers_are_counted)
{
    subscription_table table;
    BOOST_TEST(table.all_uris() == 0u);
    auto const first = table.add(with_uris({"file:///a", "file:///b"}));
    auto const second = table.add(with_uris({"file:///a"}));
    BOOST_TEST(table.all_uris() == 3u);
    table.add_uri(second, "file:///a"); // without effect
    table.add_uri(second + 1, "file:///a");
    table.add_task(second, "t");
    BOOST_TEST(table.all_uris() == 3u);
    table.add_uri(second, "file:///c");
    BOOST_TEST(table.all_uris() == 4u);
    table.remove_uri(first, "file:///c"); // of the other subscriber
    BOOST_TEST(table.all_uris() == 4u);
    table.remove_uri(first, "file:///a");
    BOOST_TEST(table.all_uris() == 3u);
    BOOST_TEST(table.uris(first) == 1u);
    table.remove(second);
    BOOST_TEST(table.all_uris() == 1u);
    table.remove(first);
    BOOST_TEST(table.all_uris() == 0u);
    BOOST_TEST(!table.on_updated("file:///a"));
}

BOOST_AUTO_TEST_CASE(subscription_to_the_empty_uri_matches_absolute_paths)
{
    BOOST_TEST(matches("", ""));
    BOOST_TEST(matches("", "/a"));
    BOOST_TEST(!matches("", "file:///a"));
    BOOST_TEST(matches("a//", "a//b"));
    BOOST_TEST(matches("a/", "a//b"));
    BOOST_TEST(!matches("a//b", "a/b"));
}

// The reference compares each change with each URI of each subscriber.
BOOST_AUTO_TEST_CASE(notifications_equal_those_of_a_comparison_with_each_uri)
{
    std::uint64_t seed = 1;
    auto const draw = [&seed](std::uint64_t end) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (seed >> 33) % end;
    };
    auto const draw_uri = [&] {
        std::string out;
        for (auto left = draw(5); left != 0; --left)
            out += draw(3) == 0 ? "/" : draw(2) == 0 ? "a" : "b";
        return out;
    };
    auto const is_match = [](std::string const& wanted, std::string const& uri) {
        return uri == wanted || (uri.starts_with(wanted) && (wanted.ends_with('/') || uri[wanted.size()] == '/'));
    };
    subscription_table table;
    std::map<subscription_table::key, std::set<std::string, std::less<>>> wanted;
    std::size_t notified = 0;
    for (int step = 0; step != 3'000; ++step) {
        auto const subscriber = draw(8) + 1;
        auto const uri = draw_uri();
        if (wanted.size() < 8 && draw(4) == 0) {
            std::set<std::string, std::less<>> const uris{uri, draw_uri()};
            wanted.emplace(table.add(with_uris(uris)), uris);
        } else if (draw(20) == 0) {
            table.remove(subscriber);
            wanted.erase(subscriber);
        } else if (wanted.contains(subscriber) && draw(2) == 0) {
            table.add_uri(subscriber, uri);
            wanted[subscriber].insert(uri);
        } else if (wanted.contains(subscriber)) {
            table.remove_uri(subscriber, uri);
            wanted[subscriber].erase(uri);
        }
        std::set<std::string> const changed{draw_uri(), draw_uri()};
        for (auto const& each : changed)
            table.on_updated(each);
        std::vector<subscription_table::notification> expected;
        std::size_t all = 0;
        for (auto const& [key, uris] : wanted) {
            all += uris.size();
            for (auto const& each : changed)
                if (std::ranges::any_of(uris, [&](auto const& one) { return is_match(one, each); }))
                    expected.push_back({key, change::contents, each});
        }
        notified += expected.size();
        BOOST_TEST_REQUIRE(text_of(table.take()) == text_of(expected));
        BOOST_TEST_REQUIRE(table.all_uris() == all);
    }
    BOOST_TEST(notified > 1'000u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_subscriber_with_resources_and_tasks_leaves_none_of_them)
{
    std::string const first = "file:///" + std::string(40, 'u'), second = first + "/v", task(40, 't');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        subscription_table table;
        table.add(with_uris({first}));
        bool const is_added = failing([&] { table.add({true, false, false, {first, second}, {task}}); });
        BOOST_TEST(table.size() == (is_added ? 2u : 1u));
        BOOST_TEST(table.all_uris() == (is_added ? 3u : 1u));
        BOOST_TEST(table.on_list_changed(change::tools) == is_added);
        table.take();
        BOOST_TEST(table.on_task_changed(task) == is_added);
        table.take();
        BOOST_TEST(table.on_updated(second));
        BOOST_TEST(take(table) == "1:" + second + (is_added ? " 2:" + second : std::string()));
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_subscriber_keeps_the_other_subscribers)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        subscription_table table;
        auto const first = table.add(all_lists);
        subscription_table::key second = 0;
        bool const is_added = failing([&] { second = table.add(all_lists); });
        BOOST_TEST(table.size() == (is_added ? 2u : 1u));
        if (!is_added)
            second = table.add(all_lists);
        BOOST_TEST(second > first);
        BOOST_TEST(table.on_list_changed(change::tools));
        BOOST_TEST(table.take().size() == 2u);
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_uri_keeps_the_filter)
{
    std::string const uri = "file:///" + std::string(40, 'u'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        subscription_table table;
        auto const only = table.add(with_uris({"file:///a"}));
        bool const is_added = failing([&] { table.add_uri(only, uri); });
        BOOST_TEST(table.on_updated("file:///a"));
        BOOST_TEST(!table.on_updated(uri));
        BOOST_TEST(take(table) == "1:file:///a" + (is_added ? " 1:" + uri : std::string()));
        table.add_uri(only, uri);
        BOOST_TEST(table.on_updated(uri));
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_changed_contents_records_no_change)
{
    std::string const uri = "file:///" + std::string(40, 'u');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        subscription_table table;
        table.add(with_uris({uri}));
        bool is_due = false;
        bool const is_recorded = failing([&] { is_due = table.on_updated(uri); });
        BOOST_TEST(is_due == is_recorded);
        BOOST_TEST(take(table) == (is_recorded ? "1:" + uri : std::string()));
        BOOST_TEST(table.on_updated(uri)); // the change is recorded without the failure
        BOOST_TEST(take(table) == "1:" + uri);
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_notifications_keeps_them_due)
{
    std::string const uri = "file:///" + std::string(40, 'u');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        subscription_table table;
        for (int i = 0; i != 3; ++i)
            table.add({true, false, true, {uri}, {"t"}});
        table.on_task_changed("t");
        table.on_list_changed(change::tools);
        table.on_list_changed(change::resources);
        table.on_updated(uri);
        std::vector<subscription_table::notification> due;
        if (!failing([&] { due = table.take(); })) {
            BOOST_TEST(!table.on_list_changed(change::tools)); // still due
            due = table.take();
        }
        std::string expected;
        for (auto const* subscriber : {"1:", "2:", "3:"})
            for (auto const& what : {std::string("tools"), std::string("resources"), uri, std::string("task t")})
                (expected += expected.empty() ? "" : " ") += subscriber + what;
        BOOST_TEST(text_of(due) == expected);
        BOOST_TEST(take(table) == "");
    });
}

BOOST_AUTO_TEST_CASE(changed_list_and_removal_do_not_throw)
{
    static_assert(noexcept(std::declval<subscription_table&>().on_list_changed(change::tools)));
    static_assert(noexcept(std::declval<subscription_table&>().remove(1)));
    static_assert(noexcept(std::declval<subscription_table&>().remove_uri(1, "")));
    subscription_table table;
    auto const first = table.add(with_uris({"file:///a"}));
    auto const second = table.add(all_lists);
    bool is_due = false;
    {
        linkspan::test::failing_allocation const failing(0);
        is_due = table.on_list_changed(change::tools);
        table.remove_uri(first, "file:///a");
        table.remove(second);
    }
    BOOST_TEST(is_due);
    BOOST_TEST(table.size() == 1u);
    BOOST_TEST(take(table) == "");
    BOOST_TEST(!table.on_updated("file:///a"));
}

BOOST_AUTO_TEST_CASE(changed_tasks_are_notified_to_their_subscribers_only)
{
    subscription_table table;
    auto const first = table.add({false, false, false, {}, {"t1"}});
    table.add({true, true, true, {"file:///a"}, {}});
    BOOST_TEST(!table.on_task_changed("t2"));
    BOOST_TEST(table.on_task_changed("t1"));
    BOOST_TEST(!table.on_task_changed("t1")); // recorded already
    BOOST_TEST(take(table) == std::to_string(first) + ":task t1");
    BOOST_TEST(take(table) == "");
    table.remove(first);
    BOOST_TEST(!table.on_task_changed("t1"));
}

BOOST_AUTO_TEST_CASE(task_id_matches_completely_and_is_no_uri)
{
    subscription_table table;
    table.add({false, false, false, {"test:b"}, {"test:a"}});
    for (auto const* id : {"test:a/b", "test:", "TEST:A", "", "test:b"})
        BOOST_TEST(!table.on_task_changed(id), id);
    BOOST_TEST(!table.on_updated("test:a"));
    BOOST_TEST(table.on_task_changed("test:a"));
    BOOST_TEST(!table.on_updated("test:b")); // a change is recorded already
    BOOST_TEST(take(table) == "1:test:b 1:task test:a");
    BOOST_TEST(table.on_updated("test:b"));
    BOOST_TEST(!table.on_task_changed("test:a"));
    BOOST_TEST(take(table) == "1:test:b 1:task test:a");
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_changed_task_records_no_change)
{
    std::string const id(40, 't');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        subscription_table table;
        table.add({false, false, false, {}, {id}});
        bool is_due = false;
        bool const is_recorded = failing([&] { is_due = table.on_task_changed(id); });
        BOOST_TEST(is_due == is_recorded);
        BOOST_TEST(take(table) == (is_recorded ? "1:task " + id : std::string()));
        BOOST_TEST(table.on_task_changed(id)); // the change is recorded without the failure
        BOOST_TEST(take(table) == "1:task " + id);
    });
}

BOOST_AUTO_TEST_SUITE_END()
