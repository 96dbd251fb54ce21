#ifndef LINKSPAN_TEST_IMPL_HTTP_PEER_IPP
#define LINKSPAN_TEST_IMPL_HTTP_PEER_IPP

#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/http_peer.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL std::uint64_t http_peer::open(reply_path what)
{
    auto const number = ++numbers_;
    auto on = what.on;
    reply_paths_[number] = std::move(what);
    on.on_disconnect([self = weak_from_this(), number] {
        if (auto const alive = self.lock())
            alive->on_exchange_gone(number);
    });
    return number;
}

LINKSPAN_DECL void http_peer::open_sse(http_exchange on)
{
    reply_paths_[0].on = on;
    on.begin_stream();
    auto const place = "/message?sessionId=" + id_;
    on.event({.data = place, .type = "endpoint"});
    on.on_disconnect([self = weak_from_this()] {
        if (auto const alive = self.lock())
            alive->on_exchange_gone(0);
    });
}

LINKSPAN_DECL void http_peer::listen(http_exchange on, std::string_view last_event)
{
    std::uint64_t number = 0;
    auto& unasked = reply_paths_[0];
    if (!last_event.empty() && options_.resumable) {
        auto const dash = std::min(last_event.find('-'), last_event.size() - 1);
        auto const stream = json_scan::integer(last_event.substr(0, dash));
        auto const event = json_scan::integer(last_event.substr(dash + 1));
        number = static_cast<std::uint64_t>(stream.value_or(-1));
        auto const found = reply_paths_.find(number);
        if (!stream || !event || found == reply_paths_.end())
            return on.respond(400);
        found->second.on.end();
        found->second.next = std::min(found->second.events.size(), static_cast<std::size_t>(*event) + 1);
    } else if (!unasked.on.is_over()) {
        return on.respond(409);
    }
    auto& back = reply_paths_[number];
    back.on = on;
    on.begin_stream(back.fields);
    prime(back);
    pump(number);
}

LINKSPAN_DECL http_exchange* http_peer::http(std::uint64_t number)
{
    auto const found = reply_paths_.find(kind_ == kind::sse ? 0 : number);
    return found == reply_paths_.end() || found->second.on.is_over() ? nullptr : &found->second.on;
}

LINKSPAN_DECL void http_peer::post(std::string_view message, std::uint64_t number)
{
    received_.emplace_back(message, number);
    flush();
}

LINKSPAN_DECL void http_peer::end()
{
    is_over_ = true;
    flush();
}

LINKSPAN_DECL void http_peer::end_streams()
{
    for (auto& [number, back] : reply_paths_)
        back.on.end();
}

LINKSPAN_DECL void http_peer::abandon()
{
    web_ = nullptr;
    receiver const dying = std::exchange(receive_, {});
}

LINKSPAN_DECL void http_peer::receive(receiver done)
{
    if (!web_)
        return;
    receive_ = std::move(done);
    begin_streams();
    if (is_over_ || !received_.empty())
        asio::post(executor_, [self = shared_from_this()] { self->flush(); });
}

LINKSPAN_DECL void http_peer::flush()
{
    if (!receive_ || (received_.empty() && !is_over_))
        return;
    auto const self = shared_from_this();
    auto const done = std::exchange(receive_, {});
    auto const batch = std::exchange(received_, {});
    std::vector<inbound> messages;
    for (auto const& [message, number] : batch)
        messages.push_back(inbound_message{.bytes = message, .stream = number});
    done(is_over_ ? error_code(asio::error::eof) : error_code(), messages);
}

LINKSPAN_DECL void http_peer::begin_streams()
{
    for (auto& [number, back] : reply_paths_)
        if (number != 0 && back.awaited != 0 && !back.is_plain && !back.is_primed && !back.on.is_over() &&
            !back.on.has_begun())
            begin(number, back);
}

