#include <linkspan/connector/detail/call_pool.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(call_pool_test)

using linkspan::detail::call_pool;

namespace {

// A call object. The default constructor throws if `left` is 0.
struct call {
    call()
    {
        if (left == 0)
            throw std::bad_alloc();
        --left;
        ++alive;
    }
    ~call() { --alive; }

    int memory = 0;

    static inline int left = 0;
    static inline int alive = 0;
};

struct fixture {
    fixture() { call::left = 1000; }
    ~fixture() { BOOST_TEST(call::alive == 0); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(released_object_is_acquired_again_with_its_memory, fixture)
{
    call_pool<call> pool;
    auto& first = pool.acquire();
    first.memory = 7;
    pool.release(first);
    auto& second = pool.acquire();
    BOOST_TEST(&second == &first);
    BOOST_TEST(second.memory == 7);
    BOOST_TEST(call::alive == 1);
}

BOOST_FIXTURE_TEST_CASE(objects_in_use_are_distinct_and_keep_their_addresses, fixture)
{
    call_pool<call> pool;
    std::vector<call*> all;
    for (int i = 0; i != 100; ++i) {
        all.push_back(&pool.acquire());
        all.back()->memory = i;
    }
    BOOST_TEST(std::set<call*>(all.begin(), all.end()).size() == 100u);
    for (int i = 0; i != 100; ++i)
        BOOST_TEST(all[static_cast<std::size_t>(i)]->memory == i);
    for (auto* one : all)
        pool.release(*one);
    for (int i = 0; i != 100; ++i)
        pool.acquire();
    BOOST_TEST(call::alive == 100);
}

BOOST_FIXTURE_TEST_CASE(failed_construction_of_an_object_has_no_effect, fixture)
{
    call_pool<call> pool;
    auto& first = pool.acquire();
    call::left = 0;
    BOOST_CHECK_THROW(pool.acquire(), std::bad_alloc);
    pool.release(first);
    BOOST_TEST(&pool.acquire() == &first);
    call::left = 1;
    BOOST_TEST(&pool.acquire() != &first);
    BOOST_TEST(call::alive == 2);
}

BOOST_FIXTURE_TEST_CASE(calls_in_flight_are_the_started_calls_that_are_not_complete, fixture)
{
    call_pool<call> pool;
    BOOST_TEST(pool.in_flight() == 0u);
    auto& acquired = pool.acquire();
    BOOST_TEST(pool.in_flight() == 0u);
    pool.on_started();
    pool.on_started();
    BOOST_TEST(pool.in_flight() == 2u);
    pool.on_complete();
    BOOST_TEST(pool.in_flight() == 1u);
    pool.release(acquired);
    BOOST_TEST(pool.in_flight() == 1u);
    pool.on_complete();
    BOOST_TEST(pool.in_flight() == 0u);
}

BOOST_FIXTURE_TEST_CASE(paused_calls_are_listed_until_they_are_resumed, fixture)
{
    call_pool<call> pool;
    BOOST_TEST(!pool.last_paused());
    auto& first = pool.acquire();
    auto& second = pool.acquire();
    pool.on_paused(first);
    pool.on_paused(second);
    BOOST_TEST(pool.last_paused() == &second);
    pool.on_resumed(first);
    BOOST_TEST(pool.last_paused() == &second);
    pool.on_resumed(first); // not paused
    pool.on_resumed(second);
    BOOST_TEST(!pool.last_paused());
    pool.on_paused(first);
    BOOST_TEST(pool.last_paused() == &first);
}

BOOST_AUTO_TEST_SUITE_END()
