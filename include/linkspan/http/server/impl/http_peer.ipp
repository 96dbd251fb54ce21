#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_PEER_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_PEER_IPP

#include <linkspan/http/server/detail/http_peer.hpp>
#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <new>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL bool http_peer::is_idle_since(time_point before) const noexcept
{
    auto const is_open = [](auto const& entry) { return !entry.second.on.is_over() || entry.second.awaited != 0; };
    bool const may_be_idle = kind_ == kind::session || kind_ == kind::without_session;
    return may_be_idle && last_used_ < before && std::ranges::none_of(reply_paths_, is_open);
}

LINKSPAN_DECL bool http_peer::has_lost_exchange() const noexcept
{
    return std::ranges::any_of(reply_paths_, [](auto const& entry) { return entry.second.on.is_over(); });
}

LINKSPAN_DECL std::uint64_t http_peer::open(reply_path what)
{
    touch();
    forget_old_paths();
    auto const number = ++numbers_;
    try {
        what.on.on_disconnect([self = weak_from_this(), number] {
            if (auto const alive = self.lock())
                alive->on_exchange_gone(number);
        });
        static_cast<reply_path&>(path(number)) = std::move(what);
    } catch (std::bad_alloc const&) {
        if (owner_ && has_single_requests())
            owner_->forget(*this);
        throw;
    }
    return number;
}

LINKSPAN_DECL void http_peer::discard_request(std::uint64_t number)
{
    requests_.remove();
    discard_path(number);
}

LINKSPAN_DECL void http_peer::discard_path(std::uint64_t number)
{
    held_bodies_.erase(number);
    reply_paths_.erase(number);
    if (owner_ && has_single_requests())
        owner_->forget(*this);
}

LINKSPAN_DECL void http_peer::open_sse(http_exchange on)
{
    try {
        path(0).on = on;
        on.on_disconnect([self = weak_from_this()] {
            if (auto const alive = self.lock())
                alive->on_exchange_gone(0);
        });
        on.begin_stream();
        auto const place = "/message?sessionId=" + id_;
        on.event({.data = place, .type = "endpoint"});
    } catch (std::bad_alloc const&) {
        owner_->forget(*this);
        throw;
    }
}

LINKSPAN_DECL int http_peer::listen(http_exchange on, std::string_view last_event)
{
    touch();
    std::uint64_t number = 0;
    std::optional<std::vector<resume_log::event>> missed;
    if (!last_event.empty() && has_ids()) {
        auto const at = resume_log::read_id(last_event);
        if (at && reply_paths_.contains(at->stream))
            missed = log_.after(*at, time_.now());
        if (!missed)
            return 400;
        number = at->stream;
        path(number).on.end();
    } else if (!path(0).on.is_over()) {
        return 409;
    }
    auto& back = path(number);
    back.on = on;
    try {
        on.on_disconnect([self = weak_from_this()] {
            if (auto const alive = self.lock())
                alive->touch();
        });
        on.begin_stream(back.fields);
        if (missed) {
            back.queue.clear(); // the log has these events too
            for (auto const& each : *missed)
                back.queue.push_back({std::to_string(each.stream) + "-" + std::to_string(each.number), *each.data});
        } else if (has_ids() && !back.is_primed) {
            back.queue.push_front({log_.add(number, {}, time_.now()), {}});
            back.is_primed = true;
        }
        pump(number);
    } catch (std::bad_alloc const&) {
        on.cut();
    }
    return 0;
}

LINKSPAN_DECL http_exchange* http_peer::http(std::uint64_t number)
{
    auto const found = reply_paths_.find(kind_ == kind::sse ? 0 : number);
    return found == reply_paths_.end() || found->second.on.is_over() ? nullptr : &found->second.on;
}

LINKSPAN_DECL http_exchange::fields_type http_peer::fields(std::uint64_t number) const
{
    auto const found = reply_paths_.find(kind_ == kind::sse ? 0 : number);
    return found == reply_paths_.end() ? http_exchange::fields_type() : found->second.fields;
}

LINKSPAN_DECL std::size_t http_peer::unread_bytes(std::uint64_t number) const noexcept
{
    auto const found = reply_paths_.find(kind_ == kind::sse ? 0 : number);
    if (found == reply_paths_.end())
        return 0;
    return found->second.on.unwritten_bytes() + found->second.queue.bytes();
}

