#include <linkspan/http/server/detail/waiting_events.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(waiting_events_test)

using linkspan::detail::waiting_events;

namespace {

// Three events of 3, 2 and 4 bytes.
struct three_events {
    std::size_t total = 0;
    waiting_events events{total};

    three_events()
    {
        events.push_back({"1", "bb"});
        events.push_back({"2", "cccc"});
        events.push_front({"0", "aaa"});
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(events_are_removed_in_their_order)
{
    three_events kept;
    auto& events = kept.events;
    BOOST_TEST(events.size() == 3u);
    BOOST_TEST(events.bytes() == 9u);
    auto const first = events.pop_front();
    BOOST_TEST(first.id == "0");
    BOOST_TEST(first.data == "aaa");
    BOOST_TEST(events.bytes() == 6u);
    BOOST_TEST(events.pop_front().data == "bb");
    BOOST_TEST(events.pop_front().data == "cccc");
    BOOST_TEST(events.empty());
    BOOST_TEST(events.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(data_is_found_until_its_event_is_removed)
{
    three_events kept;
    auto& events = kept.events;
    BOOST_TEST(events.contains("aaa"));
    BOOST_TEST(!events.contains("aa"));
    events.pop_front();
    BOOST_TEST(!events.contains("aaa"));
}

BOOST_AUTO_TEST_CASE(oldest_events_are_discarded_beyond_a_number)
{
    three_events kept;
    auto& events = kept.events;
    events.keep_newest(3);
    BOOST_TEST(events.size() == 3u);
    events.keep_newest(2);
    BOOST_TEST(events.size() == 2u);
    BOOST_TEST(events.bytes() == 6u);
    BOOST_TEST(events.pop_front().id == "1");
    events.keep_newest(0);
    BOOST_TEST(events.empty());
    BOOST_TEST(events.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(oldest_events_are_discarded_until_enough_bytes_are_free)
{
    three_events kept;
    auto& events = kept.events;
    BOOST_TEST(events.discard_bytes(0) == 0u);
    BOOST_TEST(events.size() == 3u);
    BOOST_TEST(events.discard_bytes(3) == 3u);
    BOOST_TEST(events.size() == 2u);
    BOOST_TEST(events.discard_bytes(3) == 6u); // events are discarded whole
    BOOST_TEST(events.empty());
    BOOST_TEST(events.discard_bytes(1) == 0u);
}

BOOST_AUTO_TEST_CASE(cleared_events_have_no_bytes)
{
    three_events kept;
    auto& events = kept.events;
    events.clear();
    BOOST_TEST(events.empty());
    BOOST_TEST(events.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(total_is_the_number_of_bytes_of_all_streams)
{
    three_events kept;
    std::size_t const& total = kept.total;
    {
        waiting_events other(kept.total);
        other.push_back({"3", "ddddd"});
        other.push_front({"4", "f"});
        BOOST_TEST(total == 15u);
        BOOST_TEST(other.bytes() == 6u);
        kept.events.pop_front();
        BOOST_TEST(total == 12u);
        kept.events.keep_newest(1);
        BOOST_TEST(total == 10u);
        BOOST_TEST(other.discard_bytes(1) == 1u);
        BOOST_TEST(total == 9u);
        kept.events.clear();
        BOOST_TEST(total == 5u);
        kept.events.push_back({"5", "gg"});
        BOOST_TEST(total == 7u);
    }
    BOOST_TEST(total == 2u); // the other stream has ended
    BOOST_TEST(kept.events.bytes() == 2u);
}

BOOST_AUTO_TEST_CASE(events_that_are_discarded_before_an_exception_are_not_counted)
{
    three_events kept;
    auto const fail_at_second = [](waiting_events::event const& discarded) {
        if (discarded.id == "1")
            throw std::bad_alloc();
    };
    BOOST_CHECK_THROW(kept.events.keep_newest(0, fail_at_second), std::bad_alloc);
    BOOST_TEST(kept.events.size() == 1u);
    BOOST_TEST(kept.total == 4u);
    BOOST_TEST(kept.events.bytes() == 4u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_event)
{
    for (bool const is_first : {false, true})
        linkspan::test::fail_each_allocation([&](auto& failing) {
            three_events kept;
            auto& events = kept.events;
            auto const add = [&] { is_first ? events.push_front({"3", "ddddd"}) : events.push_back({"3", "ddddd"}); };
            if (!failing(add)) {
                BOOST_TEST(events.size() == 3u);
                BOOST_TEST(events.bytes() == 9u);
                BOOST_TEST(kept.total == 9u);
                add();
            }
            BOOST_TEST(events.size() == 4u);
            BOOST_TEST(events.bytes() == 14u);
            BOOST_TEST(kept.total == 14u);
            BOOST_TEST(events.pop_front().id == (is_first ? "3" : "0"));
        });
}

BOOST_AUTO_TEST_SUITE_END()
