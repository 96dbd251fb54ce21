#include <linkspan/connector/detail/catalog_builder.hpp>
#include <linkspan/connector/detail/retired_catalogs.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/catalog_entries.hpp"
#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(retired_catalogs_test)

using linkspan::catalog;
using linkspan::catalog_entry;
using linkspan::detail::catalog_builder;
using linkspan::detail::retired_catalogs;
using linkspan::test::entry;

namespace {

constexpr std::size_t max_shared = 2; // larger catalogs are destroyed in steps

// Returns a catalog with one tool of each of `count` servers.
catalog make(unsigned count)
{
    std::vector<catalog_entry> entries;
    for (unsigned i = 0; i != count; ++i)
        entries.push_back(entry(i, "t" + std::to_string(i)));
    catalog_builder builder(std::move(entries), false);
    BOOST_TEST(builder.step(std::numeric_limits<std::size_t>::max()));
    return builder.take();
}

// A catalog with its pointers, and the tools that are not destroyed.
struct shared_catalog {
    shared_catalog(std::shared_ptr<retired_catalogs> const& retired, unsigned count)
    {
        auto made = make(count);
        for (auto const& one : made.tools())
            tools.push_back(one.tool);
        pointers = retired_catalogs::share(retired, std::move(made), max_shared);
    }

    std::size_t left() const
    {
        std::size_t count = 0;
        for (auto const& tool : tools)
            count += tool.expired() ? 0u : 1u;
        return count;
    }

    // Releases the pointers in the order in which a connector does without users.
    void release()
    {
        pointers.for_users.reset();
        pointers.for_calls.reset();
    }

    retired_catalogs::pointers pointers;
    std::vector<std::weak_ptr<linkspan::tool const>> tools;
};

struct fixture {
    fixture()
    {
        retired->on_retired([this] { ++events; });
    }

    // As the destructor of a connector does: a retired catalog owns the object that it waits in.
    ~fixture()
    {
        if (retired)
            retired->close();
    }

    shared_catalog share(unsigned count) const { return {retired, count}; }

    std::shared_ptr<retired_catalogs> retired = std::make_shared<retired_catalogs>();
    std::size_t events = 0; // calls of the function of on_retired()
};

} // namespace

BOOST_FIXTURE_TEST_CASE(nothing_is_left_to_destroy_without_a_retired_catalog, fixture)
{
    BOOST_TEST(retired->step(1));
    auto const one = share(3);
    BOOST_TEST(retired->step(1));
    BOOST_TEST(one.left() == 3u);
    BOOST_TEST(events == 0u);
}

BOOST_FIXTURE_TEST_CASE(small_catalog_is_destroyed_by_the_release_of_its_last_pointer, fixture)
{
    auto one = share(max_shared);
    one.pointers.for_calls.reset();
    BOOST_TEST(one.left() == 2u);
    one.pointers.for_users.reset();
    BOOST_TEST(one.left() == 0u);
    BOOST_TEST(events == 0u);
}

BOOST_FIXTURE_TEST_CASE(catalog_retires_with_its_last_pointer_of_the_connector_and_its_calls, fixture)
{
    auto one = share(3);
    auto of_call = one.pointers.for_calls;
    one.release();
    BOOST_TEST(events == 0u);
    BOOST_TEST(of_call->tools().size() == 3u);
    of_call.reset();
    BOOST_TEST(events == 1u);
    BOOST_TEST(one.left() == 3u);
}

BOOST_FIXTURE_TEST_CASE(step_destroys_the_given_number_of_entries, fixture)
{
    auto one = share(5);
    one.release();
    BOOST_TEST(!retired->step(2));
    BOOST_TEST(one.left() == 3u);
    BOOST_TEST(!retired->step(2));
    BOOST_TEST(one.left() == 1u);
    BOOST_TEST(retired->step(2));
    BOOST_TEST(one.left() == 0u);
}

BOOST_FIXTURE_TEST_CASE(steps_destroy_one_retired_catalog_after_the_other, fixture)
{
    auto one = share(3), other = share(4);
    one.release();
    other.release();
    BOOST_TEST(events == 2u);
    std::size_t steps = 1;
    for (; !retired->step(2); ++steps)
        BOOST_TEST((one.left() == 0u || one.left() == 3u || other.left() == 0u || other.left() == 4u));
    BOOST_TEST(steps == 4u);
    BOOST_TEST(one.left() + other.left() == 0u);
}

