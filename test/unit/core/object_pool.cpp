#include <linkspan/core/detail/object_pool.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(object_pool_test)

namespace {

// An object that is reused. The default constructor throws if `left` is 0.
struct object {
    object()
    {
        if (left == 0)
            throw std::bad_alloc();
        --left;
        ++alive;
    }
    ~object() { --alive; }

    int memory = 0;

    static inline int left = 0;
    static inline int alive = 0;
};

using pool_type = linkspan::detail::object_pool<object>;

struct fixture {
    fixture() { object::left = 1000; }
    ~fixture() { BOOST_TEST(object::alive == 0); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(released_object_is_acquired_again_with_its_memory, fixture)
{
    pool_type pool;
    auto& first = pool.acquire();
    first.memory = 7;
    pool.release(first);
    auto& second = pool.acquire();
    BOOST_TEST(&second == &first);
    BOOST_TEST(second.memory == 7);
    BOOST_TEST(object::alive == 1);
}

BOOST_FIXTURE_TEST_CASE(objects_in_use_are_distinct_and_keep_their_addresses, fixture)
{
    pool_type pool;
    std::vector<object*> all;
    for (int i = 0; i != 100; ++i) {
        all.push_back(&pool.acquire());
        all.back()->memory = i;
    }
    BOOST_TEST(std::set<object*>(all.begin(), all.end()).size() == 100u);
    for (int i = 0; i != 100; ++i)
        BOOST_TEST(all[static_cast<std::size_t>(i)]->memory == i);
    for (auto* one : all)
        pool.release(*one);
    for (int i = 0; i != 100; ++i)
        pool.acquire();
    BOOST_TEST(object::alive == 100);
}

BOOST_FIXTURE_TEST_CASE(failed_construction_of_an_object_has_no_effect, fixture)
{
    pool_type pool;
    auto& first = pool.acquire();
    object::left = 0;
    BOOST_CHECK_THROW(pool.acquire(), std::bad_alloc);
    pool.release(first);
    BOOST_TEST(&pool.acquire() == &first);
    object::left = 1;
    BOOST_TEST(&pool.acquire() != &first);
    BOOST_TEST(object::alive == 2);
}

BOOST_FIXTURE_TEST_CASE(object_in_use_is_destroyed_with_the_pool, fixture)
{
    {
        pool_type pool;
        pool.acquire();
        BOOST_TEST(object::alive == 1);
    }
    BOOST_TEST(object::alive == 0);
}

BOOST_AUTO_TEST_SUITE_END()
