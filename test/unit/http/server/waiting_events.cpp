#include <linkspan/http/server/detail/waiting_events.hpp>

#include <boost/test/unit_test.hpp>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(waiting_events_test)

using linkspan::detail::waiting_events;

namespace {

// Returns three events of 3, 2 and 4 bytes.
waiting_events three_events()
{
    waiting_events out;
    out.push_back({"1", "bb"});
    out.push_back({"2", "cccc"});
    out.push_front({"0", "aaa"});
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(events_are_removed_in_their_order)
{
    auto events = three_events();
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
    auto events = three_events();
    BOOST_TEST(events.contains("aaa"));
    BOOST_TEST(!events.contains("aa"));
    events.pop_front();
    BOOST_TEST(!events.contains("aaa"));
}

BOOST_AUTO_TEST_CASE(oldest_events_are_discarded_beyond_a_number)
{
    auto events = three_events();
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
    auto events = three_events();
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
    auto events = three_events();
    events.clear();
    BOOST_TEST(events.empty());
    BOOST_TEST(events.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_event)
{
    for (bool const is_first : {false, true})
        linkspan::test::fail_each_allocation([&](auto& failing) {
            auto events = three_events();
            auto const add = [&] { is_first ? events.push_front({"3", "ddddd"}) : events.push_back({"3", "ddddd"}); };
            if (!failing(add)) {
                BOOST_TEST(events.size() == 3u);
                BOOST_TEST(events.bytes() == 9u);
                add();
            }
            BOOST_TEST(events.size() == 4u);
            BOOST_TEST(events.bytes() == 14u);
            BOOST_TEST(events.pop_front().id == (is_first ? "3" : "0"));
        });
}

BOOST_AUTO_TEST_SUITE_END()