LINKSPAN_DECL void http_peer::end_exchange(std::uint64_t number)
{
    auto const found = reply_paths_.find(number);
    if (number == 0 || found == reply_paths_.end() || !has_ids() || version_ < protocol_version::v2025_11_25)
        return;
    begin(number, found->second);
    found->second.on.end();
}

LINKSPAN_DECL void http_peer::end_without_response(std::uint64_t number)
{
    if (!owner_)
        return; // the service, which has the options, may be destroyed
    requests_.remove();
    if (!held_bodies_.empty())
        release_body(number);
    auto const found = reply_paths_.find(number);
    if (found == reply_paths_.end() || found->second.awaited == 0 || --found->second.awaited != 0)
        return;
    begin(number, found->second);
    found->second.is_over = true;
    pump(number);
}

LINKSPAN_DECL void http_peer::post(std::string_view message, std::uint64_t number)
{
    touch();
    if (!receive_ || !received_.empty() || is_over_) {
        received_.emplace_back(message, number);
        try {
            return flush();
        } catch (std::bad_alloc const&) { // the message must not be passed later
            if (!received_.empty())
                received_.pop_back();
            throw;
        }
    }
    inbound const only = inbound_message{.bytes = message, .stream = number};
    deliver({&only, 1});
}

LINKSPAN_DECL void http_peer::end()
{
    is_over_ = true;
    requests_.clear();
    held_bodies_.clear();
    discard_events();
    try {
        flush();
    } catch (std::bad_alloc const&) { // the requests in these messages would be cancelled
        received_.clear();
        flush();
    }
}

LINKSPAN_DECL void http_peer::end_streams()
{
    for (auto& [number, back] : reply_paths_)
        try {
            if (back.on.has_begun() || back.awaited == 0)
                back.on.end();
            else
                back.on.respond(kind_ == kind::session ? 404 : 503); // a session that does not exist any more
        } catch (std::bad_alloc const&) {
            back.on.cut();
        }
}

LINKSPAN_DECL void http_peer::close()
{
    end();
    end_streams();
    if (owner_)
        owner_->forget(*this);
}

LINKSPAN_DECL void http_peer::abandon()
{
    owner_ = nullptr;
    receiver const dying = std::exchange(receive_, {});
}

LINKSPAN_DECL void http_peer::receive(receiver done)
{
    if (!owner_)
        return;
    receive_ = std::move(done);
    if (is_over_ || !received_.empty())
        asio::post(executor_, [self = shared_from_this()] { self->flush(); });
    try {
        begin_streams();
    } catch (std::bad_alloc const&) { // the first event begins the stream
    }
}

LINKSPAN_DECL void http_peer::flush()
{
    if (!receive_ || (received_.empty() && !is_over_))
        return;
    std::vector<inbound> messages;
    messages.reserve(received_.size());
    auto const batch = std::exchange(received_, {});
    for (auto const& [message, number] : batch)
        messages.push_back(inbound_message{.bytes = message, .stream = number});
    deliver(messages);
}

LINKSPAN_DECL void http_peer::deliver(std::span<inbound const> messages)
{
    auto const self = shared_from_this();
    auto const done = std::exchange(receive_, {});
    done(is_over_ ? error_code(asio::error::eof) : error_code(), messages);
}

LINKSPAN_DECL void http_peer::begin_streams()
{
    for (auto& [number, back] : reply_paths_)
        if (number != 0 && back.awaited != 0 && !back.is_plain && !back.is_primed && !back.on.is_over() &&
            !back.on.has_begun())
            begin(number, back);
}

LINKSPAN_DECL void http_peer::begin(std::uint64_t number, queued_path& which)
{
    if (which.is_primed)
        return;
    which.on.begin_stream(which.fields);
    which.is_primed = true;
    if (has_ids())
        add_event(number, which, {});
    if (options_.ends_after_first_event && has_ids() && version_ >= protocol_version::v2025_11_25)
        which.on.end(); // clients of earlier versions expect the response on this stream
}

