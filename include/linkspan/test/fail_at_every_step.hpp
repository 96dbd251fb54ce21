#ifndef LINKSPAN_TEST_FAIL_AT_EVERY_STEP_HPP
#define LINKSPAN_TEST_FAIL_AT_EVERY_STEP_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <limits>
#include <new>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Selection of the steps that fail: allocations and calls of `step_fails`.
enum class failing {
    one,            ///< one step; allocations by `aligned_alloc`, which Asio uses for handlers, are no steps
    one_or_handler, ///< one step, including allocations by `aligned_alloc`
    all_later       ///< one step, as with `one_or_handler`, and all later ones
};

namespace detail {

// Steps of one thread. The functions of <linkspan/test/src_failing_allocations.hpp> count allocations in it.
struct step_countdown {
    static constexpr auto never = std::numeric_limits<std::size_t>::max();

    std::size_t remaining = never; // number of the steps before the one that fails; `never` if none fails
    failing which = failing::one;
    bool has_failed = false; // a step has failed

    // Counts a step. Returns whether it fails.
    bool fails() noexcept
    {
        if (remaining == never)
            return false;
        if (remaining != 0) {
            --remaining;
            return false;
        }
        has_failed = true;
        if (which != failing::all_later)
            remaining = never;
        return true;
    }
};

inline constinit thread_local step_countdown steps_of_thread{};

} // namespace detail

/// Counts a step that can fail, for example a write, and returns whether it has to fail now.
///
/// The objects that replace real ones in a test call the function, such as an in-memory stream that completes with an
/// error if the function returns true. Returns false outside of the operations of `step_failure` and of the lifetime of
/// `failing_allocation`.
///
/// \par Thread safety
/// Each thread has its own count.
inline bool step_fails() noexcept { return detail::steps_of_thread.fails(); }

/// While the object exists, the selected steps of this thread fail: allocations throw `std::bad_alloc`, and
/// `step_fails` returns true. Objects are not nested.
///
/// Allocations fail only if one translation unit of the program includes
/// `<linkspan/test/src_failing_allocations.hpp>`.
class failing_allocation {
public:
    /// Begins to count.
    ///
    /// \param number Number of the steps before the first one that fails.
    /// \param steps Steps that fail. Default: one.
    explicit failing_allocation(std::size_t number, failing steps = failing::one) noexcept
    {
        detail::steps_of_thread = {number, steps, false};
    }
    ~failing_allocation() { detail::steps_of_thread.remaining = detail::step_countdown::never; }
    failing_allocation(failing_allocation const&) = delete;
    failing_allocation& operator=(failing_allocation const&) = delete;

    /// Returns whether a step has failed.
    bool has_failed() const noexcept { return detail::steps_of_thread.has_failed; }
};

/// Parameter of the algorithm that `fail_at_every_step` invokes.
class step_failure {
public:
    /// Makes an object for one run.
    ///
    /// \param number Number of the steps of the operation before the first one that fails.
    /// \param steps Steps that fail. Default: one.
    explicit step_failure(std::size_t number, failing steps = failing::one) noexcept : number_(number), what_(steps) {}

    /// Executes an operation, in which the selected steps fail.
    ///
    /// \returns Whether the operation completed; false if it threw `std::bad_alloc`.
    /// \throws ... Any other exception of the operation.
    template<class Operation>
    bool operator()(Operation const& operation)
    {
        failing_allocation const failing(number_, what_);
        bool is_complete = true;
        try {
            operation();
        } catch (std::bad_alloc const&) {
            is_complete = false;
        } catch (...) {
            has_failed_ = has_failed_ || failing.has_failed();
            throw;
        }
        has_failed_ = has_failed_ || failing.has_failed();
        return is_complete;
    }

    /// Returns whether a step has failed.
    bool has_failed() const noexcept { return has_failed_; }

    /// Returns the number of steps before the first one that fails, for reports.
    std::size_t number() const noexcept { return number_; }

private:
    std::size_t number_;
    failing what_;
    bool has_failed_ = false; // set by the operation
};

/// Runs an algorithm once for each of its steps that can fail, and finally once without a failure.
///
/// A step is an allocation, or a call of `step_fails`. The algorithm makes its objects anew in each run, passes the
/// operation that it tests to its parameter, and checks the objects afterwards:
///
///     fail_at_every_step([](step_failure& fail_in) {
///         table tested;
///         bool const is_added = fail_in([&] { tested.add("key", "value"); });
///         assert(tested.size() == (is_added ? 1 : 0)); // a failed addition has no effect
///     });
///
/// \param algorithm Function with a parameter of type `step_failure&`.
/// \param steps Steps that fail in each run. Default: one.
/// \returns The number of steps, each of which failed in one run. 0: no step can fail, which is an error of the test if
/// the operation should have steps.
/// \throws ... Any exception that leaves the algorithm; further steps are not run then.
/// \par Thread safety
/// Only steps of the thread that executes the operation fail.
template<class Algorithm>
std::size_t fail_at_every_step(Algorithm const& algorithm, failing steps = failing::one)
{
    for (std::size_t number = 0;; ++number) {
        step_failure failure(number, steps);
        algorithm(failure);
        if (!failure.has_failed())
            return number;
    }
}

} // namespace linkspan::test

#endif
