#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_DELAYS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_DELAYS_IPP

#include <linkspan/describe/encode.hpp>
#include <linkspan/test/script/detail/delay_text.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Delays of actions, and of the faults of a chaos.

// Reads a distribution; empty: it is not valid, which is reported.
inline delay_function script_reader::read_delay(script_format::distribution const& from, std::string const& at)
{
    constexpr double max_sigma = 10; // of which the factor is more than 10,000 in one draw of six
    if (from.lognormal && !(from.lognormal->second >= 0 && from.lognormal->second <= max_sigma))
        reject(at + "/lognormal/1", "a number from 0 to 10");
    auto out = read_distribution(from);
    if (!out)
        reject_whole(at, "exactly one of 'uniform', 'normal', 'lognormal', 'exp' and 'ramp', with " +
                             std::string(expected_span) +
                             "; the lowest of 'uniform' first, and the last time of 'ramp' above 0");
    return out;
}

inline action script_reader::delay_of(delay_format const& from, std::string const& at)
{
    if (auto const* const text = std::get_if<std::string>(&from))
        return delay(span(*text, at));
    auto const& distribution = std::get<script_format::distribution>(from);
    bool const draws = !distribution.ramp; // a ramp must not change the draws of other actions
    auto run = [drawn = read_delay(distribution, at), draws](exchange& on, std::function<void()> next) {
        delay_input input{.since_start = on.since_start()};
        if (draws) {
            input.first = unit_interval(next_draw(on.values()));
            input.second = unit_interval(next_draw(on.values()));
        }
        on.wait(drawn(input), std::move(next));
    };
    return {std::move(run), action_needs::time};
}

inline void script_reader::read_chaos_delay(delay_format const& from, chaos_options& to, std::string const& at)
{
    if (auto const* const text = std::get_if<std::string>(&from))
        to.delay = [fixed = span(*text, at)](double, double, duration) { return fixed; };
    else if (auto const drawn = read_delay(std::get<script_format::distribution>(from), at))
        to.delay = [drawn](double first, double second, duration since_start) {
            return drawn({.first = first, .second = second, .since_start = since_start});
        };
    encode(to.delay_form, from);
}

LINKSPAN_DECL chaos_options script_reader::read(script_format::chaos const& from, std::string const& at)
{
    chaos_options out;
    out.percent = from.percent;
    if (from.max_delay)
        out.max_delay = std::chrono::duration_cast<std::chrono::milliseconds>(span(*from.max_delay, at + "/maxDelay"));
    if (out.max_delay.count() < 1)
        reject(at + "/maxDelay", "a time of at least 1 ms");
    if (from.max_delay && from.delay)
        reject(at + "/delay", "no such member beside 'maxDelay'");
    if (from.delay)
        read_chaos_delay(*from.delay, out, at + "/delay");
    if (!from.kinds.empty())
        out.kinds = from.kinds;
    out.max_faults = from.max_faults.value_or(out.max_faults);
    return out;
}

} // namespace linkspan::test::detail

#endif
