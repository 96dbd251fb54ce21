#ifndef LINKSPAN_TEST_IMPL_HTTP_WEB_IPP
#define LINKSPAN_TEST_IMPL_HTTP_WEB_IPP

#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/http_web.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL std::string http_web::url()
{
    if (listener_.port() == 0) {
        error_code ec;
        listener_.listen(ec);
        if (ec)
            throw boost::system::system_error(ec, "http_server");
    }
    return "http://127.0.0.1:" + std::to_string(listener_.port()) +
           (options_.sse_path.empty() ? options_.path : options_.sse_path);
}

LINKSPAN_DECL std::size_t http_web::sessions() const noexcept
{
    return static_cast<std::size_t>(
        std::ranges::count_if(peers_, [](auto const& peer) { return !peer->id().empty(); }));
}

LINKSPAN_DECL void http_web::discard_sessions()
{
    for (auto const& peer : std::vector(peers_))
        if (!peer->id().empty()) {
            peer->end_streams();
            forget(*peer);
        }
}

LINKSPAN_DECL void http_web::forget(http_peer& peer)
{
    auto const found = std::ranges::find(peers_, &peer, &std::shared_ptr<http_peer>::get);
    if (found == peers_.end())
        return;
    ended_.push_back(*found);
    peers_.erase(found);
    asio::post(executor_, [weak = std::weak_ptr(ended_.back())] {
        if (auto const ended = weak.lock())
            ended->end();
    });
}

LINKSPAN_DECL void http_web::on_request(http_server_request&& what, http_exchange with)
{
    requests_.push_back(what);
    sweep();
    auto const matches = [&](fixed_response const& one) {
        return one.method == what.method && what.body.find(one.part) != one.part.npos;
    };
    if (auto const found = std::ranges::find_if(fixed_responses, matches); found != fixed_responses.end()) {
        auto const instead = std::move(*found);
        fixed_responses.erase(found);
        return with.respond(instead.status, instead.fields, instead.body);
    }
    if (first && first(what, with))
        return;
    if (options_.sse_path.empty())
        serve(what, with);
    else
        serve_sse(what, with);
}

LINKSPAN_DECL void http_web::sweep()
{
    std::erase_if(ended_, [](auto const& peer) { return peer.use_count() == 1; });
    for (auto const& peer : std::vector(peers_))
        if (peer->what() == kind::single && !peer->http(1))
            forget(*peer);
}

LINKSPAN_DECL http_serving http_web::serving()
{
    http_serving::options with;
    with.protocol_versions = server_.script_->dialogue.protocol_versions;
    with.path = options_.path;
    with.origins = options_.origins;
    with.hosts = options_.hosts;
    with.port = listener_.port();
    with.sessions = options_.sessions;
    with.get_stream = options_.get_stream;
    with.delete_session = options_.delete_session;
    with.session = [this](std::string_view id) {
        auto const* const peer = find(id);
        return peer ? peer->version() : std::nullopt;
    };
    with.mirrored = [this](std::string_view tool) -> mirrored_arguments const* {
        auto const* const declared = server_.find(tool);
        mirrored_ = read_mirrored_arguments(declared ? declared->input_schema : "{}");
        return &mirrored_;
    };
    return http_serving(std::move(with));
}

LINKSPAN_DECL void http_web::serve(http_server_request const& what, http_exchange with)
{
    using verdict = http_serving::verdict::kind;
    auto const fields = fields_of(what);
    auto const found = serving().decide({what.method, what.target, fields, what.body});
    switch (found.what) {
    case verdict::refuse: {
        http_exchange::fields_type more;
        for (auto const& [name, value] : found.fields)
            more.push_back({name, value});
        return with.respond(found.status, more, found.body);
    }
    case verdict::initialize: return take(*initialize(), what.body, found.message, with);
    case verdict::message: return take(*peer_of(found), what.body, found.message, with);
    case verdict::batch: return take_batch(*peer_of(found), what.body, with);
    case verdict::open_stream: return peer_of(found)->listen(with, found.last_event);
    case verdict::end_session:
        find(found.session)->end_streams();
        forget(*find(found.session));
        return with.respond(200);
    }
}

