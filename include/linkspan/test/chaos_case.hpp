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
/// reduces the faults of that run to a minimal plan (`shrink`).
///
/// \param seeds Number of seeds.
/// \param run The test. The function adds servers to the world, runs the world, and throws an exception of a type that
/// derives from `std::exception` if the property that it tests does not hold. Two runs with the same seed and faults
/// must have the same result. The function reports failures by exceptions, because a test framework would also count
/// the failures of its assertions in the runs of `shrink`.
/// \param options Options of the faults.
/// \returns The first failure, or none. The plan is empty if the run also fails without faults.
LINKSPAN_DECL std::optional<chaos_failure> explore(std::uint64_t seeds, std::function<void(world&)> const& run,
                                                   chaos_options const& options = {});

/// Runs a test once as environment variables specify, so that a command in a report can repeat the run, or, without
/// these variables, as `explore` does.
///
/// With the environment variable `LINKSPAN_CHAOS_PLAN`, whose value is a plan as JSON text (`to_json`), the test runs
/// once, with the faults of that plan and the seed of the variable `LINKSPAN_CHAOS_SEED` (default: 1). A warning on
/// stderr names the faults of the plan that did not occur, because the run has no message that they apply to. With
/// `LINKSPAN_CHAOS_SEED` only, the test runs with the faults that this seed selects, which are reduced if the run
/// fails. With neither variable, the function calls `explore`.
///
///     if (auto const failure = explore_or_replay(100, invariant))
///         FAIL(to_string(*failure, program, test)); // of any test framework
///
/// \param seeds See `explore`. No effect if one of the variables exists.
/// \param run See `explore`.
/// \param options See `explore`. No effect if `LINKSPAN_CHAOS_PLAN` exists.
/// \returns The failure, or none. Its plan is minimal, except with `LINKSPAN_CHAOS_PLAN`: it is then the plan of the
/// variable.
/// \throws std::invalid_argument A variable has an invalid value. The text of the exception names the variable.
LINKSPAN_DECL std::optional<chaos_failure>
explore_or_replay(std::uint64_t seeds, std::function<void(world&)> const& run, chaos_options const& options = {});

/// Runs a test once, with one seed and the faults of a plan.
///
/// \param seed Seed of the world.
/// \param plan The faults.
/// \param run The test, see `explore`.
/// \returns The failure, with `plan`, or none.
LINKSPAN_DECL std::optional<chaos_failure> replay(std::uint64_t seed, chaos_plan const& plan,
                                                  std::function<void(world&)> const& run);

/// Returns a report: the seed, the reason and the minimal plan.
LINKSPAN_DECL std::string to_string(chaos_failure const& failure);

/// Returns a report with the seed, the reason and the minimal plan, and a command for a POSIX shell that repeats the
/// run.
///
/// \param failure Result of `explore_or_replay`. The command does not repeat a test that calls `explore`, which does
/// not read the environment variables.
/// \param program The test program.
/// \param test Value of the argument `--run_test` of Boost.Test; empty: the command has no argument.
LINKSPAN_DECL std::string to_string(chaos_failure const& failure, std::string_view program, std::string_view test);

} // namespace linkspan::test

/// Defines a test case of Boost.Test that passes its arguments after the name to `linkspan::test::explore_or_replay`:
/// the number of seeds, a function with the parameter `world&` that tests an invariant, and optionally the
/// `chaos_options`. The faults apply to the messages of all servers of the world.
///
///     LINKSPAN_CHAOS_CASE(no_payment_is_lost, 100, check_payments)
///     LINKSPAN_CHAOS_CASE(no_payment_is_lost_with_wrong_ids, 100, check_payments,
///                         {.percent = 30, .kinds = {fault_kind::wrong_id, fault_kind::null_id}})
///
/// A failure is reported with the minimal plan of faults and the command that repeats it. The macro expands to
/// `BOOST_AUTO_TEST_CASE`; the user includes Boost.Test.
#define LINKSPAN_CHAOS_CASE(name, seeds, ...)                                                                          \
    BOOST_AUTO_TEST_CASE(name)                                                                                         \
    {                                                                                                                  \
        namespace framework = ::boost::unit_test::framework;                                                           \
        if (auto const failure = ::linkspan::test::explore_or_replay(seeds, __VA_ARGS__))                              \
            BOOST_ERROR(::linkspan::test::to_string(*failure, framework::master_test_suite().argv[0],                  \
                                                    framework::current_test_case().full_name()));                      \
    }

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/chaos_case.ipp>
#endif

#endif
