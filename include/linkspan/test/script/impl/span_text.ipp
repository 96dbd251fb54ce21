#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SPAN_TEXT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SPAN_TEXT_IPP

#include <linkspan/test/script/detail/span_text.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline constexpr std::pair<std::string_view, std::chrono::nanoseconds> span_units[] = {
    {"us", std::chrono::microseconds(1)},
    {"ms", std::chrono::milliseconds(1)},
    {"s", std::chrono::seconds(1)},
    {"min", std::chrono::minutes(1)},
    {"h", std::chrono::hours(1)}};

LINKSPAN_DECL std::optional<duration> read_span(std::string_view text)
{
    // A double has not enough digits for the nanoseconds of 100 years.
    using exact_type = std::chrono::duration<long double, std::nano>;
    long double number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    auto const unit = std::ranges::find(span_units, text.substr(static_cast<std::size_t>(end - text.data())),
                                        &std::pair<std::string_view, std::chrono::nanoseconds>::first);
    if (ec != std::errc() || unit == std::end(span_units) || !(number >= 0))
        return {};
    exact_type const span(number * static_cast<long double>(unit->second.count()));
    return span > exact_type(max_span) ? std::nullopt : std::optional(std::chrono::round<duration>(span));
}

LINKSPAN_DECL std::string span_text(duration span)
{
    auto const nanoseconds = std::chrono::nanoseconds(span);
    for (auto unit = std::rbegin(span_units); unit != std::rend(span_units); ++unit)
        if (nanoseconds.count() != 0 && nanoseconds % unit->second == std::chrono::nanoseconds::zero())
            return std::to_string(nanoseconds / unit->second) + std::string(unit->first);
    if (nanoseconds.count() <= 0)
        return std::to_string(nanoseconds.count()) + "us"; // a time below 0 is not accepted, whatever its unit
    auto const fraction = std::to_string(1000 + nanoseconds.count() % 1000);
    return std::to_string(nanoseconds.count() / 1000) + "." + fraction.substr(1) + "us";
}

} // namespace linkspan::test::detail

#endif
