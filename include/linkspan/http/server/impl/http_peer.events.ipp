#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_PEER_EVENTS_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_PEER_EVENTS_IPP

#include <linkspan/http/server/detail/http_peer.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>
#include <utility>

// The events of the streams of a client, which are kept until the client has received them, and lost messages.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Writes an event, or keeps it until there is an HTTP exchange.
LINKSPAN_DECL void http_peer::add_event(std::uint64_t number, queued_path& which, std::string data)
{
    std::string id;
    if (has_ids()) {
        auto const size = data.size();
        auto const max_bytes = max_kept_message(size);
        if (size <= std::min(max_bytes, options_.session_limits.resume.max_bytes)) // otherwise it is not stored
            discard_waiting_to(max_bytes - size);
        // The general stream also keeps a copy of the message until the client opens the stream.
        auto const not_for_log = waiting_bytes_ + (number == 0 && which.on.is_over() ? size : 0);
        id = log_.add(number, data, time_.now(), max_bytes - std::min(max_bytes, not_for_log));
    }
    which.queue.push_back({std::move(id), std::move(data)});
    pump(number);
}

LINKSPAN_DECL void http_peer::pump(std::uint64_t number)
{
    auto& which = path(number);
    while (!which.queue.empty() && !which.on.is_over()) {
        auto const& next = which.queue.front();
        http_server_event event{.data = next.data, .id = next.id, .writes_empty_data = next.data.empty()};
        if (next.data.empty())
            event.retry = options_.retry;
        else
            event.type = "message";
        which.on.event(event);
        which.queue.remove_front();
    }
    if (!which.queue.empty())
        discard_waiting(which);
    count_kept();
    if (which.is_over && which.queue.empty())
        which.on.end();
    if (which.is_over && !has_ids())
        forget(number);
}

// Events of the streams of requests are discarded first, because the log has them too.
LINKSPAN_DECL void http_peer::discard_waiting(queued_path& changed)
{
    auto const& limits = options_.session_limits;
    auto const refuse = [this](waiting_events::event const& lost) { refuse_in_place_of_client(lost.data); };
    if (auto const general = reply_paths_.find(0); general != reply_paths_.end() && &general->second == &changed)
        changed.queue.keep_newest(limits.resume.max_events, refuse);
    else
        changed.queue.keep_newest(limits.resume.max_events);
    auto const max_bytes = kept_.max_bytes();
    discard_waiting_to(std::min(limits.max_waiting_bytes, max_bytes - std::min(max_bytes, log_.bytes())));
}

LINKSPAN_DECL void http_peer::discard_waiting_to(std::size_t max_bytes)
{
    auto const& bytes = waiting_bytes_;
    for (auto at = reply_paths_.upper_bound(0); bytes > max_bytes && at != reply_paths_.end(); ++at)
        at->second.queue.discard_bytes(bytes - max_bytes);
    if (bytes > max_bytes)
        path(0).queue.discard_bytes(
            bytes - max_bytes, [this](waiting_events::event const& lost) { refuse_in_place_of_client(lost.data); });
}

// A request of the server that the client cannot receive any more fails at once, and not at the end of its time limit.
LINKSPAN_DECL void http_peer::refuse_in_place_of_client(std::string_view discarded)
{
    auto const message = read_envelope(discarded);
    if (message.what != envelope::kind::request)
        return;
    received_.emplace_back(
        server_dialogue::failure(message.raw_id, -32603, "discarded, because the client has not opened a stream"), 0);
    try {
        asio::post(executor_, [self = shared_from_this()] { self->flush(); });
    } catch (std::bad_alloc const&) { // the next message of the client passes the failure too
    }
}

// A message that cannot be stored until the client resumes the stream is not added to it, because the stream could then
// not be resumed at all.
LINKSPAN_DECL std::string http_peer::refusal_of_long_response(envelope const& response, std::size_t size) const
{
    auto const max_bytes = options_.session_limits.resume.max_bytes;
    auto const limit = size > max_bytes
                           ? std::to_string(max_bytes) + " bytes, the limit for clients that resume a stream"
                           : std::string("the memory that is left for all clients that resume a stream");
    return server_dialogue::failure(response.raw_id, -32603,
                                    "response of " + std::to_string(size) + " bytes exceeds " + limit);
}

// Events that are too old keep room from the events of other sessions.
LINKSPAN_DECL std::size_t http_peer::max_kept_message(std::size_t size) const noexcept
{
    if (owner_ && kept_.max_bytes() - std::min(kept_.max_bytes(), kept_.bytes()) < size)
        owner_->discard_old_events();
    return kept_.max_bytes();
}

LINKSPAN_DECL void http_peer::discard_old_events() noexcept
{
    log_.discard_old(time_.now());
    count_kept();
}

LINKSPAN_DECL void http_peer::discard_events() noexcept
{
    for (auto& [number, back] : reply_paths_) {
        log_.erase(number);
        back.queue.clear();
    }
    count_kept();
}

// A client that has ended is not counted, because it is destroyed when the server has received the end of the
// transport.
LINKSPAN_DECL void http_peer::count_kept() noexcept { kept_.set(is_over_ ? 0 : log_.bytes() + waiting_bytes_); }

LINKSPAN_DECL void http_peer::lose(envelope const& message, std::string_view bytes, std::uint64_t number,
                                   http_exchange& of_response) noexcept
{
    if (message.what == envelope::kind::request)
        try {
            return refuse_in_place_of_client(bytes);
        } catch (std::bad_alloc const&) { // the request ends by its timeout
            return;
        }
    if (!message.is_response())
        return;
    of_response.cut();
    if (kind_ == kind::sse)
        drop();
    else
        lose_path(number);
}

LINKSPAN_DECL void http_peer::lose_path(std::uint64_t number) noexcept
{
    if (has_single_requests())
        return drop();
    if (auto const found = reply_paths_.find(number); found != reply_paths_.end() && number != 0) {
        found->second.on.cut();
        log_.erase(number);
        reply_paths_.erase(found);
        count_kept();
    }
}

LINKSPAN_DECL void http_peer::lose_response(std::uint64_t number) noexcept
{
    requests_.remove();
    release_body(number);
    if (kind_ != kind::sse)
        lose_path(number);
}

// Completed streams are kept for resumption, as long as there are not too many.
LINKSPAN_DECL void http_peer::forget_old_paths()
{
    constexpr std::size_t max_completed = 64;
    auto const is_completed = [](auto const& entry) { return entry.second.is_over && entry.second.on.is_over(); };
    auto completed = static_cast<std::size_t>(std::ranges::count_if(reply_paths_, is_completed));
    for (auto at = reply_paths_.begin(); completed > max_completed;) {
        auto const each = at++;
        if (!is_completed(*each))
            continue;
        log_.erase(each->first);
        reply_paths_.erase(each);
        --completed;
        count_kept();
    }
}

} // namespace linkspan::detail

#endif
