#ifndef LINKSPAN_CORE_IMPL_TIME_IPP
#define LINKSPAN_CORE_IMPL_TIME_IPP

#include <linkspan/core/time.hpp>

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

#include <random>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline std::uint64_t random_seed()
{
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

} // namespace detail

LINKSPAN_DECL time_source::time_source(asio::execution_context& context) : time_source(context, detail::random_seed())
{}

LINKSPAN_DECL time_source::time_source(asio::execution_context& context, std::uint64_t seed)
    : service(context), draws_(seed)
{}

LINKSPAN_DECL time_source& time_source::of(asio::any_io_executor const& executor)
{
    return asio::use_service<time_source>(asio::query(executor, asio::execution::context));
}

LINKSPAN_DECL time_point time_source::now() const noexcept { return std::chrono::steady_clock::now(); }

LINKSPAN_DECL wall_time time_source::wall_now() const noexcept { return std::chrono::system_clock::now(); }

LINKSPAN_DECL time_point time_source::after(duration span) const noexcept
{
    auto const start = now();
    return span > time_point::max() - start ? time_point::max() : start + span;
}

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). The state is a counter,
// so that draws on several threads need no lock.
LINKSPAN_DECL std::uint64_t time_source::draw() noexcept
{
    constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15;
    auto z = draws_.fetch_add(gamma, std::memory_order_relaxed) + gamma;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

LINKSPAN_DECL timer::timer(executor_type executor)
    : executor_(std::move(executor)), source_(time_source::of(executor_)), store_(source_.store())
{
    if (!store_)
        real_.emplace(executor_);
}

LINKSPAN_DECL timer::~timer() { cancel(); }

LINKSPAN_DECL void timer::expires_at(time_point expiry)
{
    cancel();
    expiry_ = expiry;
    if (real_)
        real_->expires_at(expiry);
}

LINKSPAN_DECL void timer::cancel()
{
    if (real_)
        real_->cancel();
    else
        store_->cancel(*this, expiry_);
}

} // namespace linkspan

#endif
