#ifndef LINKSPAN_TEST_SCRIPT_IMPL_DELAY_TEXT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_DELAY_TEXT_IPP

#include <linkspan/test/script/detail/delay_text.hpp>
#include <linkspan/test/script/detail/script_format.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

using seconds_type = std::chrono::duration<double>;
inline constexpr seconds_type max_delay = max_span;

// Returns a draw of the standard normal distribution from two uniform ones (Box and Muller, 1958).
inline double normal_draw(double first, double second)
{
    return std::sqrt(-2 * std::log(1 - first)) * std::cos(2 * std::numbers::pi * second);
}

inline duration bounded(double seconds)
{
    return std::chrono::round<duration>(seconds_type(std::clamp(seconds, 0.0, max_delay.count())));
}

LINKSPAN_DECL delay_function read_distribution(script_format::distribution const& from)
{
    auto const seconds = [](std::string const& text) {
        auto const span = read_span(text);
        return span ? std::optional(seconds_type(*span).count()) : std::nullopt;
    };
    int const members = from.uniform.has_value() + from.normal.has_value() + from.lognormal.has_value() +
                        from.exp.has_value() + from.ramp.has_value();
    if (members != 1)
        return nullptr;
    if (from.exp) {
        auto const mean = seconds(*from.exp);
        return mean ? [mean = *mean](delay_input const& on) { return bounded(-mean * std::log(1 - on.first)); }
                    : delay_function();
    }
    if (from.lognormal) {
        auto const median = seconds(from.lognormal->first);
        if (!median)
            return nullptr;
        return [median = *median, sigma = from.lognormal->second](delay_input const& on) {
            return bounded(median * std::exp(sigma * normal_draw(on.first, on.second)));
        };
    }
    if (from.ramp) {
        auto const& [low, high, over] = *from.ramp;
        auto const first = seconds(low), last = seconds(high), span = seconds(over);
        if (!first || !last || !span || *span == 0)
            return nullptr;
        return [first = *first, last = *last, span = *span](delay_input const& on) {
            auto const part = std::clamp(seconds_type(on.since_start).count() / span, 0.0, 1.0);
            return bounded(first + (last - first) * part);
        };
    }
    auto const& pair = from.uniform ? *from.uniform : *from.normal;
    auto const one = seconds(pair.first), other = seconds(pair.second);
    if (!one || !other || (from.uniform && *one > *other))
        return nullptr;
    if (from.uniform)
        return [low = *one, high = *other](delay_input const& on) { return bounded(low + (high - low) * on.first); };
    return [mean = *one, deviation = *other](delay_input const& on) {
        return bounded(mean + deviation * normal_draw(on.first, on.second));
    };
}

} // namespace linkspan::test::detail

#endif
