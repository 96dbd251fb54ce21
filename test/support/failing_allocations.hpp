#ifndef LINKSPAN_TEST_SUPPORT_FAILING_ALLOCATIONS_HPP
#define LINKSPAN_TEST_SUPPORT_FAILING_ALLOCATIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/fail_at_every_step.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI::test {

// Invokes `test` with an object that fails the first allocation of one operation, then with one that fails the second
// allocation, and so on, and finally with one that fails none. The test constructs its objects anew each time.
template<class Test>
void fail_each_allocation(Test const& test, failing what = failing::one)
{
    auto const number = fail_at_every_step(
        [&](step_failure& failure) {
            BOOST_TEST_CONTEXT("allocation " << failure.number())
                test(failure);
        },
        what);
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
                [&](step_failure& fail_in) {
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
