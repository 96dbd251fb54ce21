#ifndef LINKSPAN_OBSERVE_OBSERVE_ALL_HPP
#define LINKSPAN_OBSERVE_OBSERVE_ALL_HPP

#include <linkspan/policy/set.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace linkspan {

/// Several observers as one, in their order. A hook that none of them has costs nothing.
template<Observer... Os>
class observe_all {
public:
    using role = observer_role;

    explicit observe_all(Os... observers) : observers_(std::move(observers)...) {}

    void on_attempt(attempt_view const& view)
        requires(detail::hears<Os, attempt_view> || ...)
    {
        each([&](auto& one) {
            if constexpr (detail::hears<std::remove_reference_t<decltype(one)>, attempt_view>)
                one.on_attempt(view);
        });
    }

    void on_state(state_view const& view)
        requires(detail::hears<Os, state_view> || ...)
    {
        each([&](auto& one) {
            if constexpr (detail::hears<std::remove_reference_t<decltype(one)>, state_view>)
                one.on_state(view);
        });
    }

    void on_event(event_view const& view)
        requires(detail::hears<Os, event_view> || ...)
    {
        each([&](auto& one) {
            if constexpr (detail::hears<std::remove_reference_t<decltype(one)>, event_view>)
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
