#ifndef LINKSPAN_TEST_CHAOS_HPP
#define LINKSPAN_TEST_CHAOS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/chaos_plan.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Options of the faults that a seed selects.
struct chaos_options {
    /// Probability of a fault per message, in percent, from 0 to 100.
    std::size_t percent = 10;
    /// Maximum delay of `chaos_kind::delay` and `chaos_kind::reorder`; at least 1 ms.
    std::chrono::milliseconds max_delay{2000};
    /// Kinds of faults. Not empty.
    std::vector<chaos_kind> kinds{chaos_kind::delay, chaos_kind::drop,      chaos_kind::duplicate, chaos_kind::reorder,
                                  chaos_kind::cut,   chaos_kind::rpc_error, chaos_kind::disconnect};
};

/// Decides the faults of the messages that servers send, and lists them. See `world::set_chaos`.
///
/// The decision for a message is a function of the seed, the name of the server, the number of its connection and the
/// number of the message on the connection. A decision does not depend on earlier decisions, so that a program with an
/// additional call has the same faults elsewhere.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class chaos {
public:
    /// Selects faults at random, by a seed.
    LINKSPAN_DECL explicit chaos(std::uint64_t seed, chaos_options options = {});

    /// Applies the faults of a plan, and no others.
    LINKSPAN_DECL explicit chaos(chaos_plan plan);

    /// Decides the fault of one message and adds it to `faults()`.
    ///
    /// \param server Name of the server.
    /// \param connection Number of its connection, from 1.
    /// \param message Number of the message on the connection, from 1.
    /// \param is_response Whether the message is a response: `chaos_kind::rpc_error` applies to responses only.
    /// \returns The fault, or none.
    LINKSPAN_DECL std::optional<chaos_fault> decide(std::string_view server, std::uint64_t connection,
                                                    std::uint64_t message, bool is_response);

    /// Returns the faults that were decided until now, as a plan that repeats them.
    chaos_plan const& faults() const noexcept { return decided_; }

private:
    std::optional<chaos_fault> draw(std::string_view server, std::uint64_t connection, std::uint64_t message) const;
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
