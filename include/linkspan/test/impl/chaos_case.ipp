#ifndef LINKSPAN_TEST_IMPL_CHAOS_CASE_IPP
#define LINKSPAN_TEST_IMPL_CHAOS_CASE_IPP

#include <linkspan/test/chaos_case.hpp>

#include <charconv>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Outcome of one run.
struct chaos_run {
    chaos_plan faults;                 // that occurred
    std::optional<std::string> reason; // text of the exception; empty: the run did not fail
};

inline chaos_run run_once(std::uint64_t seed, chaos faults, std::function<void(world&)> const& run)
{
    world here(seed);
    here.set_chaos(std::move(faults));
    chaos_run out;
    try {
        run(here);
    } catch (std::exception const& e) {
        out.reason = e.what();
    } catch (...) {
        out.reason = "an exception that is not derived from std::exception";
    }
    out.faults = here.faults();
    return out;
}

// Returns the failure of a run, with a plan; empty: it did not fail.
inline std::optional<chaos_failure> failure_of(chaos_run const& run, std::uint64_t seed, chaos_plan const& plan)
{
    return run.reason ? std::optional(chaos_failure{.seed = seed, .plan = plan, .reason = *run.reason}) : std::nullopt;
}

// Returns the failure of a run with the faults of a seed, with a reduced plan; empty: it did not fail.
inline std::optional<chaos_failure> reduced_failure_of(chaos_run const& found, std::uint64_t seed,
                                                       std::function<void(world&)> const& run)
{
    if (!found.reason)
        return std::nullopt;
    auto minimal = shrink(found.faults, [&](chaos_plan const& plan) { return replay(seed, plan, run).has_value(); });
    auto out = replay(seed, minimal, run);
    return out ? out : failure_of(found, seed, found.faults);
}

inline std::uint64_t parse_seed(std::string_view text)
{
    std::uint64_t out = 0;
    auto const end = text.data() + text.size();
    if (auto const parsed = std::from_chars(text.data(), end, out); parsed.ec != std::errc() || parsed.ptr != end)
        throw std::invalid_argument("linkspan: LINKSPAN_CHAOS_SEED: expected a number, found '" + std::string(text) +
                                    "'");
    return out;
}

inline chaos_plan parse_plan_of_environment(char const* text)
{
    try {
        return parse_chaos_plan(text);
    } catch (std::invalid_argument const& e) {
        throw std::invalid_argument(std::string(e.what()) + " (environment variable LINKSPAN_CHAOS_PLAN)");
    }
}

// Runs the test with the faults of a plan of the environment. A warning names the faults that did not occur.
inline std::optional<chaos_failure> replay_environment(std::uint64_t seed, chaos_plan const& plan,
                                                       std::function<void(world&)> const& run)
{
    auto const outcome = run_once(seed, chaos(plan), run);
    if (auto const absent = absent_faults(plan, outcome.faults); !absent.faults.empty())
        std::cerr << "warning: LINKSPAN_CHAOS_PLAN: expected a message to which each fault applies, found none for "
                  << to_json(absent) << std::endl;
    return failure_of(outcome, seed, plan);
}

// Returns a word of a command line of a shell, in quotes if it has other characters than those of simple paths.
inline std::string shell_word(std::string_view text)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@%=:,";
    if (text.find_first_not_of(plain) == text.npos)
        return std::string(text);
    std::string out = "'";
    for (char const c : text)
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    return out + "'";
}

} // namespace detail

LINKSPAN_DECL std::optional<chaos_failure> explore(std::uint64_t seeds, std::function<void(world&)> const& run,
                                                   chaos_options const& options)
{
    std::size_t faults = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        auto const found = detail::run_once(seed, chaos(seed, options), run);
        if (auto failure = detail::reduced_failure_of(found, seed, run))
            return failure;
        faults += found.faults.faults.size();
    }
    // Such runs would pass although they test no fault.
    if (faults == 0 && seeds != 0 && options.percent != 0 && options.max_faults != 0)
        std::cerr << "warning: no fault has occurred with " << seeds
                  << " seeds: expected messages of servers of `world::add_server` to which the kinds of faults apply"
                  << std::endl;
    return std::nullopt;
}

LINKSPAN_DECL std::optional<chaos_failure>
explore_or_replay(std::uint64_t seeds, std::function<void(world&)> const& run, chaos_options const& options)
{
    auto const* const seed = std::getenv("LINKSPAN_CHAOS_SEED");
    auto const* const plan = std::getenv("LINKSPAN_CHAOS_PLAN");
    if (plan)
        return detail::replay_environment(seed ? detail::parse_seed(seed) : 1, detail::parse_plan_of_environment(plan),
                                          run);
    if (!seed)
        return explore(seeds, run, options);
    auto const number = detail::parse_seed(seed);
    return detail::reduced_failure_of(detail::run_once(number, chaos(number, options), run), number, run);
}

LINKSPAN_DECL std::optional<chaos_failure> replay(std::uint64_t seed, chaos_plan const& plan,
                                                  std::function<void(world&)> const& run)
{
    return detail::failure_of(detail::run_once(seed, chaos(plan), run), seed, plan);
}

LINKSPAN_DECL std::string to_string(chaos_failure const& failure)
{
    return "seed " + std::to_string(failure.seed) + " fails with " + std::to_string(failure.plan.faults.size()) +
           (failure.plan.faults.size() == 1 ? " fault: " : " faults: ") + failure.reason +
           "\n  plan: " + to_json(failure.plan);
}

LINKSPAN_DECL std::string to_string(chaos_failure const& failure, std::string_view program, std::string_view test)
{
    auto out = to_string(failure) + "\n  repeat by: LINKSPAN_CHAOS_SEED=" + std::to_string(failure.seed) +
               " LINKSPAN_CHAOS_PLAN=" + detail::shell_word(to_json(failure.plan)) + " " + detail::shell_word(program);
    if (!test.empty())
        (out += " --run_test=") += detail::shell_word(test);
    return out;
}

} // namespace linkspan::test

#endif