LINKSPAN_DECL void http_web::take(http_peer& peer, std::string_view body, envelope const& message, http_exchange with)
{
    if (message.what != envelope::kind::request) {
        with.respond(202);
        peer.post(body, 0);
        if (peer.what() == kind::single)
            forget(peer);
        return;
    }
    http_peer::reply_path back{.on = with, .awaited = 1};
    back.listens = message.method == "subscriptions/listen";
    back.is_plain = options_.response_form == http_server_options::form::json && !back.listens;
    if (message.method == "initialize" && !peer.id().empty())
        back.fields.push_back({"Mcp-Session-Id", peer.id()});
    peer.post(body, peer.open(std::move(back)));
}

LINKSPAN_DECL void http_web::take_batch(http_peer& peer, std::string_view body, http_exchange with)
{
    std::size_t awaited = 0;
    for (json_scan::reader in(body); auto const one = in.next();)
        awaited += read_envelope(one->value).what == envelope::kind::request;
    std::uint64_t number = 0;
    if (awaited != 0)
        number = peer.open({.on = with, .awaited = awaited});
    else
        with.respond(202);
    for (json_scan::reader in(body); auto const one = in.next();)
        peer.post(one->value, number);
}

LINKSPAN_DECL std::vector<http_serving::field> http_web::fields_of(http_server_request const& what)
{
    std::vector<http_serving::field> out;
    for (auto const& [name, value] : what.fields)
        out.push_back({name, value});
    return out;
}

LINKSPAN_DECL void http_web::serve_sse(http_server_request const& what, http_exchange with)
{
    auto const fields = fields_of(what);
    if (!serving().has_allowed_origin({what.method, what.target, fields, what.body}))
        return with.respond(403);
    std::string_view const target = what.target;
    constexpr std::string_view posts = "/message?sessionId=";
    if (what.method == "GET" && target == options_.sse_path)
        return add(kind::sse, draw_id(), {})->open_sse(with);
    if (what.method != "POST" || !target.starts_with(posts))
        return with.respond(404, {{"Content-Type", "text/html"}}, "<!DOCTYPE html><pre>Cannot serve that</pre>");
    auto* const peer = find(target.substr(posts.size()));
    if (!peer)
        return with.respond(404, {{"Content-Type", "text/plain"}}, "Session not found");
    with.respond(202, {{"Content-Type", "text/plain"}}, "Accepted");
    peer->post(what.body, 0);
}

LINKSPAN_DECL std::string http_web::draw_id()
{
    std::string id;
    auto& chance = time_source::of(executor_);
    while (id.size() < 32)
        for (auto bits = chance.draw(); bits != 0 && id.size() < 32; bits >>= 4)
            id += "0123456789abcdef"[bits & 15];
    return id;
}

LINKSPAN_DECL http_peer* http_web::find(std::string_view id)
{
    auto const found = std::ranges::find(peers_, id, [](auto const& peer) { return std::string_view(peer->id()); });
    return id.empty() || found == peers_.end() ? nullptr : found->get();
}

LINKSPAN_DECL std::shared_ptr<http_peer> http_web::initialize()
{
    return options_.sessions ? add(kind::session, draw_id(), {}) : add(kind::single, {}, {});
}

LINKSPAN_DECL std::shared_ptr<http_peer> http_web::peer_of(http_serving::verdict const& found)
{
    if (traits_of(found.version).era == era::stateless)
        return add(kind::single, {}, {});
    if (auto* const session = find(found.session))
        return session->shared_from_this();
    auto const is_it = [&](auto const& peer) {
        return peer->what() == kind::without_session && peer->version() == found.version;
    };
    auto const known = std::ranges::find_if(peers_, is_it);
    return known != peers_.end() ? *known : add(kind::without_session, {}, found.version);
}

LINKSPAN_DECL std::shared_ptr<http_peer> http_web::add(kind what, std::string id,
                                                       std::optional<protocol_version> version)
{
    auto peer = std::make_shared<http_peer>(*this, executor_, options_, what, std::move(id), version);
    peers_.push_back(peer);
    auto const connection = server_.connect(executor_, any_transport::make<http_peer_transport>(executor_, {peer}));
    connection->http_of = [weak = std::weak_ptr(peer)](std::uint64_t number) {
        auto const alive = weak.lock();
        return alive ? alive->http(number) : nullptr;
    };
    if (version)
        connection->set_protocol_versions({*version});
    connection->run();
    return peer;
}

} // namespace linkspan::test::detail

#endif
