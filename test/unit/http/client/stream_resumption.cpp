#include <linkspan/http/client/detail/stream_resumption.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(stream_resumption_test)

using linkspan::duration;
using linkspan::sse_parser;
using linkspan::detail::stream_resumption;
using namespace std::chrono_literals;

namespace {

constexpr bool endless = true, limited = false;

// Ends a stream after the given text, each of whose events is reported.
void stream(stream_resumption& of, std::string_view text)
{
    sse_parser parser;
    of.on_stream();
    auto const batch = parser.resume(text);
    for (std::size_t i = 0; i != batch.events.size(); ++i)
        of.on_event();
    of.on_end(&parser);
}

// Returns the resumption after `count` interruptions without events.
stream_resumption after(stream_resumption of, unsigned count)
{
    for (; count != 0; --count) {
        of = of.next();
        of.on_end(nullptr);
    }
    return of;
}

} // namespace

BOOST_AUTO_TEST_CASE(stream_without_an_id_has_no_position)
{
    stream_resumption first;
    BOOST_TEST(first.position().empty());
    BOOST_TEST(first.attempts() == 0U);
    stream(first, "data: {}\n\n");
    BOOST_TEST(first.position().empty());
}

BOOST_AUTO_TEST_CASE(position_is_the_last_id_of_all_streams)
{
    stream_resumption state;
    stream(state, "id: 1\ndata: {}\n\nid: 2\ndata: {}\n\n");
    BOOST_TEST(state.position() == "2");
    state = state.next();
    BOOST_TEST(state.position() == "2");
    stream(state, "data: {}\n\n"); // no new id
    BOOST_TEST(state.position() == "2");
    state.on_end(nullptr); // a response that is no stream
    BOOST_TEST(state.position() == "2");
}

BOOST_AUTO_TEST_CASE(attempts_are_counted_until_an_event_arrives)
{
    stream_resumption state;
    stream(state, "id: 1\ndata: {}\n\n");
    BOOST_TEST(state.attempts() == 0U);
    state = after(state, 3);
    BOOST_TEST(state.attempts() == 3U);
    stream(state, ": comment\n\n"); // no event
    BOOST_TEST(state.attempts() == 3U);
    stream(state, "data: {}\n\n");
    BOOST_TEST(state.attempts() == 0U);
    BOOST_TEST(state.next().attempts() == 1U);
}

BOOST_AUTO_TEST_CASE(event_counts_for_its_own_exchange_only)
{
    stream_resumption state;
    state.on_event();
    auto next = state.next(); // before the end of the first exchange
    next.on_end(nullptr);
    BOOST_TEST(next.attempts() == 1U);
}

BOOST_AUTO_TEST_CASE(refusals_are_counted_until_a_stream_begins)
{
    stream_resumption state;
    state = state.next();
    state.on_refused();
    state = state.next();
    state.on_refused();
    BOOST_TEST(state.refusals() == 2U);
    BOOST_TEST(state.next().refusals() == 2U);
    state.on_stream();
    BOOST_TEST(state.refusals() == 0U);
}

BOOST_AUTO_TEST_CASE(pause_is_doubled_up_to_its_maximum)
{
    stream_resumption const first;
    for (unsigned n = 1; auto const expected : {1s, 2s, 4s, 8s, 16s, 30s, 30s})
        BOOST_TEST((after(first, n++).pause(1s, limited) == expected));
    BOOST_TEST((after(first, 7).pause(100ms, limited) == 3200ms)); // five doublings at most
}

BOOST_AUTO_TEST_CASE(pause_has_a_minimum)
{
    BOOST_TEST((stream_resumption().next().pause(1ms, limited) == stream_resumption::min_pause));
    stream_resumption state;
    stream(state, "retry: 0\n\n");
    BOOST_TEST((state.next().pause(1s, limited) == stream_resumption::min_pause));
}

BOOST_AUTO_TEST_CASE(pause_of_the_server_replaces_the_doubled_one)
{
    stream_resumption state;
    stream(state, "retry: 5000\n\n");
    BOOST_TEST((after(state, 1).pause(1s, limited) == 5s));
    BOOST_TEST((after(state, 6).pause(1s, limited) == 5s));
    stream(state, "retry: 60000\n\n"); // may exceed the maximum of the own pause
    BOOST_TEST((after(state, 1).pause(1s, limited) == 60s));
}

BOOST_AUTO_TEST_CASE(short_pause_of_the_server_applies_once_to_an_endless_stream)
{
    stream_resumption state;
    stream(state, "retry: 100\n\n");
    BOOST_TEST((after(state, 1).pause(1s, endless) == 100ms));
    BOOST_TEST((after(state, 2).pause(1s, endless) == 2s));
    BOOST_TEST((after(state, 2).pause(1s, limited) == 100ms));
}

BOOST_AUTO_TEST_CASE(connection_is_attempted_in_the_first_long_pause)
{
    stream_resumption const first;
    BOOST_TEST(first.next().checks_reachability(1001ms));
    BOOST_TEST(!first.next().checks_reachability(1s));
    BOOST_TEST(!after(first, 2).checks_reachability(10s));
}

BOOST_AUTO_TEST_CASE(position_is_stored_again_after_a_failed_allocation)
{
    std::string const id(40, '7'); // longer than the small buffer of a string
    linkspan::sse_parser events;
    events.resume("retry: 7000\nid: " + id + "\ndata: a\n\n");
    linkspan::test::fail_each_allocation([&](auto& failing) {
        auto interrupted = stream_resumption().next();
        interrupted.on_event();
        if (!failing([&] { interrupted.on_end(&events); })) {
            BOOST_TEST(interrupted.position().empty());
            BOOST_TEST(interrupted.attempts() == 1u); // the event is not forgotten
            interrupted.on_end(&events);
        }
        BOOST_TEST(interrupted.position() == id);
        BOOST_TEST(interrupted.attempts() == 0u);
        stream_resumption next;
        if (!failing([&] { next = interrupted.next(); }))
            next = interrupted.next();
        BOOST_TEST(next.position() == id);
        BOOST_TEST(next.attempts() == 1u);
        BOOST_TEST((next.pause(1s, false) == 7s));
    });
}

BOOST_AUTO_TEST_SUITE_END()
