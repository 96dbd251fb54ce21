#ifndef LINKSPAN_CORE_WAIT_STORE_HPP
#define LINKSPAN_CORE_WAIT_STORE_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <compare>
#include <cstdint>
#include <memory>

namespace linkspan::inline LINKSPAN_ABI {

/// Outstanding wait of a timer, with its type-erased handler.
///
/// A wait is completed at most once. The destructor of an uncompleted wait destroys the handler without invoking it.
class wait_op {
public:
    /// Destroys the wait, and the handler if the wait was not completed.
    virtual ~wait_op() = default;

    /// Completes the wait: posts the handler with `ec` to its executor.
    ///
    /// The handler is never invoked inside this function.
    /// \par Preconditions
    /// The wait has not been completed.
    virtual void complete(error_code ec) = 0;
};

/// Identifier of an outstanding wait within a `wait_store`.
///
/// Identifiers are ordered by deadline. Identifiers with the same deadline are in the order in which their waits were
/// started.
struct wait_id {
    /// Point in time at which the wait completes. `time_point::max()` means never.
    time_point deadline;

    /// Number of the wait in the order of start, assigned by the store. Distinct for all waits of a store.
    std::uint64_t number;

    /// Compares deadlines, then numbers.
    auto operator<=>(wait_id const&) const = default;
};

/// Interface of a store for the waits of timers, for a `time_source` whose time is not real time.
///
/// Timers of such a source add their waits to the store and do not use `asio::steady_timer`. The store completes each
/// wait without an error at its deadline. `linkspan::test::virtual_time` is an example.
///
/// \par Thread safety
/// Each timer calls these functions on its executor. A store for timers on several threads must synchronize the calls.
class wait_store {
public:
    /// Adds a wait and returns its identifier.
    ///
    /// \param owner Timer that started the wait, and exists as long as the wait is outstanding. The store uses it for
    /// comparison and for `timer::is_in_background` only.
    /// \param deadline Point in time at which the store must complete `op` without an error. `time_point::max()`:
    /// never.
    /// \param op Wait to store; not null.
    virtual wait_id add(timer const& owner, time_point deadline, std::unique_ptr<wait_op> op) = 0;

    /// Completes the wait `id` with `operation_aborted`. An `id` that is not in the store is ignored.
    virtual void cancel(wait_id id) = 0;

    /// Completes all waits of `owner` with `operation_aborted`.
    ///
    /// \param owner Timer that started the waits.
    /// \param deadline Deadline of the outstanding waits of `owner`, by which the store finds them. These waits have
    /// the same deadline, because a new expiry of a timer cancels its earlier waits.
    virtual void cancel(timer const& owner, time_point deadline) = 0;

protected:
    ~wait_store() = default;
};

} // namespace linkspan

#endif
