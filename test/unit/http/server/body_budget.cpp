#include <linkspan/http/server/detail/body_budget.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(body_budget_test)

using linkspan::detail::body_budget;

BOOST_AUTO_TEST_CASE(bodies_of_all_addresses_are_limited)
{
    auto const budget = std::make_shared<body_budget>(100, 0);
    body_budget::share first(budget, "a"), second(budget, "b");
    BOOST_TEST(first.status_of(100) == 0);
    BOOST_TEST(first.status_of(101) == 413);
    first.set(60);
    BOOST_TEST(second.status_of(40) == 0);
    BOOST_TEST(second.status_of(41) == 503);
    second.set(40);
    BOOST_TEST(first.status_of(60) == 0);
    BOOST_TEST(first.status_of(61) == 503);
}

BOOST_AUTO_TEST_CASE(bodies_of_one_address_are_limited)
{
    auto const budget = std::make_shared<body_budget>(0, 100);
    body_budget::share first(budget, "a"), second(budget, "a"), other(budget, "b"), unknown(budget, "");
    first.set(60);
    BOOST_TEST(second.status_of(40) == 0);
    BOOST_TEST(second.status_of(41) == 503);
    BOOST_TEST(second.status_of(101) == 413);
    BOOST_TEST(other.status_of(100) == 0);
    BOOST_TEST(unknown.status_of(1'000) == 0);
    BOOST_TEST(budget->addresses() == 2u);
}

BOOST_AUTO_TEST_CASE(status_of_a_new_body_needs_no_share)
{
    auto const budget = std::make_shared<body_budget>(150, 100);
    body_budget::share first(budget, "a"), second(budget, "b");
    first.set(60);
    second.set(10);
    BOOST_TEST(budget->status_of(40, "a") == 0);
    BOOST_TEST(budget->status_of(41, "a") == 503);
    BOOST_TEST(budget->status_of(101, "a") == 413);
    BOOST_TEST(budget->status_of(80, "c") == 0);
    BOOST_TEST(budget->status_of(81, "c") == 503);
    BOOST_TEST(budget->status_of(101, "c") == 413);
    BOOST_TEST(budget->status_of(80, "") == 0);
    BOOST_TEST(budget->status_of(101, "") == 503);
    BOOST_TEST(budget->status_of(151, "") == 413);
    BOOST_TEST(budget->addresses() == 2u);
}

BOOST_AUTO_TEST_CASE(body_that_never_has_room_is_too_large)
{
    auto const budget = std::make_shared<body_budget>(150, 100);
    body_budget::share first(budget, "a"), second(budget, "b");
    first.set(100);
    BOOST_TEST(second.status_of(50) == 0);
    BOOST_TEST(second.status_of(51) == 503);  // exceeds the rest of all addresses
    BOOST_TEST(second.status_of(101) == 413); // exceeds the maximum of an address
}

BOOST_AUTO_TEST_CASE(destroyed_share_is_not_counted)
{
    auto const budget = std::make_shared<body_budget>(100, 100);
    std::optional<body_budget::share> first(std::in_place, budget, "a"), second(std::in_place, budget, "a");
    first->set(30);
    second->set(70);
    first.reset();
    BOOST_TEST(budget->addresses() == 1u);
    BOOST_TEST(second->status_of(100) == 0);
    second.reset();
    BOOST_TEST(budget->addresses() == 0u);
    BOOST_TEST(body_budget::share(budget, "b").status_of(100) == 0);
}

BOOST_AUTO_TEST_CASE(failed_allocation_opens_no_account)
{
    std::string const address(40, 'a'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        auto const budget = std::make_shared<body_budget>(100, 100);
        std::optional<body_budget::share> only;
        if (!failing([&] { only.emplace(budget, address); })) {
            BOOST_TEST(budget->addresses() == 0u);
            only.emplace(budget, address);
        }
        BOOST_TEST(budget->addresses() == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
