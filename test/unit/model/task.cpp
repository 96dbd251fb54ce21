#include <linkspan/model/task.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

BOOST_AUTO_TEST_SUITE(task_test)

using namespace linkspan;
using namespace std::chrono_literals;

namespace {

// 2026-07-28T09:30:05.042Z
constexpr wall_time moment{std::chrono::sys_days(std::chrono::year(2026) / 7 / 28) + 9h + 30min + 5s + 42ms};

std::string members(task const& from, protocol_version id, bool has_outcome)
{
    std::string out;
    append_members(out, from, id, has_outcome);
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(time_is_written_in_utc_with_milliseconds)
{
    std::string out;
    append_time(out, moment);
    BOOST_TEST(out == "2026-07-28T09:30:05.042Z");
    out.clear();
    append_time(out, wall_time());
    BOOST_TEST(out == "1970-01-01T00:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(members_have_the_names_of_the_protocol_version)
{
    task from;
    from.id = "t1";
    from.created = from.updated = moment;
    from.ttl = 5s;
    from.poll_interval = 1s;
    from.result = R"({"content":[]})";
    from.status = task_status::completed;
    BOOST_TEST(members(from, protocol_version::v2025_11_25, true) ==
               R"("taskId":"t1","status":"completed","createdAt":"2026-07-28T09:30:05.042Z",)"
               R"("lastUpdatedAt":"2026-07-28T09:30:05.042Z","ttl":5000,"pollInterval":1000)");
    BOOST_TEST(members(from, protocol_version::v2026_07_28, true) ==
               R"("taskId":"t1","status":"completed","createdAt":"2026-07-28T09:30:05.042Z",)"
               R"("lastUpdatedAt":"2026-07-28T09:30:05.042Z","ttlMs":5000,"pollIntervalMs":1000,)"
               R"("result":{"content":[]})");
    from.ttl.reset();
    from.poll_interval.reset();
    from.message = "almost";
    BOOST_TEST(members(from, protocol_version::v2026_07_28, false) ==
               R"("taskId":"t1","status":"completed","statusMessage":"almost",)"
               R"("createdAt":"2026-07-28T09:30:05.042Z","lastUpdatedAt":"2026-07-28T09:30:05.042Z","ttlMs":null)");
}

BOOST_AUTO_TEST_CASE(task_is_read_in_both_forms)
{
    task from;
    from.id = "t1";
    from.created = wall_time(std::chrono::floor<std::chrono::seconds>(moment));
    from.updated = from.created + 1h;
    from.ttl = 5s;
    from.poll_interval = 250ms;
    from.status = task_status::input_required;
    for (auto const id : {protocol_version::v2025_11_25, protocol_version::v2026_07_28})
        BOOST_TEST((read_task("{" + members(from, id, true) + "}") == from));
    auto const failed = read_task(R"({"taskId":"x","status":"failed","ttlMs":null,"error":{"code":1}})");
    BOOST_TEST_REQUIRE(failed.has_value());
    BOOST_TEST(failed->error == R"({"code":1})");
    BOOST_TEST(!failed->ttl.has_value());
}

BOOST_AUTO_TEST_CASE(text_that_is_no_task_is_rejected)
{
    for (auto const* text : {"", "{}", "[]", R"({"taskId":"x"})", R"({"status":"working"})",
                             R"({"taskId":"x","status":"sleeping"})", R"({"taskId":"","status":"working"})"})
        BOOST_TEST(!read_task(text).has_value(), text);
    auto const odd = read_task(R"({"taskId":"x","status":"working","createdAt":"2026-13-01T00:00:00Z","ttl":-1})");
    BOOST_TEST_REQUIRE(odd.has_value());
    BOOST_TEST((odd->created == wall_time()));
    BOOST_TEST(!odd->ttl.has_value());
}

BOOST_AUTO_TEST_CASE(time_of_a_task_has_an_offset_from_utc)
{
    auto const created = [](std::string const& time) {
        auto const read = read_task(R"({"taskId":"x","status":"working","createdAt":")" + time + "\"}");
        BOOST_TEST_REQUIRE(read.has_value());
        return read->created;
    };
    auto const expected = created("2026-07-28T09:30:05Z");
    BOOST_TEST((expected == wall_time(std::chrono::floor<std::chrono::seconds>(moment))));
    for (auto const* const time : {"2026-07-28T11:30:05+02:00", "2026-07-28T04:00:05.042-05:30",
                                   "2026-07-29T00:30:05.5+15:00", "2026-07-28T09:30:05.999+00:00"})
        BOOST_TEST((created(time) == expected), time);
    BOOST_TEST((created("2026-07-28T09:30:05+2") == wall_time()));
    BOOST_TEST((created("2026-07-28T09:30:05-ab:cd") == wall_time()));
}

BOOST_AUTO_TEST_SUITE_END()
