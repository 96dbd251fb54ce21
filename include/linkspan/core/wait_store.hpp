#ifndef LINKSPAN_CORE_WAIT_STORE_HPP
#define LINKSPAN_CORE_WAIT_STORE_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <compare>
#include <cstdint>
#include <memory>

namespace linkspan {

/// A started wait. Completing it calls the handler; destroying it uncompleted drops the handler without a call.
class wait_op {
public:
    virtual ~wait_op() = default;

    /// Posts the handler with `ec`; never calls it before returning.
    virtual void complete(error_code ec) = 0;
};

/// Waits are ordered by deadline, and then by the order in which they were started.
struct wait_id {
    time_point deadline;
    std::uint64_t number;

    auto operator<=>(wait_id const&) const = default;
};

/// Keeps the waits of timers in place of the operating system: what a `time_source` of one's own brings.
/// `linkspan::test::virtual_time` is the model.
///
/// Thread safety: calls come from the executors of the timers.
class wait_store {
public:
    virtual wait_id add(timer const& owner, time_point deadline, std::unique_ptr<wait_op> op) = 0;

    /// Completes one wait with `operation_aborted`; a wait that is over already is left alone.
    virtual void cancel(wait_id id) = 0;

    /// Completes all waits of `owner`, which are all due at `deadline`, with `operation_aborted`.
    virtual void cancel(timer const& owner, time_point deadline) = 0;

protected:
    ~wait_store() = default;
};

} // namespace linkspan

#endif