BOOST_FIXTURE_TEST_CASE(catalog_that_retires_during_the_destruction_of_another_is_destroyed_next, fixture)
{
    auto one = share(3), other = share(3);
    one.release();
    BOOST_TEST(!retired->step(2));
    other.release();
    BOOST_TEST(!retired->step(2));
    BOOST_TEST(one.left() == 0u);
    BOOST_TEST(other.left() == 3u);
    BOOST_TEST(retired->step(3));
    BOOST_TEST(other.left() == 0u);
}

BOOST_FIXTURE_TEST_CASE(step_leaves_a_catalog_of_a_user_to_the_user, fixture)
{
    auto one = share(3);
    auto of_user = one.pointers.for_users;
    one.release();
    BOOST_TEST(events == 1u);
    BOOST_TEST(retired->step(1));
    BOOST_TEST(one.left() == 3u);
    of_user.reset();
    BOOST_TEST(one.left() == 0u);
    BOOST_TEST(retired->step(1));
}

BOOST_FIXTURE_TEST_CASE(user_that_releases_a_retired_catalog_before_the_step_destroys_nothing, fixture)
{
    auto one = share(3);
    auto of_user = one.pointers.for_users;
    one.release();
    of_user.reset();
    BOOST_TEST(one.left() == 3u);
    BOOST_TEST(!retired->step(1));
    BOOST_TEST(one.left() == 2u);
}

BOOST_FIXTURE_TEST_CASE(user_on_another_thread_destroys_its_catalog_during_the_destruction_of_another, fixture)
{
    auto one = share(3), of_thread = share(3);
    auto of_user = of_thread.pointers.for_users;
    of_thread.release();
    BOOST_TEST(retired->step(1)); // the user has the last pointer
    one.release();
    BOOST_TEST(!retired->step(1));
    std::thread([&of_user] { of_user.reset(); }).join();
    BOOST_TEST(of_thread.left() == 0u);
    BOOST_TEST(one.left() == 2u);
    BOOST_TEST(retired->step(2));
    BOOST_TEST(one.left() == 0u);
}

BOOST_FIXTURE_TEST_CASE(close_destroys_all_retired_catalogs_immediately, fixture)
{
    auto one = share(3), other = share(3);
    one.release();
    other.release();
    BOOST_TEST(!retired->step(1));
    retired->close();
    BOOST_TEST(one.left() + other.left() == 0u);
    BOOST_TEST(retired->step(1));
}

BOOST_FIXTURE_TEST_CASE(catalog_that_retires_after_close_is_destroyed_immediately, fixture)
{
    auto one = share(3);
    retired->close();
    BOOST_TEST(one.left() == 3u);
    one.release();
    BOOST_TEST(one.left() == 0u);
    BOOST_TEST(events == 0u);
}

BOOST_FIXTURE_TEST_CASE(catalog_of_a_user_remains_valid_after_close, fixture)
{
    auto one = share(3);
    auto of_user = one.pointers.for_users;
    one.release();
    retired->close();
    retired.reset();
    BOOST_TEST(of_user->tools().size() == 3u);
    of_user.reset();
    BOOST_TEST(one.left() == 0u);
}

BOOST_AUTO_TEST_CASE(catalog_that_retires_without_a_function_is_destroyed_immediately)
{
    auto const retired = std::make_shared<retired_catalogs>();
    shared_catalog one(retired, 3);
    one.release();
    BOOST_TEST(one.left() == 0u);
    BOOST_TEST(retired->step(1));
}

BOOST_FIXTURE_TEST_CASE(catalog_whose_retirement_fails_to_allocate_is_destroyed_immediately, fixture)
{
    linkspan::test::fail_each_allocation([this](auto& failing) {
        auto const before = events;
        retired = std::make_shared<retired_catalogs>();
        retired->on_retired([this] { ++events; });
        auto one = share(3);
        failing([&one] { one.release(); });
        BOOST_TEST(one.left() == (failing.has_failed() ? 0u : 3u));
        BOOST_TEST(events - before == (failing.has_failed() ? 0u : 1u));
        BOOST_TEST(retired->step(3));
        BOOST_TEST(one.left() == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(catalog_is_destroyed_by_a_later_step_if_the_function_throws, fixture)
{
    retired->on_retired([] { throw std::bad_alloc(); });
    auto one = share(3);
    one.release();
    BOOST_TEST(one.left() == 3u);
    BOOST_TEST(retired->step(3));
    BOOST_TEST(one.left() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
