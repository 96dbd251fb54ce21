#ifndef LINKSPAN_OBSERVE_OBSERVE_ALL_HPP
#define LINKSPAN_OBSERVE_OBSERVE_ALL_HPP

#include <linkspan/policy/set.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Observer that forwards all information to several observers, in the order of the template arguments.
///
///     using both = linkspan::observe_all<linkspan::text_log, linkspan::metrics>;
///     linkspan::connector<linkspan::transports<linkspan::stdio>, both> hub(executor, both(log, counted));
///
/// `observe_all` has a function `on_attempt`, `on_state` or `on_event` only if one of the observers has it, so that the
/// connector does not produce information that no observer receives.
///
/// \par Thread safety
/// Unsafe, unless all observers are safe. The connector calls them on its executor only.
template<Observer... Os>
class observe_all {
public:
    using role = observer_role;

    /// Constructs the observer from copies of the observers.
    explicit observe_all(Os... observers) : observers_(std::move(observers)...) {}

    /// Forwards a completed attempt to the observers that have this function.
    void on_attempt(attempt_view const& view)
        requires(detail::observes<Os, attempt_view> || ...)
    {
        each([&](auto& one) {
            if constexpr (detail::observes<std::remove_reference_t<decltype(one)>, attempt_view>)
                one.on_attempt(view);
        });
    }

    /// Forwards a state change to the observers that have this function.
    void on_state(state_view const& view)
        requires(detail::observes<Os, state_view> || ...)
    {
        each([&](auto& one) {
            if constexpr (detail::observes<std::remove_reference_t<decltype(one)>, state_view>)
                one.on_state(view);
        });
    }

    /// Forwards an event to the observers that have this function.
    void on_event(event_view const& view)
        requires(detail::observes<Os, event_view> || ...)
    {
        each([&](auto& one) {
            if constexpr (detail::observes<std::remove_reference_t<decltype(one)>, event_view>)
                one.on_event(view);
        });
    }

private:
    template<class Function>
    void each(Function function)
    {
        std::apply([&](auto&... all) { (function(all), ...); }, observers_);
    }

    std::tuple<Os...> observers_;
};

} // namespace linkspan

#endif
