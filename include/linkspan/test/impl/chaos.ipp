#ifndef LINKSPAN_TEST_IMPL_CHAOS_IPP
#define LINKSPAN_TEST_IMPL_CHAOS_IPP

#include <linkspan/core/detail/fnv1a.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL chaos::chaos(std::uint64_t seed, chaos_options options) : seed_(seed), options_(std::move(options))
{
    auto const require = [](bool holds, std::string const& expected) {
        if (!holds)
            throw std::invalid_argument("linkspan: chaos: expected " + expected);
    };
    require(!options_.kinds.empty(), "at least one kind of fault");
    require(options_.percent <= 100, "at most 100 percent, found " + std::to_string(options_.percent));
    require(options_.max_delay.count() >= 1,
            "a maximum delay of at least 1 ms, found " + std::to_string(options_.max_delay.count()) + " ms");
}

LINKSPAN_DECL chaos::chaos(chaos_plan plan) : plan_(std::move(plan)) {}

LINKSPAN_DECL std::optional<chaos_fault> chaos::decide(std::string_view server, std::uint64_t connection,
                                                       std::uint64_t message, bool is_response, std::string_view method,
                                                       fault_carrier carrier, duration since_start)
{
    auto out = plan_ ? find(server, connection, message) : draw(server, connection, message, since_start);
    if (decided_.faults.size() >= options_.max_faults || (out && !applies(out->fault, is_response, method, carrier)))
        out.reset();
    if (out)
        decided_.faults.push_back(*out);
    return out;
}

namespace detail {

// Returns whether a fault has a delay.
inline bool has_delay(fault_kind kind)
{
    constexpr fault_kind kinds[] = {fault_kind::delay, fault_kind::jitter,        fault_kind::reorder,
                                    fault_kind::slow,  fault_kind::late_response, fault_kind::slow_head,
                                    fault_kind::pause, fault_kind::start_slow,    fault_kind::refresh_rejected};
    return std::ranges::find(kinds, kind) != std::end(kinds);
}

} // namespace detail

// The generator of a message has a seed of its own. The first number mixes the bits of the hash.
inline std::optional<chaos_fault> chaos::draw(std::string_view server, std::uint64_t connection, std::uint64_t message,
                                              duration since_start) const
{
    auto const point = std::to_string(connection) + "/" + std::to_string(message) + "/" + std::to_string(seed_);
    draws drawn(linkspan::detail::fnv1a(point, linkspan::detail::fnv1a({"", 1}, linkspan::detail::fnv1a(server))));
    if (drawn.below(100) >= options_.percent)
        return std::nullopt;
    chaos_fault out;
    out.server = server;
    out.connection = connection;
    out.message = message;
    out.fault = drawn.pick(options_.kinds);
    if (detail::has_delay(out.fault) && options_.delay) {
        auto const first = detail::unit_interval(drawn()), second = detail::unit_interval(drawn());
        auto const span = std::chrono::round<std::chrono::milliseconds>(options_.delay(first, second, since_start));
        out.delay_ms = static_cast<std::uint64_t>(std::clamp<std::int64_t>(span.count(), 1, detail::max_delay_ms));
    } else if (detail::has_delay(out.fault))
        out.delay_ms = 1 + drawn.below(static_cast<std::size_t>(
                               std::min<std::int64_t>(options_.max_delay.count(), detail::max_delay_ms)));
    if (out.fault == fault_kind::corrupt)
        out.amount = drawn.below(100'000);
    return out;
}

inline std::optional<chaos_fault> chaos::find(std::string_view server, std::uint64_t connection,
                                              std::uint64_t message) const
{
    auto const applies = [&](chaos_fault const& one) {
        return one.server == server && one.connection == connection && one.message == message;
    };
    auto const found = std::ranges::find_if(plan_->faults, applies);
    return found == plan_->faults.end() ? std::nullopt : std::optional(*found);
}

} // namespace linkspan::test

#endif
