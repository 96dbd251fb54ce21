#ifndef LINKSPAN_TEST_CHAOS_PLAN_HPP
#define LINKSPAN_TEST_CHAOS_PLAN_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

// The maximum of `chaos_fault::delay_ms`: one day.
inline constexpr std::int64_t max_delay_ms = 86'400'000;

} // namespace detail

/// One fault, and the message that it applies to.
struct chaos_fault {
    std::string server;           ///< name of the server: in its `world`, else the first that a connector gives it
    std::uint64_t connection = 1; ///< number of the connection among those of the server, from 1
    std::uint64_t message = 1;    ///< number of the message among those that the server sends on the connection, from 1
    fault_kind fault{};           ///< kind of fault
    std::uint64_t delay_ms = 0;   ///< delay in milliseconds, for kinds with a delay; 0: default of the kind
    std::uint64_t amount = 0; ///< number of bytes, parts, messages or seconds, or exit status; 0: default of the kind

    bool operator==(chaos_fault const&) const = default;
};
LINKSPAN_STRUCT((chaos_fault, "A fault, and the message that it applies to.", closed), (server, "Name of the server."),
                (connection, "Number of the connection of the server, from 1.", min{1}),
                (message, "Number of the message that the server sends on the connection, from 1.", min{1}),
                (fault, "Kind of fault."),
                (delay_ms, "Delay in milliseconds, for kinds with a delay.", max{detail::max_delay_ms},
                 default_value{0}),
                (amount, "Number of bytes, parts, messages or seconds, or exit status, by the kind.", max{100'000'000},
                 default_value{0}))

/// The faults of a run, in the order in which they occur.
struct chaos_plan {
    std::vector<chaos_fault> faults; ///< of several faults for one message, the first one applies

    bool operator==(chaos_plan const&) const = default;
};
LINKSPAN_STRUCT((chaos_plan, "The faults of a run.", closed), (faults, "At most one fault per message."))

/// Returns the plan as JSON text on one line.
LINKSPAN_DECL std::string to_json(chaos_plan const& plan);

/// Reads a plan.
///
/// \param json JSON text, such as the result of `to_json`.
/// \throws std::invalid_argument The text is not a plan: invalid JSON, an unknown member, a missing member other than
/// `delay_ms` and `amount`, an unknown kind, or a number out of range. The text of the exception names each location.
LINKSPAN_DECL chaos_plan parse_chaos_plan(std::string_view json);

/// Reads a plan from a file.
///
/// \param path Path of a file with JSON text, such as the result of `to_json`.
/// \throws std::invalid_argument The file cannot be read, is larger than 256 MiB, or its text is not a plan
/// (`parse_chaos_plan`). The text of the exception names the file and each location.
LINKSPAN_DECL chaos_plan load_chaos_plan(std::string const& path);

/// Returns a minimal part of a plan with which a test still fails: if one more fault is removed, the test no longer
/// fails. The function then halves the delays of the remaining faults as long as the test fails.
///
/// The algorithm is a variant of `ddmin`, delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
/// Failure-Inducing Input", 2002). The number of calls of `fails` is at most quadratic in the number of faults.
///
/// \param plan A plan for which `fails` returns true.
/// \param fails Runs the test with a plan and returns whether it fails. Two calls with equal plans return the same
/// value.
/// \returns The minimal plan, in the order of `plan`. `plan` itself if `fails` returns false for it.
LINKSPAN_DECL chaos_plan shrink(chaos_plan plan, std::function<bool(chaos_plan const&)> const& fails);

namespace detail {

// Returns the faults of a plan that did not occur in a run. With a wrong name of a server, for example, no message has
// the fault, and the run tests nothing.
LINKSPAN_DECL chaos_plan absent_faults(chaos_plan const& plan, chaos_plan const& occurred);

} // namespace detail
} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/chaos_plan.ipp>
#endif

#endif
