#ifndef LINKSPAN_TEST_SUPPORT_FAILING_ALLOCATIONS_HPP
#define LINKSPAN_TEST_SUPPORT_FAILING_ALLOCATIONS_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <new>

namespace linkspan::inline LINKSPAN_ABI::test {

// Allocations that fail.
enum class failing {
    one,            // one allocation, except those of Asio for handlers, and for the texts of results
    one_or_handler, // one allocation
    all_later       // one allocation and all later ones
};

// While the object exists, allocations of this thread throw std::bad_alloc. failing_allocations.cpp replaces the global
// `operator new` for this purpose. Objects are not nested.
class failing_allocation {
public:
    // `number`: number of the allocations before the first one that fails.
    explicit failing_allocation(std::size_t number, failing what = failing::one) noexcept;
    ~failing_allocation();
    failing_allocation(failing_allocation const&) = delete;
    failing_allocation& operator=(failing_allocation const&) = delete;

    // Returns whether an allocation has failed.
    bool has_failed() const noexcept;
};

// Parameter of the function that fail_each_allocation() invokes.
class allocation_failure {
public:
    explicit allocation_failure(std::size_t number, failing what) noexcept : number_(number), what_(what) {}

    // Executes the operation, in which allocations fail. Returns whether the operation completed.
    template<class Operation>
    bool operator()(Operation const& operation)
    {
        failing_allocation const failing(number_, what_);
        bool is_complete = true;
        try {
            operation();
        } catch (std::bad_alloc const&) {
            is_complete = false;
        }
        has_failed_ = has_failed_ || failing.has_failed();
        return is_complete;
    }

    // Returns whether an allocation has failed.
    bool has_failed() const noexcept { return has_failed_; }

private:
    std::size_t number_;
    failing what_;
    bool has_failed_ = false; // set by the operation
};

// Invokes `test` with an object that fails the first allocation of one operation, then with one that fails the second
// allocation, and so on, and finally with one that fails none. The test constructs its objects anew each time.
template<class Test>
void fail_each_allocation(Test const& test, failing what = failing::one)
{
    std::size_t number = 0;
    for (;; ++number) {
        allocation_failure failure(number, what);
        BOOST_TEST_CONTEXT("allocation " << number)
            test(failure);
        if (!failure.has_failed())
            break;
    }
    BOOST_TEST(number != 0u, "the operation makes no allocation that could fail");
}

// Executes a scenario once for each of its steps and each allocation of this step, which fails. `scenario` receives a
// function that executes a step.
template<class Scenario>
void fail_each_step(std::size_t steps, Scenario const& scenario, failing what = failing::one)
{
    for (std::size_t failing_step = 0; failing_step != steps; ++failing_step)
        BOOST_TEST_CONTEXT("step " << failing_step)
            fail_each_allocation(
                [&](allocation_failure& fail_in) {
                    std::size_t number = 0;
                    scenario([&](auto const& operation) {
                        if (number++ == failing_step)
                            fail_in(operation);
                        else
                            operation();
                    });
                    BOOST_TEST(number == steps);
                },
                what);
}

} // namespace linkspan::test

#endif
