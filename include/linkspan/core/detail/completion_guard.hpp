#ifndef LINKSPAN_CORE_DETAIL_COMPLETION_GUARD_HPP
#define LINKSPAN_CORE_DETAIL_COMPLETION_GUARD_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Part of a handler that keeps an object alive, and calls `drop(object)` if the handler is destroyed without being
// invoked, as at the destruction of an execution context.
//
// The object may own handlers of users, which may own the object. `drop` destroys these handlers, so that no cycle of
// ownership remains. The handler calls `release` when it is invoked. `drop` must not throw.
//
// Invariant: a guard from which another one was constructed is not armed, so that `drop` is called at most once.
template<class Owner, class Drop>
class completion_guard {
public:
    // Constructs a guard that is not armed.
    explicit completion_guard(Drop drop) noexcept : drop_(std::move(drop)) {}

    // Constructs a guard that is armed. Precondition: `owner` is not null.
    completion_guard(std::shared_ptr<Owner> owner, Drop drop) noexcept
        : owner_(std::move(owner)), drop_(std::move(drop))
    {}

    completion_guard(completion_guard&&) noexcept = default;
    completion_guard& operator=(completion_guard&&) = delete;

    ~completion_guard()
    {
        if (owner_)
            drop_(*owner_);
    }

    // Arms the guard. Precondition: the guard is not armed, and `owner` is not null.
    void arm(std::shared_ptr<Owner> owner) noexcept { owner_ = std::move(owner); }

    // Disarms the guard. Precondition: the guard is armed.
    std::shared_ptr<Owner> release() noexcept { return std::exchange(owner_, nullptr); }

private:
    // Set by the constructor and by arm(), cleared by release() and by a move from the guard; null: not armed.
    std::shared_ptr<Owner> owner_;
    [[no_unique_address]] Drop drop_; // set by the constructor; called by the destructor of an armed guard
};

} // namespace linkspan::detail

#endif
