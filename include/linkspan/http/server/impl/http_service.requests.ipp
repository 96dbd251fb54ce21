#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_REQUESTS_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_REQUESTS_IPP

#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/http/server/http_service.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>

// Requests that passed the authentication.
namespace linkspan::inline LINKSPAN_ABI {
namespace detail::serving {

// Returns the number of messages of a batch to which a server responds.
inline std::size_t responses_to_batch(std::string_view body)
{
    std::size_t out = 0;
    for (json_scan::reader in(body); auto const one = in.next();)
        out += read_envelope(one->value).has_response();
    return out;
}

} // namespace detail::serving

LINKSPAN_DECL void http_service::refuse(http_exchange& with, int status, http_exchange::fields_type const& fields,
                                        std::string_view body)
{
    if (status == 403)
        ++counters_.forbidden;
    else
        ++(status == 429 || status == 503 ? counters_.over_limit : counters_.refused);
    with.respond(status, fields, body);
}

LINKSPAN_DECL void http_service::serve_streamable(http_server_request const& what, http_exchange& with,
                                                  detail::http_remote& from)
{
    using action = http_serving::verdict::kind;
    auto const found = serving().decide(what.head, what.body, from.principal);
    switch (found.what) {
    case action::refuse: {
        http_exchange::fields_type more;
        for (auto const& [name, value] : found.fields)
            more.push_back({name, value});
        return refuse(with, found.status, more, found.body);
    }
    case action::escaped: {
        auto plain = what;
        plain.body = found.body;
        return serve_streamable(plain, with, from);
    }
    case action::initialize:
        if (!requests_.has_place(from.requests))
            return refuse_excess(with);
        if (!options_.sessions) {
            from.count_request();
            return take(add(kind::single, {}, {}, from), what.body, found.message, with);
        }
        if (auto const peer = add_session(kind::session, with, from))
            take(peer, what.body, found.message, with);
        return;
    case action::message:
        if (found.message.what == envelope::kind::request && traits_of(found.version).era == era::stateless) {
            if (!requests_.has_place(from.requests))
                return refuse_excess(with);
            from.count_request();
        }
        return take(peer_of(found, from), what.body, found.message, with);
    case action::batch: return take_batch(peer_of(found, from), what.body, with);
    case action::open_stream: {
        auto const peer = peer_of(found, from);
        auto const status = peer ? peer->listen(with, found.last_event) : 503;
        return status == 0 ? void() : refuse(with, status);
    }
    case action::end_session: {
        auto& ended = *sessions_.find(found.session, from.principal);
        ended.end_streams();
        forget(ended);
        return with.respond(200);
    }
    }
}

LINKSPAN_DECL http_service::peer_pointer http_service::peer_of(http_serving::verdict const& found,
                                                               detail::http_remote const& from)
{
    if (traits_of(found.version).era == era::stateless)
        return stateless_peer(from, found.message.method);
    if (auto* const session = sessions_.find(found.session, from.principal))
        return session->shared_from_this();
    auto const known = without_session_.find({found.version, from.account});
    if (known != without_session_.end())
        return known->second->shared_from_this();
    constexpr std::size_t max_without_session = 1'024;
    if (without_session_.size() >= max_without_session && !forget_oldest_without_session())
        return nullptr;
    return add(kind::without_session, {}, found.version, from, nullptr, found.message.method);
}

// Forgets the client without a session whose last request is the oldest, if it has no outstanding request. Otherwise a
// client with many addresses could use up the memory.
LINKSPAN_DECL bool http_service::forget_oldest_without_session()
{
    detail::http_peer* oldest = nullptr;
    for (auto const& [key, peer] : without_session_)
        if (peer->is_idle_since(time_point::max()) && (!oldest || peer->last_used() < oldest->last_used()))
            oldest = peer;
    if (oldest)
        forget(*oldest);
    return oldest != nullptr;
}

// The account also identifies the principal.
LINKSPAN_DECL http_service::peer_pointer http_service::stateless_peer(detail::http_remote const& from,
                                                                      std::string_view method)
{
    auto const is_of = [&from](auto const* peer) { return !peer->is_closing() && peer->account() == from.account; };
    auto const found = std::find_if(idle_.rbegin(), idle_.rend(), is_of);
    if (found == idle_.rend() || !backend_.reuses_clients())
        return add(kind::stateless, {}, {}, from, nullptr, method);
    auto const peer = (*found)->shared_from_this();
    idle_.erase(std::prev(found.base()));
    return peer;
}

LINKSPAN_DECL http_service::peer_pointer
http_service::register_client(peer_pointer const& peer, std::optional<protocol_version> agreed,
                              detail::http_remote const& from, principal_quota::place place, std::string_view method)
{
    auto const what = peer->what();
    if (place)
        sessions_.add(*peer, std::move(place));
    if (what == kind::without_session)
        without_session_.emplace(std::pair(*agreed, from.account), peer.get());
    auto const exchange_of = [weak = std::weak_ptr(peer)](std::uint64_t number) {
        auto const alive = weak.lock();
        return alive ? alive->http(number) : nullptr;
    };
    auto const fields_of = [weak = std::weak_ptr(peer)](std::uint64_t number) {
        auto const alive = weak.lock();
        return alive ? alive->fields(number) : http_exchange::fields_type();
    };
    auto const end_exchange = [weak = std::weak_ptr(peer)](std::uint64_t number) {
        if (auto const alive = weak.lock())
            alive->end_exchange(number);
    };
    auto const unread_bytes = [weak = std::weak_ptr(peer)](std::uint64_t number) {
        auto const alive = weak.lock();
        return alive ? alive->unread_bytes(number) : std::size_t{0};
    };
    http_client client{any_transport::make<detail::http_peer_transport>(executor_, {peer}),
                       from.principal,
                       from.account,
                       agreed,
                       exchange_of,
                       fields_of,
                       end_exchange,
                       unread_bytes,
                       method};
    if (!backend_.on_client(std::move(client))) {
        forget(*peer);
        return nullptr;
    }
    if (what != kind::stateless)
        arm_search();
    return peer;
}

LINKSPAN_DECL void http_service::take(peer_pointer const& peer, std::string_view body, envelope const& message,
                                      http_exchange& with)
{
    if (!peer)
        return refuse(with, 503);
    if (message.what != envelope::kind::request) {
        with.respond(202);
        auto const alive = std::weak_ptr(alive_);
        try { // a handler may destroy this object
            peer->post(body, 0);
        } catch (std::bad_alloc const&) { // a notification of the client, or a response, is discarded
        }
        if (!alive.expired() && peer->what() == kind::stateless)
            release(*peer);
        return;
    }
    if (!requests_.has_place(peer->requests().of_account()))
        return refuse_excess(with);
    detail::http_peer::reply_path back{.on = with, .awaited = 1};
    back.listens = message.method == "subscriptions/listen";
    back.is_plain = options_.response_form == http_service_options::form::json && !back.listens;
    if (message.method == "initialize" && !peer->id().empty())
        back.fields.push_back({"Mcp-Session-Id", peer->id()});
    auto const number = peer->open(std::move(back));
    peer->requests().add(1);
    try {
        if (body.size() > detail::kept_text)
            peer->hold_body(number, with.body_share());
        peer->post(body, number);
    } catch (std::bad_alloc const&) {
        peer->discard_request(number);
        throw;
    }
}

LINKSPAN_DECL void http_service::take_batch(peer_pointer const& peer, std::string_view body, http_exchange& with)
{
    constexpr std::size_t max_messages = 1'000;
    if (!peer)
        return refuse(with, 503);
    std::size_t messages = 0;
    for (json_scan::reader in(body); in.next();)
        ++messages;
    if (messages > max_messages)
        return refuse(with, 400, {}, server_dialogue::failure("null", -32600, "Invalid Request: too many messages"));
    auto const awaited = detail::serving::responses_to_batch(body);
    if (!requests_.is_possible(peer->requests().of_account(), awaited))
        return refuse(with, 400, {}, server_dialogue::failure("null", -32600, "Invalid Request: too many requests"));
    if (!requests_.has_place(peer->requests().of_account(), awaited))
        return refuse_excess(with);
    std::uint64_t number = 0;
    if (awaited != 0)
        number = peer->open({.on = with, .awaited = awaited});
    else
        with.respond(202);
    peer->requests().add(awaited);
    std::size_t posted = 0;
    try {
        if (number != 0 && body.size() > detail::kept_text)
            peer->hold_body(number, with.body_share());
        for (json_scan::reader in(body); auto const one = in.next(); ++posted)
            peer->post(one->value, number);
    } catch (std::bad_alloc const&) {
        if (number == 0)
            return; // notifications, which are discarded; the client has the status of this request already
        std::size_t at = 0;
        for (json_scan::reader in(body); auto const one = in.next(); ++at)
            if (at >= posted && read_envelope(one->value).has_response())
                peer->requests().remove();
        peer->discard_path(number);
        throw;
    }
}

// The POST of a message has a response at once, so that the peer of the event stream counts the requests, and not the
// connection. The server refuses a whole batch with one error response, unless the protocol version has batches.
LINKSPAN_DECL void http_service::serve_sse(http_server_request const& what, http_exchange& with,
                                           detail::http_remote const& from)
{
    if (!serving().has_allowed_origin(what.head))
        return refuse(with, 403);
    auto const target = what.target();
    constexpr std::string_view posts = "/message?sessionId=";
    if (what.method() == "GET" && target == options_.sse_path) {
        if (auto const peer = add_session(kind::sse, with, from))
            peer->open_sse(with);
        return;
    }
    if (what.method() != "POST" || !target.starts_with(posts))
        return refuse(with, 404, {{"Content-Type", "text/html"}}, "<!DOCTYPE html><pre>Cannot serve that</pre>");
    auto* const peer = sessions_.find(target.substr(posts.size()), from.principal);
    if (!peer)
        return refuse(with, 404, {{"Content-Type", "text/plain"}}, "Session not found");
    // The requests are counted as they are executed, after names with escapes are read again.
    auto const plain = has_escaped_names(what.body) ? with_plain_names(what.body) : std::nullopt;
    std::string_view const body = plain ? *plain : what.body;
    auto const message = read_envelope(body);
    bool const runs_batch =
        message.what == envelope::kind::batch && peer->version() && traits_of(*peer->version()).batches;
    auto const awaited =
        runs_batch ? detail::serving::responses_to_batch(body) : static_cast<std::size_t>(message.has_response());
    if (!requests_.is_possible(peer->requests().of_account(), awaited))
        return refuse(with, 400, {{"Content-Type", "text/plain"}}, "Too many requests in a batch");
    if (!requests_.has_place(peer->requests().of_account(), awaited))
        return refuse_excess(with);
    with.respond(202, {{"Content-Type", "text/plain"}}, "Accepted");
    peer->requests().add(awaited);
    try {
        peer->post(body, awaited != 0 ? peer->next_number() : 0);
    } catch (std::bad_alloc const&) { // the client has the status of this request already
        peer->drop();
    }
}

} // namespace linkspan

#endif
