#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_REQUESTS_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_REQUESTS_IPP

#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/http/server/http_service.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

// Requests that passed the authentication.
namespace linkspan::inline LINKSPAN_ABI {

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
                                                  std::string const& principal)
{
    using action = http_serving::verdict::kind;
    auto const found = serving().decide(what.head, what.body, principal);
    switch (found.what) {
    case action::refuse: {
        http_exchange::fields_type more;
        for (auto const& [name, value] : found.fields)
            more.push_back({name, value});
        return refuse(with, found.status, more, found.body);
    }
    case action::initialize:
        if (!options_.sessions)
            return take(add(kind::single, {}, {}, principal), what.body, found.message, with);
        if (auto const peer = add_session(kind::session, with, principal))
            take(peer, what.body, found.message, with);
        return;
    case action::message:
        if (found.message.what == envelope::kind::request && traits_of(found.version).era == era::stateless &&
            !count_request(with, principal))
            return refuse(with, 429, {{"Retry-After", "1"}});
        return take(peer_of(found, principal), what.body, found.message, with);
    case action::batch: return take_batch(peer_of(found, principal), what.body, with);
    case action::open_stream: {
        auto const peer = peer_of(found, principal);
        auto const status = peer ? peer->listen(with, found.last_event) : 503;
        return status == 0 ? void() : refuse(with, status);
    }
    case action::end_session: {
        auto& ended = *sessions_.find(found.session, principal);
        ended.end_streams();
        forget(ended);
        return with.respond(200);
    }
    }
}

LINKSPAN_DECL void http_service::take(peer_pointer const& peer, std::string_view body, envelope const& message,
                                      http_exchange& with)
{
    if (!peer)
        return refuse(with, 503);
    if (message.what != envelope::kind::request) {
        with.respond(202);
        auto const alive = std::weak_ptr(alive_);
        peer->post(body, 0); // a handler may destroy this object
        if (!alive.expired() && peer->what() == kind::stateless)
            release(*peer);
        return;
    }
    detail::http_peer::reply_path back{.on = with, .awaited = 1};
    back.listens = message.method == "subscriptions/listen";
    back.is_plain = options_.response_form == http_service_options::form::json && !back.listens;
    if (message.method == "initialize" && !peer->id().empty())
        back.fields.push_back({"Mcp-Session-Id", peer->id()});
    auto const number = peer->open(std::move(back));
    if (body.size() > detail::kept_text)
        peer->hold_body(number, with.body_share());
    peer->post(body, number);
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
    std::size_t awaited = 0; // an invalid element receives an error response
    for (json_scan::reader in(body); auto const one = in.next();) {
        auto const what = read_envelope(one->value).what;
        awaited +=
            what != envelope::kind::notification && what != envelope::kind::result && what != envelope::kind::error;
    }
    std::uint64_t number = 0;
    if (awaited != 0)
        number = peer->open({.on = with, .awaited = awaited});
    else
        with.respond(202);
    if (number != 0 && body.size() > detail::kept_text)
        peer->hold_body(number, with.body_share());
    for (json_scan::reader in(body); auto const one = in.next();)
        peer->post(one->value, number);
}

LINKSPAN_DECL void http_service::serve_sse(http_server_request const& what, http_exchange& with,
                                           std::string const& principal)
{
    if (!serving().has_allowed_origin(what.head))
        return refuse(with, 403);
    auto const target = what.target();
    constexpr std::string_view posts = "/message?sessionId=";
    if (what.method() == "GET" && target == options_.sse_path) {
        if (auto const peer = add_session(kind::sse, with, principal))
            peer->open_sse(with);
        return;
    }
    if (what.method() != "POST" || !target.starts_with(posts))
        return refuse(with, 404, {{"Content-Type", "text/html"}}, "<!DOCTYPE html><pre>Cannot serve that</pre>");
    auto* const peer = sessions_.find(target.substr(posts.size()), principal);
    if (!peer)
        return refuse(with, 404, {{"Content-Type", "text/plain"}}, "Session not found");
    with.respond(202, {{"Content-Type", "text/plain"}}, "Accepted");
    peer->post(what.body, 0);
}

} // namespace linkspan

#endif
