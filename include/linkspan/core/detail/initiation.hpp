#ifndef LINKSPAN_CORE_DETAIL_INITIATION_HPP
#define LINKSPAN_CORE_DETAIL_INITIATION_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Return the executor of the target of an operation: the target itself, or the executor of the object that the target
// points to.
template<std::same_as<boost::asio::any_io_executor> Executor>
Executor const& executor_of(Executor const& target) noexcept
{
    return target;
}

template<class Pointer>
    requires requires(Pointer const& target) { target->get_executor(); }
decltype(auto) executor_of(Pointer const& target) noexcept
{
    return target->get_executor();
}

// Initiation object of an operation of `Target`. An invocation with a handler and arguments erases the type of the
// handler and calls `Function(target, arguments..., handler)`, or the member function `Function` of the object to which
// the target points. `executor_of(target)` is the executor of handlers without an associated one, and that of tokens
// such as `asio::cancel_after`, which creates its timer there.
//
// A target that is a shared pointer to the state of an object shares the ownership, so that a deferred operation may be
// started after the destruction of the object. A raw pointer refers to a connector, which must exist until the
// operation is started.
template<auto Function, class Target>
class initiation {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit initiation(Target target) noexcept : target_(std::move(target)) {}

    executor_type get_executor() const noexcept { return executor_of(target_); }

    template<class Handler, class... Args>
    void operator()(Handler&& handler, Args&&... args) const
    {
        if constexpr (std::is_member_function_pointer_v<decltype(Function)>)
            ((*target_).*Function)(std::forward<Args>(args)..., {std::forward<Handler>(handler), executor_of(target_)});
        else
            Function(target_, std::forward<Args>(args)..., {std::forward<Handler>(handler), executor_of(target_)});
    }

    Target const& target() const noexcept { return target_; }

private:
    Target target_; // pointer to the object of the operation; set by the constructor
};

template<auto Function, class Target>
initiation<Function, Target> initiate(Target target) noexcept
{
    return initiation<Function, Target>(std::move(target));
}

// Base of the initiation objects of operations that are templates themselves.
struct executor_initiation {
    using executor_type = boost::asio::any_io_executor;

    executor_initiation(executor_type on) noexcept : executor(std::move(on)) {}

    executor_type get_executor() const noexcept { return executor; }

    executor_type executor;
};

} // namespace linkspan::detail

#endif
