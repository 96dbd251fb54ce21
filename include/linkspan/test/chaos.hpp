#ifndef LINKSPAN_TEST_CHAOS_HPP
#define LINKSPAN_TEST_CHAOS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/test/chaos_plan.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Options of the faults that a seed selects.
struct chaos_options {
    /// Probability of a fault per message, in percent, from 0 to 100.
    std::size_t percent = 10;
    /// Maximum delay of the kinds that have one (those with a delay in their effect in `doc/faults.md`); at least 1 ms;
    /// more than 24 h counts as 24 h. No effect if `delay` is not empty.
    std::chrono::milliseconds max_delay{2000};
    /// Kinds of faults. Not empty.
    std::vector<fault_kind> kinds{fault_kind::delay, fault_kind::drop,      fault_kind::duplicate, fault_kind::reorder,
                                  fault_kind::cut,   fault_kind::rpc_error, fault_kind::disconnect};
    /// Number of faults after which there are no more. Default: no limit.
    std::size_t max_faults = std::numeric_limits<std::size_t>::max();

    /// Returns the delay of a fault of a kind that has one, for two independent draws from the interval [0, 1) and the
    /// time since the first connection of the server. The result is rounded to milliseconds, from 1 ms to 24 h. Empty:
    /// the delays are distributed uniformly from 1 ms to `max_delay`.
    std::function<duration(double first, double second, duration since_start)> delay{};

    /// Form of `delay` in a script, as JSON text, with which `to_script` exports it. Empty: there is none.
    std::string delay_form{};
};

/// Decides the faults of the messages that servers send, and lists them. See `world::set_chaos`.
///
/// The decision for a message is a function of the seed, the name of the server, the number of its connection and the
/// number of the message on the connection. A decision does not depend on earlier decisions, except by
/// `chaos_options::max_faults`: an additional call changes the faults of the later messages of its connection only.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class chaos {
public:
    /// Selects faults at random, by a seed.
    ///
    /// \throws std::invalid_argument `percent`, `max_delay` or `kinds` is out of its range.
    LINKSPAN_DECL explicit chaos(std::uint64_t seed, chaos_options options = {});

    /// Applies the faults of a plan, and no others.
    LINKSPAN_DECL explicit chaos(chaos_plan plan);

    /// Decides the fault of one message and adds it to `faults()`.
    ///
    /// \param server Name of the server.
    /// \param connection Number of its connection, from 1.
    /// \param message Number of the message on the connection, from 1.
    /// \param is_response Whether the message is a response.
    /// \param method Method of the request, if the message is a response. Default: empty, not known.
    /// \param carrier Carrier of the message. Default: a connection in the same process.
    /// \param since_start Time since the first connection of the server.
    /// \returns The fault; empty if there is none, if it does not apply to the message (`applies`), or if
    /// `chaos_options::max_faults` was reached.
    LINKSPAN_DECL std::optional<chaos_fault>
    decide(std::string_view server, std::uint64_t connection, std::uint64_t message, bool is_response,
           std::string_view method = {}, fault_carrier carrier = fault_carrier::inproc, duration since_start = {});

    /// Returns the seed that selects the faults; empty: a plan determines them.
    std::optional<std::uint64_t> seed() const noexcept { return plan_ ? std::nullopt : std::optional(seed_); }

    /// Returns whether the object applies an empty plan, which has no faults.
    bool is_empty() const noexcept { return plan_ && plan_->faults.empty(); }

    /// Returns the options of the faults that a seed selects.
    chaos_options const& options() const noexcept { return options_; }

    /// Returns the faults that were decided until now, as a plan that repeats them.
    chaos_plan const& faults() const noexcept { return decided_; }

private:
    std::optional<chaos_fault> draw(std::string_view server, std::uint64_t connection, std::uint64_t message,
                                    duration since_start) const;
    std::optional<chaos_fault> find(std::string_view server, std::uint64_t connection, std::uint64_t message) const;

    std::optional<chaos_plan> plan_; // set by the constructor; none: a seed selects the faults
    std::uint64_t seed_ = 0;         // set by the constructor
    chaos_options options_;          // set by the constructor
    chaos_plan decided_;             // extended by decide()
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/chaos.ipp>
#endif

#endif
