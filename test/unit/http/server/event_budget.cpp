#include <linkspan/http/server/detail/event_budget.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <memory>
#include <optional>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(event_budget_test)

using linkspan::detail::event_budget;

BOOST_AUTO_TEST_CASE(clients_of_one_owner_have_a_quarter_together)
{
    auto const budget = std::make_shared<event_budget>(400);
    event_budget::share first(budget, "a"), second(budget, "a"), other(budget, "b");
    BOOST_TEST(first.max_bytes() == 100u);
    first.set(60);
    BOOST_TEST(first.max_bytes() == 100u);
    BOOST_TEST(second.max_bytes() == 40u);
    BOOST_TEST(other.max_bytes() == 100u);
    second.set(40);
    BOOST_TEST(second.max_bytes() == 40u);
    first.set(100); // more than the maximum
    BOOST_TEST(second.max_bytes() == 0u);
    BOOST_TEST(budget->owners() == 2u);
}

BOOST_AUTO_TEST_CASE(clients_of_all_owners_have_the_maximum_together)
{
    auto const budget = std::make_shared<event_budget>(400);
    event_budget::share unknown(budget, ""), known(budget, "a");
    BOOST_TEST(unknown.max_bytes() == 400u);
    unknown.set(350);
    BOOST_TEST(unknown.max_bytes() == 400u);
    BOOST_TEST(known.max_bytes() == 50u);
    known.set(50);
    BOOST_TEST(unknown.max_bytes() == 350u);
    BOOST_TEST(budget->owners() == 1u);
}

BOOST_AUTO_TEST_CASE(destroyed_share_is_not_counted)
{
    auto const budget = std::make_shared<event_budget>(400);
    std::optional<event_budget::share> first(std::in_place, budget, "a"), second(std::in_place, budget, "a");
    first->set(100);
    BOOST_TEST(second->max_bytes() == 0u);
    first.reset();
    BOOST_TEST(second->max_bytes() == 100u);
    BOOST_TEST(budget->owners() == 1u);
    second.reset();
    BOOST_TEST(budget->owners() == 0u);
}

BOOST_AUTO_TEST_CASE(maximum_of_zero_means_no_limit)
{
    auto const budget = std::make_shared<event_budget>(0);
    event_budget::share first(budget, "a"), second(budget, "a");
    first.set(1'000);
    BOOST_TEST(second.max_bytes() == std::numeric_limits<std::size_t>::max());
    BOOST_TEST(budget->owners() == 0u);
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_share)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        auto const budget = std::make_shared<event_budget>(400);
        std::optional<event_budget::share> only;
        if (!failing([&] { only.emplace(budget, "a"); }))
            BOOST_TEST(budget->owners() == 0u);
        else
            BOOST_TEST(budget->owners() == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