LINKSPAN_DECL void http_peer::release_body(std::uint64_t number) noexcept
{
    auto const found = reply_paths_.find(number);
    if (found == reply_paths_.end() || found->second.awaited <= 1)
        held_bodies_.erase(number);
}

LINKSPAN_DECL void http_peer::send_to_client(std::string_view bytes, std::uint64_t number)
{
    if (!owner_)
        return;
    auto const message = owner_->read(bytes);
    if (message.is_response() && number != 0)
        requests_.remove(); // also if the connection of the request was lost
    if (message.is_response() && !held_bodies_.empty())
        release_body(number);
    http_exchange of_response;
    try {
        write(message, bytes, number, of_response);
    } catch (std::bad_alloc const&) {
        lose(message, bytes, number, of_response);
    }
}

LINKSPAN_DECL void http_peer::write(envelope const& message, std::string_view bytes, std::uint64_t number,
                                    http_exchange& of_response)
{
    bool const is_response = message.is_response();
    if ((kind_ == kind::session || kind_ == kind::sse) && !version_ && is_response)
        read_agreed_version(message);
    if (kind_ == kind::sse || (message.what == envelope::kind::request && options_.requests_on_get))
        number = 0;
    auto found = reply_paths_.find(number);
    if (number == 0 && has_single_requests())
        found = std::ranges::find_if(reply_paths_, [](auto const& entry) { return entry.second.listens; });
    else if (number == 0)
        found = reply_paths_.try_emplace(0, waiting_bytes_).first;
    if (found == reply_paths_.end())
        return;
    auto& back = found->second;
    number = found->first;
    if (is_response && back.awaited != 0)
        --back.awaited;
    bool const is_last = number != 0 && is_response && back.awaited == 0;
    auto const code = read_failure(message.error).code;
    auto const status = has_single_requests() && code != 0 ? http_serving::status_of_error(code) : 200;
    if (is_last && !back.is_primed && (back.is_plain || status != 200)) {
        of_response = back.on;
        auto const fields = std::move(back.fields);
        forget(number);
        return of_response.respond(status, fields, bytes);
    }
    if (number != 0)
        begin(number, back);
    back.is_over = is_last;
    std::string data(bytes);
    std::ranges::replace(data, '\r', ' '); // would end a line of the event; only between tokens of JSON
    bool const is_change =
        message.method.ends_with("/list_changed") || message.method == "notifications/resources/updated";
    if (is_change && back.queue.contains(data))
        return; // the client will receive the same notification, because it has no stream yet
    if (has_ids() && back.on.is_over() &&
        data.size() > std::min(options_.session_limits.resume.max_bytes, max_kept_message(data.size()))) {
        if (!is_response)
            return refuse_in_place_of_client(data);
        data = refusal_of_long_response(message, data.size());
    }
    add_event(number, back, std::move(data));
}

// Reads the protocol version from the response to `initialize`. An error response ends the session. Over HTTP+SSE, the
// client can send `initialize` again, and the first response may be one to another request.
LINKSPAN_DECL void http_peer::read_agreed_version(envelope const& response)
{
    auto const agreed = json_scan::quoted(json_scan::member(response.result, "protocolVersion"));
    if (kind_ == kind::sse)
        version_ = protocol_version_from(agreed.value_or(""));
    else if (response.what == envelope::kind::result)
        version_ = protocol_version_from(agreed.value_or("")).value_or(newest(era::handshake));
    else
        owner_->forget(*this);
}

LINKSPAN_DECL void http_peer::drop() noexcept
{
    for (auto& [number, back] : reply_paths_)
        back.on.cut();
    if (owner_)
        owner_->forget(*this);
}

LINKSPAN_DECL void http_peer::on_exchange_gone(std::uint64_t number)
{
    touch();
    if (owner_ && (has_single_requests() || kind_ == kind::sse)) {
        owner_->forget(*this);
    } else if (!has_ids()) {
        reply_paths_.erase(number);
        count_kept();
    }
}

LINKSPAN_DECL void http_peer::forget(std::uint64_t number)
{
    reply_paths_.erase(number);
    if (owner_ && kind_ == kind::stateless)
        owner_->release(*this);
    else if (owner_ && kind_ == kind::single)
        owner_->forget(*this);
}

} // namespace linkspan::detail

#endif
