#ifndef LINKSPAN_CORE_DETAIL_INITIATION_HPP
#define LINKSPAN_CORE_DETAIL_INITIATION_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Initiation object of an operation of `Target`, a shared pointer to the state of an object. An invocation with a
// handler and arguments erases the type of the handler and calls `Function(target, arguments..., handler)`.
// `executor_of(target)` is the executor of handlers without an associated one, and that of tokens such as
// `asio::cancel_after`, which creates its timer there.
//
// The object shares the ownership of the state, so that a deferred operation may be started after the destruction of
// the session or connector.
template<auto Function, class Target>
class initiation {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit initiation(Target target) noexcept : target_(std::move(target)) {}

    executor_type get_executor() const noexcept { return executor_of(target_); }

    template<class Handler, class... Args>
    void operator()(Handler&& handler, Args&&... args) const
    {
        Function(target_, std::forward<Args>(args)..., {std::forward<Handler>(handler), executor_of(target_)});
    }

    Target const& target() const noexcept { return target_; }

private:
    Target target_; // pointer to the object of the operation; set by the constructor
};

template<auto Function, class Target>
initiation<Function, Target> initiate(Target const& target) noexcept
{
    return initiation<Function, Target>(target);
}

// Base of the initiation objects of operations that are templates themselves.
struct executor_initiation {
    using executor_type = boost::asio::any_io_executor;

    executor_initiation(executor_type on) noexcept : executor(std::move(on)) {}

    executor_type get_executor() const noexcept { return executor; }

    executor_type executor;
};

// Base of the initiation objects of operations that consist of operations of a connector. `Hub` is `connector_base`;
// the connector must exist until the operation is started.
template<class Hub>
struct hub_initiation {
    using executor_type = boost::asio::any_io_executor;

    hub_initiation(Hub* of) noexcept : hub(of) {}

    executor_type get_executor() const noexcept { return hub->get_executor(); }

    Hub* hub;
};

} // namespace linkspan::detail

#endif
