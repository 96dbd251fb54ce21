#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_RESUME_LOG_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_RESUME_LOG_IPP

#include <linkspan/protocol/server/resume_log.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string resume_log::add(std::uint64_t stream, std::string data, time_point now, std::size_t max_bytes)
{
    auto const size = data.size();
    max_bytes = std::min(max_bytes, limits_.max_bytes);
    auto& of = streams_[stream];
    auto id = std::to_string(stream) + '-' + std::to_string(of.next);
    if (size > max_bytes) {
        of.first = ++of.next;
        discard_of(stream); // cannot be sent again without this event
        return id;
    }
    events_.push_back({stream, of.next, now, std::make_shared<std::string const>(std::move(data))});
    ++of.next;
    bytes_ += size;
    while (events_.size() > limits_.max_events || bytes_ > max_bytes)
        discard_first();
    discard_old(now);
    return id;
}

LINKSPAN_DECL std::optional<resume_log::position> resume_log::read_id(std::string_view id) noexcept
{
    position out;
    auto const* const end = id.data() + id.size();
    auto const stream = std::from_chars(id.data(), end, out.stream);
    if (stream.ec != std::errc() || stream.ptr == end || *stream.ptr != '-')
        return std::nullopt;
    auto const number = std::from_chars(stream.ptr + 1, end, out.number);
    return number.ec == std::errc() && number.ptr == end ? std::optional(out) : std::nullopt;
}

LINKSPAN_DECL std::optional<std::vector<resume_log::event>> resume_log::after(position at, time_point now)
{
    discard_old(now);
    auto const found = streams_.find(at.stream);
    if (found == streams_.end() || at.number >= found->second.next || at.number + 1 < found->second.first)
        return std::nullopt;
    std::vector<event> out;
    for (auto const& one : events_)
        if (one.stream == at.stream && one.number > at.number)
            out.push_back(one);
    return out;
}

LINKSPAN_DECL void resume_log::erase(std::uint64_t stream) noexcept
{
    streams_.erase(stream);
    discard_of(stream);
}

LINKSPAN_DECL void resume_log::discard_of(std::uint64_t stream) noexcept
{
    std::erase_if(events_, [&](event const& one) {
        bool const is_of_stream = one.stream == stream;
        bytes_ -= is_of_stream ? one.data->size() : 0;
        return is_of_stream;
    });
}

LINKSPAN_DECL void resume_log::discard_old(time_point now) noexcept
{
    while (!events_.empty() && now - events_.front().added > limits_.max_age)
        discard_first();
}

LINKSPAN_DECL void resume_log::discard_first() noexcept
{
    streams_[events_.front().stream].first = events_.front().number + 1;
    bytes_ -= events_.front().data->size();
    events_.pop_front();
}

} // namespace linkspan

#endif
