#include <linkspan/protocol/server/resume_log.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(resume_log_test)

using linkspan::resume_log;
using linkspan::time_point;
using namespace std::chrono_literals;

namespace {

constexpr time_point start{1000s};

// Returns the data of the events after the id, such as "a b", or "discarded".
std::string after(resume_log& log, std::string const& id, time_point now = start)
{
    auto const events = log.after(resume_log::read_id(id).value(), now);
    if (!events)
        return "discarded";
    std::string out;
    for (auto const& one : *events)
        (out += out.empty() ? "" : " ") += *one.data;
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(events_of_one_stream_after_an_id_are_returned_in_order)
{
    resume_log log({});
    BOOST_TEST(log.add(1, "", start) == "1-0");
    BOOST_TEST(log.add(2, "x", start) == "2-0");
    BOOST_TEST(log.add(1, "a", start) == "1-1");
    BOOST_TEST(log.add(1, "b", start) == "1-2");
    BOOST_TEST(after(log, "1-0") == "a b");
    BOOST_TEST(after(log, "1-1") == "b");
    BOOST_TEST(after(log, "1-2") == "");
    BOOST_TEST(after(log, "2-0") == "");
    BOOST_TEST(after(log, "1-3") == "discarded"); // never assigned
    BOOST_TEST(after(log, "3-0") == "discarded");
    BOOST_TEST(log.size() == 4u);
    BOOST_TEST(log.bytes() == 3u);
}

BOOST_AUTO_TEST_CASE(oldest_events_are_discarded_beyond_the_number_of_events)
{
    resume_log log({.max_events = 2});
    for (auto const* data : {"a", "b", "c"})
        log.add(1, data, start);
    BOOST_TEST(log.size() == 2u);
    BOOST_TEST(after(log, "1-0") == "b c"); // the discarded event was received
    BOOST_TEST(after(log, "1-1") == "c");
    log.add(1, "d", start);
    BOOST_TEST(after(log, "1-0") == "discarded");
    log.add(2, "e", start); // discards an event of another stream
    BOOST_TEST(after(log, "1-1") == "discarded");
    BOOST_TEST(after(log, "2-0") == "");
}

BOOST_AUTO_TEST_CASE(oldest_events_are_discarded_beyond_the_number_of_bytes)
{
    resume_log log({.max_bytes = 10});
    log.add(1, std::string(6, 'a'), start);
    log.add(1, std::string(5, 'b'), start);
    BOOST_TEST(log.bytes() == 5u);
    log.add(1, std::string(11, 'c'), start); // an event that is too large is not stored
    BOOST_TEST(log.bytes() == 0u);
    BOOST_TEST(log.size() == 0u);
    BOOST_TEST(after(log, "1-1") == "discarded");
    BOOST_TEST(after(log, "1-2") == "");
}

BOOST_AUTO_TEST_CASE(event_that_is_too_large_discards_no_event_of_another_stream)
{
    resume_log log({.max_bytes = 10});
    log.add(1, "", start);
    log.add(1, "12345", start);
    log.add(2, "1234", start);
    BOOST_TEST(log.add(2, std::string(11, 'c'), start) == "2-1");
    BOOST_TEST(log.size() == 2u);
    BOOST_TEST(log.bytes() == 5u);
    BOOST_TEST(after(log, "1-0") == "12345");
    BOOST_TEST(after(log, "2-0") == "discarded");
    BOOST_TEST(log.add(2, "x", start) == "2-2");
    BOOST_TEST(after(log, "2-0") == "discarded");
    BOOST_TEST(after(log, "2-1") == "x");
}

BOOST_AUTO_TEST_CASE(number_of_bytes_may_be_smaller_for_an_event)
{
    resume_log log({.max_bytes = 10});
    log.add(1, "aaaa", start);
    log.add(1, "bbbb", start);
    log.add(1, "cc", start, 6); // discards the first event
    BOOST_TEST(log.bytes() == 6u);
    BOOST_TEST(after(log, "1-0") == "bbbb cc");
    log.add(2, "dddd", start, 3); // is not stored, and discards no event of another stream
    BOOST_TEST(log.bytes() == 6u);
    BOOST_TEST(after(log, "1-0") == "bbbb cc");
    log.add(1, std::string(11, 'e'), start, 100); // the limit of the log applies too
    BOOST_TEST(log.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(events_are_discarded_when_they_are_too_old)
{
    resume_log log({.max_age = 10s});
    log.add(1, "a", start);
    log.add(1, "b", start + 5s);
    BOOST_TEST(after(log, "1-0", start + 10s) == "b");
    BOOST_TEST(log.size() == 2u);
    BOOST_TEST(after(log, "1-0", start + 15s) == "b");
    BOOST_TEST(log.size() == 1u);
    BOOST_TEST(after(log, "1-0", start + 16s) == "discarded");
}

BOOST_AUTO_TEST_CASE(log_without_capacity_stores_nothing)
{
    resume_log log({.max_events = 0});
    BOOST_TEST(log.add(1, "a", start) == "1-0");
    BOOST_TEST(log.size() == 0u);
    BOOST_TEST(after(log, "1-0") == "");
    log.add(1, "b", start);
    BOOST_TEST(after(log, "1-0") == "discarded");
}

BOOST_AUTO_TEST_CASE(erased_stream_has_no_events)
{
    resume_log log({});
    log.add(1, "abc", start);
    log.add(2, "d", start);
    log.erase(1);
    log.erase(3);
    BOOST_TEST(log.size() == 1u);
    BOOST_TEST(log.bytes() == 1u);
    BOOST_TEST(after(log, "1-0") == "discarded");
    BOOST_TEST(after(log, "2-0") == "");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_event_id_is_rejected)
{
    for (auto const* text : {"", "1", "1-", "-1", "a-1", "1-a", "1-2x", "1-2-3", " 1-2", "99999999999999999999-1"})
        BOOST_TEST(!resume_log::read_id(text).has_value(), text);
    auto const read = resume_log::read_id("12-345");
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->stream == 12u);
    BOOST_TEST(read->number == 345u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_event)
{
    constexpr std::uint64_t stream = 10'000'000'000'000'000'000u; // the id is longer than the small buffer of a string
    auto const id = std::to_string(stream) + "-0";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        resume_log log({});
        for (int i = 0; i != 11; ++i) // the next event needs another block of the queue
            log.add(1, "a", start);
        std::string added;
        if (!failing([&] { added = log.add(stream, std::string(40, 'x'), start); })) {
            BOOST_TEST(log.size() == 11u);
            BOOST_TEST(log.bytes() == 11u);
            BOOST_TEST(after(log, id) == "discarded"); // never assigned
            added = log.add(stream, std::string(40, 'x'), start);
        }
        BOOST_TEST(added == id);
        BOOST_TEST(log.size() == 12u);
        BOOST_TEST(log.bytes() == 51u);
        BOOST_TEST(after(log, id) == "");
        log.erase(stream);
        BOOST_TEST(log.bytes() == 11u);
        BOOST_TEST(after(log, "1-9") == "a");
    });
}

BOOST_AUTO_TEST_CASE(events_are_returned_again_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        resume_log log({});
        for (auto const* data : {"a", "b", "c"})
            log.add(1, data, start);
        std::optional<std::vector<resume_log::event>> found;
        if (!failing([&] { found = log.after({1, 0}, start); }))
            found = log.after({1, 0}, start);
        BOOST_TEST_REQUIRE(found.has_value());
        BOOST_TEST(found->size() == 2u);
        BOOST_TEST(log.size() == 3u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
