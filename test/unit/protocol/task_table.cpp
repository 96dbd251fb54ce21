#include <linkspan/protocol/task_table.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/task_timestamps.hpp"

BOOST_AUTO_TEST_SUITE(task_table_test)

using namespace linkspan;
using namespace std::chrono_literals;

namespace {

constexpr task_timestamp start{wall_time(std::chrono::hours(1'000'000)), time_point(std::chrono::hours(1'000))};

// Returns the status of a task; "unknown" if it is not found.
std::string status_of(task_table const& table, std::string_view id, task_timestamp now = start)
{
    auto const* const found = table.find(id, "ada", now);
    return found ? std::string(to_string(found->status)) : "unknown";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_task_is_found_by_its_owner_only)
{
    task_table table(10);
    auto const* const added = table.add("t", "ada", 1min, 1s, start);
    BOOST_TEST_REQUIRE(added);
    BOOST_TEST(added->id == "t");
    BOOST_TEST((added->created == start.wall));
    BOOST_TEST(status_of(table, "t") == "working");
    BOOST_TEST(!table.find("t", "eve", start));
    BOOST_TEST(!table.find("u", "ada", start));
    BOOST_TEST(!table.add("t", "ada", 1min, 1s, start)); // the id is taken
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(tasks_of_an_owner_are_limited)
{
    task_table table(10, 1);
    BOOST_TEST(!!table.add("a", "ada", 1min, {}, start));
    BOOST_TEST(!table.add("b", "ada", 1min, {}, start));
    BOOST_TEST(!!table.add("c", "eve", 1min, {}, start));
    table.on_completed("a", "{}", start);
    BOOST_TEST(!table.add("d", "ada", 1min, {}, start + 1min));
    BOOST_TEST(!!table.add("d", "ada", 1min, {}, start + 2min)); // the first one has expired
    BOOST_TEST(!!table.add("e", "", 1min, {}, start));
    BOOST_TEST(!!table.add("f", "", 1min, {}, start)); // tasks without an owner have no maximum
}

BOOST_AUTO_TEST_CASE(every_event_leads_to_its_status_and_a_final_status_remains)
{
    for (std::string const last : {"completed", "failed", "cancelled"}) {
        task_table table(10);
        table.add("t", "ada", {}, {}, start);
        auto const finish = [&] {
            return last == "completed" ? table.on_completed("t", "{}", start + 3s)
                   : last == "failed"  ? table.on_failed("t", "{}", start + 3s)
                                       : table.on_cancelled("t", start + 3s);
        };
        BOOST_TEST(table.on_input_required("t", R"({"k":{}})", start + 1s));
        BOOST_TEST(status_of(table, "t") == "input_required");
        BOOST_TEST(table.on_input_required("t", "", start + 2s));
        BOOST_TEST(status_of(table, "t") == "working");
        BOOST_TEST(table.on_input_required("t", R"({"k":{}})", start + 2s));
        BOOST_TEST(finish());
        BOOST_TEST(status_of(table, "t") == last);
        BOOST_TEST((table.find("t", "ada", start)->updated == (start + 3s).wall));
        BOOST_TEST(table.find("t", "ada", start)->input_requests == "");
        BOOST_TEST(!finish());
        BOOST_TEST(!table.on_input_required("t", "{}", start));
        BOOST_TEST(!table.on_completed("t", "{}", start));
        BOOST_TEST(!table.on_failed("t", "{}", start));
        BOOST_TEST(!table.on_cancelled("t", start));
        BOOST_TEST(status_of(table, "t") == last);
    }
    task_table table(10);
    BOOST_TEST(!table.on_completed("t", "{}", start));
}

BOOST_AUTO_TEST_CASE(only_final_tasks_expire_and_never_before_their_time)
{
    task_table table(2);
    table.add("open", "ada", 1min, {}, start);
    table.add("done", "ada", 1min, {}, start);
    table.on_completed("done", "{}", start);
    BOOST_TEST(status_of(table, "done", start + 1min) == "completed");
    BOOST_TEST(!table.add("more", "ada", 1min, {}, start + 1min)); // both must be kept
    BOOST_TEST(status_of(table, "done", start + 1min + 1ms) == "unknown");
    BOOST_TEST(status_of(table, "open", start + 1h) == "working");
    BOOST_TEST(table.add("more", "ada", 1min, {}, start + 1h));
    BOOST_TEST(table.size() == 2u);
    table.on_cancelled("open", start + 1h);
    table.expire(start + 1h);
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(outcomes_that_exceed_the_limit_of_bytes_are_replaced_by_an_error)
{
    task_table table(task_limits{.max_tasks = 10, .max_each = 10, .max_bytes = 100});
    for (auto const* const id : {"a", "b", "c", "d", "e", "f"})
        table.add(id, "ada", 1min, {}, start);
    BOOST_TEST(table.fits("a", 100));
    BOOST_TEST(!table.fits("a", 101));
    BOOST_TEST(!table.fits("unknown", 1));
    BOOST_TEST(table.on_completed("a", std::string(60, 'r'), start));
    BOOST_TEST(table.fits("b", 40));
    BOOST_TEST(!table.fits("b", 41));
    BOOST_TEST(table.on_completed("b", std::string(41, 'r'), start));
    auto const* const discarded = table.find("b", "ada", start);
    BOOST_TEST((discarded->status == task_status::failed));
    BOOST_TEST(discarded->result == "");
    BOOST_TEST(discarded->error.starts_with(R"({"code":-32603,"message":")"), discarded->error);
    BOOST_TEST(discarded->error.find("limit of stored bytes") != std::string::npos, discarded->error);
    BOOST_TEST(table.discarded() == 1u);
    BOOST_TEST(!table.fits("c", 0)); // the error is longer than the rest
    BOOST_TEST(table.on_failed("c", std::string(41, 'e'), start));
    BOOST_TEST(table.find("c", "ada", start)->error == discarded->error);
    BOOST_TEST(table.on_cancelled("d", start));
    BOOST_TEST(table.discarded() == 2u);
    BOOST_TEST(!table.on_failed("c", std::string(200, 'e'), start));                // final already
    BOOST_TEST(table.on_completed("e", std::string(100, 'r'), start + 1min + 1ms)); // all others have expired
    BOOST_TEST(table.find("e", "ada", start)->result == std::string(100, 'r'));
    BOOST_TEST(table.discarded() == 2u);
    table.clear();
    table.add("g", "ada", 1min, {}, start);
    BOOST_TEST(table.fits("g", 100));
}

BOOST_AUTO_TEST_CASE(limits_apply_to_an_account_and_not_to_the_owners)
{
    task_table table(task_limits{.max_tasks = 10, .max_each = 2, .max_bytes = 300, .max_bytes_each = 100});
    BOOST_TEST(!!table.add("a", "", 1min, {}, start, "here"));
    BOOST_TEST(!!table.add("b", "ada", 1min, {}, start, "here"));
    BOOST_TEST(!table.add("c", "eve", 1min, {}, start, "here"));
    BOOST_TEST(!!table.add("c", "eve", 1min, {}, start, "there"));
    BOOST_TEST(!!table.add("d", "", 1min, {}, start, "there"));
    table.on_completed("a", std::string(60, 'r'), start);
    BOOST_TEST(table.fits("b", 40));
    BOOST_TEST(!table.fits("b", 41));
    BOOST_TEST(table.fits("c", 100));
    BOOST_TEST(!!table.find("a", "", start));
    BOOST_TEST(!table.find("a", "here", start));
    BOOST_TEST(!table.find("b", "", start));
    BOOST_TEST(table.of("", start).size() == 2u);
    BOOST_TEST(!!table.add("e", "", 1min, {}, start + 2min, "here")); // the first one has expired
    BOOST_TEST(table.fits("b", 100));
}

BOOST_AUTO_TEST_CASE(bytes_of_an_owner_are_limited)
{
    task_table table(task_limits{.max_tasks = 10, .max_each = 10, .max_bytes = 300, .max_bytes_each = 100});
    for (std::string const id : {"a", "b"})
        table.add(id, "ada", 1min, {}, start);
    table.add("c", "eve", 1min, {}, start);
    for (std::string const id : {"d", "e"})
        table.add(id, "", 1min, {}, start);
    table.on_completed("a", std::string(60, 'r'), start);
    BOOST_TEST(table.fits("b", 40));
    BOOST_TEST(!table.fits("b", 41));
    BOOST_TEST(table.fits("c", 100));
    BOOST_TEST(!table.fits("c", 101));
    BOOST_TEST(table.fits("d", 240)); // tasks without an owner have the limit of all tasks
    table.on_completed("d", std::string(220, 'r'), start);
    BOOST_TEST(table.find("d", "", start)->result.size() == 220u);
    BOOST_TEST(table.fits("c", 20));
    BOOST_TEST(!table.fits("c", 21));
}

BOOST_AUTO_TEST_CASE(expired_tasks_are_removed_at_the_time_of_each)
{
    task_table table(10);
    table.add("late", "ada", 3min, {}, start);
    table.add("early", "ada", 1min, {}, start);
    table.add("kept", "ada", {}, {}, start);
    table.add("huge", "ada", std::chrono::milliseconds::max(), {}, start);
    table.add("open", "ada", 1ms, {}, start);
    for (auto const* const id : {"late", "early", "kept", "huge"})
        table.on_completed(id, "{}", start);
    table.expire(start + 1min);
    BOOST_TEST(table.size() == 5u);
    table.expire(start + 1min + 1ms);
    BOOST_TEST(table.size() == 4u);
    table.expire(start + 3min);
    BOOST_TEST(table.size() == 4u);
    table.expire(start + 3min + 1ms);
    BOOST_TEST(table.size() == 3u);
    table.on_cancelled("open", start + 1h);
    table.expire(start + 1h);
    BOOST_TEST(table.size() == 2u);
    table.expire(start + 100'000h);
    BOOST_TEST(status_of(table, "kept", start + 100'000h) == "completed");
    BOOST_TEST(status_of(table, "huge", start + 100'000h) == "completed");
    BOOST_TEST(table.size() == 2u);
}

BOOST_AUTO_TEST_CASE(changes_of_the_system_clock_do_not_change_the_expiry)
{
    task_table table(1);
    table.add("t", "ada", 1min, {}, start);
    auto now = start + 30s;
    now.wall += 24h;
    table.on_completed("t", "{}", now);
    BOOST_TEST((table.find("t", "ada", now)->created == start.wall));
    BOOST_TEST((table.find("t", "ada", now)->updated == now.wall));
    table.expire(now);
    BOOST_TEST(status_of(table, "t", now) == "completed");
    BOOST_TEST(table.of("ada", now).size() == 1u);
    BOOST_TEST(!table.is_past_ttl("t", now));
    BOOST_TEST(!table.add("u", "ada", 1min, {}, now));
    now = start + 61s;
    now.wall -= 24h;
    BOOST_TEST(status_of(table, "t", now) == "unknown");
    BOOST_TEST(table.of("ada", now).empty());
    BOOST_TEST(table.is_past_ttl("t", now));
    table.expire(now);
    BOOST_TEST(table.size() == 0u);
}

BOOST_AUTO_TEST_CASE(tasks_of_an_owner_are_listed_in_the_order_of_their_creation)
{
    task_table table(10);
    for (std::string const id : {"z", "a", "m"})
        table.add(id, "ada", {}, {}, start);
    table.add("b", "eve", {}, {}, start);
    std::string ids;
    for (auto const* const each : table.of("ada", start))
        ids += each->id;
    BOOST_TEST(ids == "zam");
}

BOOST_AUTO_TEST_CASE(task_that_works_has_every_final_status)
{
    task_table table(10);
    for (auto const* id : {"a", "b", "c", "d"})
        table.add(id, "ada", {}, {}, start);
    BOOST_TEST(table.on_completed("a", R"({"x":1})", start));
    BOOST_TEST(table.on_completed("b", R"({"isError":true})", start, true));
    BOOST_TEST(table.on_failed("c", R"({"code":1})", start));
    BOOST_TEST(table.on_cancelled("d", start));
    BOOST_TEST(status_of(table, "a") == "completed");
    BOOST_TEST(status_of(table, "b") == "failed");
    BOOST_TEST(status_of(table, "c") == "failed");
    BOOST_TEST(status_of(table, "d") == "cancelled");
    BOOST_TEST(table.find("a", "ada", start)->result == R"({"x":1})");
    BOOST_TEST(table.find("b", "ada", start)->result == R"({"isError":true})");
    BOOST_TEST(table.find("c", "ada", start)->error == R"({"code":1})");
}

BOOST_AUTO_TEST_CASE(events_of_an_unknown_task_have_no_effect)
{
    task_table table(10);
    table.add("t", "ada", {}, {}, start);
    BOOST_TEST(!table.on_input_required("u", "{}", start + 1s));
    BOOST_TEST(!table.on_completed("u", "{}", start + 1s));
    BOOST_TEST(!table.on_failed("u", "{}", start + 1s));
    BOOST_TEST(!table.on_cancelled("u", start + 1s));
    BOOST_TEST((table.find("t", "ada", start)->updated == start.wall));
    table.clear();
    BOOST_TEST(!table.on_cancelled("t", start));
    BOOST_TEST(table.size() == 0u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_a_task_adds_nothing)
{
    std::string const id(40, 't'), owner(40, 'o'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        task_table table(3, 1);
        table.add("z", "eve", {}, {}, start);
        bool const is_added = failing([&] { table.add(id, owner, 1min, 1s, start); });
        BOOST_TEST(table.size() == (is_added ? 2u : 1u));
        BOOST_TEST(!table.find(id, owner, start) == !is_added);
        if (!is_added)
            BOOST_TEST(!!table.add(id, owner, 1min, 1s, start)); // the owner has its place
        BOOST_TEST(!table.add("u", owner, 1min, 1s, start));     // which is taken now
        BOOST_TEST(table.of(owner, start).size() == 1u);
        BOOST_TEST(table.find(id, owner, start)->id == id);
        BOOST_TEST(status_of(table, "z") == "unknown"); // of another owner
    });
}

BOOST_AUTO_TEST_CASE(removed_task_leaves_its_place)
{
    task_table table(2, 1);
    table.add("t", "ada", {}, {}, start);
    BOOST_TEST(!table.add("u", "ada", {}, {}, start));
    table.remove("z"); // no effect
    BOOST_TEST(table.size() == 1u);
    table.remove("t");
    BOOST_TEST(table.size() == 0u);
    BOOST_TEST(!!table.add("u", "ada", {}, {}, start));
}

BOOST_AUTO_TEST_CASE(list_of_tasks_is_repeated_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        task_table table(10);
        for (auto const* id : {"z", "a", "m"})
            table.add(id, "ada", {}, {}, start);
        std::vector<task const*> listed;
        if (!failing([&] { listed = table.of("ada", start); }))
            listed = table.of("ada", start);
        BOOST_TEST_REQUIRE(listed.size() == 3u);
        BOOST_TEST(listed[0]->id + listed[1]->id + listed[2]->id == "zam");
    });
}

BOOST_AUTO_TEST_CASE(events_of_a_task_allocate_no_memory)
{
    task_table table(10);
    table.add("t", "ada", 1min, {}, start);
    table.add("u", "ada", 1min, {}, start);
    std::string requests(40, 'r'), result(40, 'x'), error(40, 'e');
    {
        linkspan::test::failing_allocation const failing(0);
        table.on_input_required("t", std::move(requests), start);
        table.on_completed("t", std::move(result), start);
        table.on_failed("u", std::move(error), start);
        table.expire(start + 1h);
    }
    BOOST_TEST(table.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
