#include <linkspan/http/server/detail/output_budget.hpp>

#include <boost/test/unit_test.hpp>

#include <new>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(output_budget_test)

using linkspan::detail::output_budget;

namespace {

constexpr std::size_t kib = 1024;

struct connection final : output_budget::connection {
    int closed = 0;

    bool fails = false;

    void on_excess_output() override
    {
        if (fails)
            throw std::bad_alloc();
        ++closed;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(connection_with_the_most_bytes_is_closed)
{
    output_budget budget(1'000 * kib);
    connection small, large, last;
    budget.set(small, 100 * kib);
    budget.set(large, 700 * kib);
    budget.set(last, 200 * kib);
    BOOST_TEST(budget.bytes() == 1'000 * kib);
    BOOST_TEST(large.closed == 0);
    budget.set(last, 200 * kib + 1);
    BOOST_TEST(large.closed == 1);
    BOOST_TEST(small.closed + last.closed == 0);
    BOOST_TEST(budget.bytes() == 300 * kib + 1);
}

BOOST_AUTO_TEST_CASE(connection_that_adds_bytes_is_closed_if_no_other_has_more)
{
    output_budget budget(1'000 * kib);
    connection first, second;
    budget.set(first, 600 * kib);
    budget.set(second, 600 * kib);
    BOOST_TEST(first.closed == 0);
    BOOST_TEST(second.closed == 1);
    budget.set(second, 1'001 * kib); // exceeds the maximum alone
    BOOST_TEST(first.closed == 0);
    BOOST_TEST(second.closed == 2);
    BOOST_TEST(budget.bytes() == 600 * kib);
}

BOOST_AUTO_TEST_CASE(each_excess_closes_the_connection_with_the_most_bytes)
{
    output_budget budget(1'000 * kib);
    connection first, second, third;
    budget.set(first, 400 * kib);
    budget.set(second, 500 * kib);
    budget.set(third, 950 * kib);
    BOOST_TEST(third.closed == 1);
    budget.set(third, 300 * kib); // 1,200 KiB together
    BOOST_TEST(second.closed == 1);
    budget.set(third, 399 * kib);
    budget.set(second, 350 * kib); // 1,149 KiB together
    BOOST_TEST(first.closed == 1);
    BOOST_TEST(budget.bytes() == 749 * kib);
}

BOOST_AUTO_TEST_CASE(many_connections_of_one_address_do_not_close_the_larger_one_of_another_address)
{
    output_budget budget(1'000 * kib);
    connection small[5], reader;
    for (auto& each : small)
        budget.set(each, 190 * kib, "a");
    budget.set(reader, 400 * kib, "b"); // 1,350 KiB together
    BOOST_TEST(reader.closed == 0);
    int closed = 0;
    for (auto const& each : small)
        closed += each.closed;
    BOOST_TEST(closed == 2);
    BOOST_TEST(budget.bytes() == 970 * kib);
    budget.set(reader, 700 * kib, "b"); // of 1,270 KiB, the other address has 570 KiB
    BOOST_TEST(reader.closed == 1);
    BOOST_TEST(budget.bytes() == 570 * kib);
}

BOOST_AUTO_TEST_CASE(connections_without_an_address_are_compared_separately)
{
    output_budget budget(1'000 * kib);
    connection unknown[4], known;
    for (auto& each : unknown)
        budget.set(each, 200 * kib);
    budget.set(known, 201 * kib, "a");
    BOOST_TEST(known.closed == 1);
    BOOST_TEST(budget.bytes() == 800 * kib);
}

BOOST_AUTO_TEST_CASE(bytes_of_removed_connection_are_not_counted_for_its_address)
{
    output_budget budget(1'000 * kib);
    connection first, second, other;
    budget.set(first, 700 * kib, "a");
    budget.set(second, 100 * kib, "a");
    budget.remove(first);
    budget.set(other, 850 * kib, "b"); // 950 KiB together
    budget.set(second, 200 * kib, "a");
    BOOST_TEST(other.closed == 1);
    BOOST_TEST(second.closed == 0);
    BOOST_TEST(budget.bytes() == 200 * kib);
}

BOOST_AUTO_TEST_CASE(connection_that_cannot_be_closed_is_counted_and_closed_later)
{
    output_budget budget(1'000 * kib);
    connection large, small;
    budget.set(large, 900 * kib);
    large.fails = true;
    BOOST_CHECK_THROW(budget.set(small, 200 * kib), std::bad_alloc);
    BOOST_TEST(budget.bytes() == 1'100 * kib);
    large.fails = false;
    budget.set(small, 201 * kib);
    BOOST_TEST(large.closed == 1);
    BOOST_TEST(budget.bytes() == 201 * kib);
}

BOOST_AUTO_TEST_CASE(connection_with_64_kib_is_not_counted)
{
    output_budget budget(100 * kib);
    connection first, second;
    budget.set(first, 64 * kib);
    BOOST_TEST(budget.bytes() == 0u);
    budget.set(first, 64 * kib + 1);
    BOOST_TEST(budget.bytes() == 64 * kib + 1);
    budget.set(second, 64 * kib);
    BOOST_TEST(first.closed + second.closed == 0);
    budget.set(first, 64 * kib);
    BOOST_TEST(budget.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(removed_connection_is_not_counted)
{
    output_budget budget(1'000 * kib);
    connection first, second;
    budget.set(first, 900 * kib);
    budget.remove(second); // was not counted
    BOOST_TEST(budget.bytes() == 900 * kib);
    budget.remove(first);
    BOOST_TEST(budget.bytes() == 0u);
    budget.set(second, 1'000 * kib);
    BOOST_TEST(first.closed + second.closed == 0);
}

BOOST_AUTO_TEST_CASE(maximum_of_zero_means_no_limit)
{
    output_budget budget(0);
    connection only;
    budget.set(only, std::size_t{1} << 40);
    BOOST_TEST(only.closed == 0);
    BOOST_TEST(budget.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_counts_nothing)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        output_budget budget(1'000 * kib);
        connection only;
        if (!failing([&] { budget.set(only, 100 * kib, "a"); })) {
            BOOST_TEST(budget.bytes() == 0u);
            budget.set(only, 100 * kib, "a");
        }
        BOOST_TEST(budget.bytes() == 100 * kib);
    });
}

BOOST_AUTO_TEST_SUITE_END()
