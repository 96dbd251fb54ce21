#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_NUMBER_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_NUMBER_IPP

#include <linkspan/json/json_number.hpp>
#include <linkspan/test/sample/sample_number.hpp>

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Generates candidates and keeps those that satisfy the constraints.
class number_candidates {
public:
    number_candidates(number_demand const& demand, draws& draw) : demand_(demand), draw_(draw)
    {
        for (auto const* const bounds : {&demand.minimum, &demand.above, &demand.maximum, &demand.below})
            for (auto const& bound : *bounds)
                add_around(bound);
        add_between();
        for (std::int64_t const n :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, max_exact, -max_exact,
              std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()})
            add(n);
        if (!demand.is_integer)
            for (double const x : {0.5, 0.1, -1.25, 1e-7, 1e21, -1e300})
                add(x);
    }

    std::vector<boost::json::value> matching;

private:
    static constexpr std::int64_t max_exact = (std::int64_t{1} << 53) - 1;
    static constexpr double two_to_63 = 9223372036854775808.0;

    static bool is_int64(double x) noexcept { return x >= -two_to_63 && x < two_to_63; }

    void add(boost::json::value number)
    {
        // infinity and NaN have no JSON text
        if (number.is_double() && !std::isfinite(number.get_double()))
            return;
        if (number.is_double() && is_integer(number) && is_int64(number.get_double()))
            number = static_cast<std::int64_t>(number.get_double());
        if (demand_.multiple_of.empty())
            return keep(std::move(number));
        for (auto const& of : demand_.multiple_of)
            add_multiples(number, of);
    }

    void keep(boost::json::value number)
    {
        if (demand_.matches(number))
            matching.push_back(std::move(number));
    }

    void add_multiples(boost::json::value const& near, boost::json::value const& of)
    {
        if (near.is_int64() && of.is_int64()) {
            auto const n = near.get_int64() / of.get_int64(); // rounded towards zero, so that n * of does not overflow
            auto const product = n * of.get_int64();
            keep(product);
            if (std::abs(as_double(near)) + as_double(of) < two_to_63) {
                keep(product + of.get_int64());
                keep(product - of.get_int64());
            }
            return;
        }
        auto const times = std::floor(as_double(near) / as_double(of));
        for (auto const k : {times, times + 1})
            if (auto const product = k * as_double(of); std::isfinite(product)) {
                bool const is_whole = std::trunc(product) == product && is_int64(product);
                keep(is_whole ? boost::json::value(static_cast<std::int64_t>(product)) : boost::json::value(product));
            }
    }

    void add_around(boost::json::value const& bound)
    {
        add(bound);
        if (auto const* const n = bound.if_int64()) {
            if (*n != std::numeric_limits<std::int64_t>::max())
                add(*n + 1);
            if (*n != std::numeric_limits<std::int64_t>::min())
                add(*n - 1);
        } else if (auto const* const u = bound.if_uint64()) {
            if (*u != std::numeric_limits<std::uint64_t>::max())
                add(*u + 1);
            if (*u != 0)
                add(*u - 1);
        } else {
            add(std::floor(bound.get_double()));
            add(std::ceil(bound.get_double()));
        }
        if (demand_.is_integer)
            return;
        constexpr auto infinity = std::numeric_limits<double>::infinity();
        add(std::nextafter(as_double(bound), infinity));
        add(std::nextafter(as_double(bound), -infinity));
    }

    void add_between()
    {
        auto low = -std::numeric_limits<double>::infinity();
        auto high = -low;
        for (auto const* const bounds : {&demand_.minimum, &demand_.above})
            for (auto const& bound : *bounds)
                low = std::max(low, as_double(bound));
        for (auto const* const bounds : {&demand_.maximum, &demand_.below})
            for (auto const& bound : *bounds)
                high = std::min(high, as_double(bound));
        if (!std::isfinite(low))
            low = std::isfinite(high) ? high - 1000 : -1000;
        if (!std::isfinite(high))
            high = low + 2000;
        for (unsigned i = 0; i != 4; ++i) {
            auto const part = static_cast<double>(draw_() >> 11) / static_cast<double>(std::uint64_t{1} << 53);
            auto const number = low + (high - low) * part;
            add(demand_.is_integer || draw_.one_in(2) ? std::round(number) : number);
        }
    }

    // Set by the constructor.
    number_demand const& demand_;
    draws& draw_;
};

} // namespace detail

LINKSPAN_DECL bool number_demand::matches(boost::json::value const& number) const noexcept
{
    auto const all = [&number](auto const& bounds, auto holds) {
        return std::ranges::all_of(bounds, [&](boost::json::value const& b) { return holds(number, b); });
    };
    return (!is_integer || linkspan::is_integer(number)) &&
           all(minimum, [](auto const& n, auto const& b) { return compare_numbers(n, b) >= 0; }) &&
           all(above, [](auto const& n, auto const& b) { return compare_numbers(n, b) > 0; }) &&
           all(maximum, [](auto const& n, auto const& b) { return compare_numbers(n, b) <= 0; }) &&
           all(below, [](auto const& n, auto const& b) { return compare_numbers(n, b) < 0; }) &&
           all(multiple_of, [](auto const& n, auto const& b) { return is_multiple(n, b); });
}

LINKSPAN_DECL std::optional<boost::json::value> sample_number(number_demand const& demand, bool is_short, draws& draw)
{
    auto const some = detail::number_candidates(demand, draw).matching;
    if (some.empty())
        return std::nullopt;
    if (is_short) {
        auto const size = [](boost::json::value const& number) { return serialize(number).size(); };
        return *std::ranges::min_element(some, {}, size);
    }
    auto number = draw.pick(some);
    if (number.is_int64() && draw.one_in(16)) {
        boost::json::value const whole = static_cast<double>(number.get_int64());
        if (compare_numbers(whole, number) == 0 && demand.matches(whole))
            return whole;
    }
    return number;
}

} // namespace linkspan::test

#endif