LINKSPAN_DECL void http_peer::begin(std::uint64_t number, reply_path& which)
{
    if (which.is_primed)
        return;
    which.on.begin_stream(which.fields);
    prime(which);
    pump(number);
    if (options_.ends_after_first_event && options_.resumable && kind_ != kind::single)
        which.on.end();
}

LINKSPAN_DECL void http_peer::prime(reply_path& which)
{
    if (!std::exchange(which.is_primed, true) && options_.resumable && kind_ != kind::single)
        which.events.emplace_back();
}

LINKSPAN_DECL void http_peer::pump(std::uint64_t number)
{
    auto& which = reply_paths_[number];
    bool const has_ids = options_.resumable && kind_ != kind::single && kind_ != kind::sse;
    for (; which.next != which.events.size() && !which.on.is_over(); ++which.next) {
        auto const& data = which.events[which.next];
        auto const id = has_ids ? std::to_string(number) + "-" + std::to_string(which.next) : std::string();
        http_server_event event{.data = data, .id = id, .writes_empty_data = data.empty()};
        if (data.empty())
            event.retry = options_.retry;
        else
            event.type = "message";
        which.on.event(event);
    }
    if (which.is_over && which.next == which.events.size())
        which.on.end();
    if (which.is_over && !has_ids)
        forget(number);
}

LINKSPAN_DECL void http_peer::send_to_client(std::string_view bytes, std::uint64_t number)
{
    auto const message = read_envelope(bytes);
    bool const is_response = message.what == envelope::kind::result || message.what == envelope::kind::error;
    if (!web_)
        return;
    if (kind_ == kind::session && !version_ && is_response)
        read_agreed_version(message);
    if (kind_ == kind::sse || (message.what == envelope::kind::request && options_.requests_on_get))
        number = 0;
    auto found = reply_paths_.find(number);
    if (number == 0 && kind_ == kind::single)
        found = std::ranges::find_if(reply_paths_, [](auto const& entry) { return entry.second.listens; });
    else if (number == 0)
        found = reply_paths_.try_emplace(0).first;
    if (found == reply_paths_.end())
        return;
    auto& back = found->second;
    number = found->first;
    if (is_response && back.awaited != 0)
        --back.awaited;
    bool const is_last = number != 0 && is_response && back.awaited == 0;
    auto const code = read_failure(message.error).code;
    auto const status = kind_ == kind::single && code != 0 ? http_serving::status_of_error(code) : 200;
    if (is_last && !back.is_primed && (back.is_plain || status != 200)) {
        auto on = back.on;
        auto const fields = std::move(back.fields);
        forget(number);
        return on.respond(status, fields, bytes);
    }
    if (number != 0)
        begin(number, back);
    back.is_over = is_last;
    back.events.emplace_back(bytes);
    pump(number);
}

// Reads the protocol version from the response to `initialize`. An error response ends the session.
LINKSPAN_DECL void http_peer::read_agreed_version(envelope const& response)
{
    auto const agreed = json_scan::quoted(json_scan::member(response.result, "protocolVersion"));
    if (response.what == envelope::kind::result)
        version_ = protocol_version_from(agreed.value_or("")).value_or(newest(era::handshake));
    else
        web_->forget(*this);
}

LINKSPAN_DECL void http_peer::drop()
{
    for (auto& [number, back] : reply_paths_)
        back.on.cut();
    if (web_)
        web_->forget(*this);
}

LINKSPAN_DECL void http_peer::on_exchange_gone(std::uint64_t number)
{
    if (web_ && (kind_ == kind::single || kind_ == kind::sse))
        web_->forget(*this);
    else if (!options_.resumable)
        reply_paths_.erase(number);
}

LINKSPAN_DECL void http_peer::forget(std::uint64_t number)
{
    reply_paths_.erase(number);
    if (web_ && kind_ == kind::single)
        web_->forget(*this);
}

} // namespace linkspan::test::detail

#endif
