#ifndef LINKSPAN_TEST_CHAOS_CASE_HPP
#define LINKSPAN_TEST_CHAOS_CASE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/world.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

/// A run that failed, with the faults that are necessary for the failure.
struct chaos_failure {
    std::uint64_t seed = 0; ///< seed of the world
    chaos_plan plan;        ///< minimal plan; see `shrink`
    std::string reason;     ///< text of the exception of the run with `plan`
};

/// Runs a test once for each seed from 1 to `seeds`, with the faults that the seed selects, until a run fails, and
/// shrinks the faults of that run.
///
/// \param seeds Number of seeds.
/// \param run The test. The function adds servers to the world, runs the world, and throws an exception if the
/// invariant does not hold. A run with the same seed and faults must have the same result. The function checks results
/// by exceptions, because an assertion of a test framework would also count the failures of the shrinking.
/// \param options Options of the faults.
/// \returns The first failure, or none. The run that fails without a fault has an empty plan.
LINKSPAN_DECL std::optional<chaos_failure> explore(std::uint64_t seeds, std::function<void(world&)> const& run,
                                                   chaos_options const& options = {});

/// Runs a test with one seed and the faults of a plan.
///
/// \returns The failure, with `plan`, or none.
LINKSPAN_DECL std::optional<chaos_failure> replay(std::uint64_t seed, chaos_plan const& plan,
                                                  std::function<void(world&)> const& run);

/// Returns a report: the reason, the minimal plan, and a command for a POSIX shell that repeats the run.
///
/// \param program The test program.
/// \param test Value of the argument `--run_test` of Boost.Test; empty: the command has no argument.
LINKSPAN_DECL std::string to_string(chaos_failure const& failure, std::string_view program, std::string_view test);

namespace detail {

// Implements LINKSPAN_CHAOS_CASE. The environment variable LINKSPAN_CHAOS_SEED restricts the test to one seed, and
// LINKSPAN_CHAOS_PLAN to the faults of a plan. Throws std::invalid_argument if a value is invalid.
LINKSPAN_DECL std::optional<chaos_failure> run_chaos_case(std::uint64_t seeds, std::function<void(world&)> const& run);

} // namespace detail

} // namespace linkspan::test

/// Defines a test case of Boost.Test that runs `invariant(world&)` for each seed from 1 to `seeds`, with faults of the
/// messages of all servers of the world. See `linkspan::test::explore` for the requirements of `invariant`.
///
/// A failure is reported with the minimal plan of faults and the command that repeats it. The macro expands to
/// `BOOST_AUTO_TEST_CASE`; the user includes Boost.Test.
#define LINKSPAN_CHAOS_CASE(name, seeds, invariant)                                                                    \
    BOOST_AUTO_TEST_CASE(name)                                                                                         \
    {                                                                                                                  \
        namespace framework = ::boost::unit_test::framework;                                                           \
        if (auto const failure = ::linkspan::test::detail::run_chaos_case(seeds, invariant))                           \
            BOOST_ERROR(::linkspan::test::to_string(*failure, framework::master_test_suite().argv[0],                  \
                                                    framework::current_test_case().full_name()));                      \
    }

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/chaos_case.ipp>
#endif

#endif
