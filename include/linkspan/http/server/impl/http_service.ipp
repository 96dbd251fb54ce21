#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_IPP

#include <linkspan/core/detail/secure_random.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/http/server/detail/cors.hpp>
#include <linkspan/http/server/detail/http_remote.hpp>
#include <linkspan/http/server/http_service.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/pchars.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL http_service::http_service(asio::any_io_executor executor, http_service_backend& backend,
                                         http_service_options options)
    : owner(options.session_limits.max_all_kept_bytes),
      executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      backend_(backend),
      options_(std::move(options)),
      requests_(options_.client_limits.max_requests_per_principal),
      sessions_(options_.session_limits),
      listener_(executor_, *this,
                {.address = options_.address,
                 .port = options_.port,
                 .unix_socket = options_.unix_socket,
                 .max_connections = options_.max_connections,
                 .max_per_address = options_.client_limits.max_connections_per_address,
                 .limits = options_.limits,
                 .layer = options_.tls}),
      counters_(listener_.shared_counters())
{}

LINKSPAN_DECL http_service::~http_service()
{
    listener_.close();
    for (auto const& [number, peer] : peers_)
        peer->abandon();
    for (auto const& ended : ended_)
        if (auto const peer = ended.lock())
            peer->abandon();
}

LINKSPAN_DECL std::string http_service::url()
{
    bool const is_unix = !options_.unix_socket.empty();
    if (!listener_.is_listening()) {
        error_code ec;
        listener_.listen(ec);
        if (ec)
            throw boost::system::system_error(
                ec, "linkspan: cannot listen on " +
                        (is_unix ? "the Unix domain socket '" + options_.unix_socket + "'"
                                 : options_.address + " port " + std::to_string(options_.port)));
    }
    bool const is_sse = !options_.sse_path.empty() && !options_.serves_both;
    auto const& path = is_sse ? options_.sse_path : options_.path;
    if (is_unix) {
        auto const unreserved = boost::urls::pchars + '/';
        auto const encoded = [&](std::string const& text) { return boost::urls::encode(text, unreserved); };
        return "unix:" + encoded(options_.unix_socket) + (path == "/mcp" ? "" : "?path=" + encoded(path));
    }
    bool const is_v6 = options_.address.find(':') != options_.address.npos;
    return (options_.tls ? "https://" : "http://") + (is_v6 ? "[" + options_.address + "]" : options_.address) + ":" +
           std::to_string(listener_.port()) + path;
}

LINKSPAN_DECL std::size_t http_service::sessions() const noexcept { return sessions_.size(); }

LINKSPAN_DECL http_counters http_service::counters() const noexcept
{
    auto out = listener_.counters();
    out.sessions = sessions_.size();
    return out;
}

LINKSPAN_DECL void http_service::discard_sessions()
{
    for (auto* const peer : sessions_.all()) {
        peer->end_streams();
        forget(*peer);
    }
}

LINKSPAN_DECL void http_service::forget(detail::http_peer& peer) noexcept
{
    auto const found = peers_.find(peer.number());
    if (found == peers_.end())
        return;
    auto const ended = found->second;
    ended_.push_back(ended); // add() has reserved the memory
    peers_.erase(found);
    sessions_.remove(peer);
    std::erase(idle_, &peer);
    if (peer.what() == kind::without_session) // a key for find() would need memory
        std::erase_if(without_session_, [&peer](auto const& entry) { return entry.second == &peer; });
    try {
        // posted, because a function of the peer may be executing
        asio::post(executor_, [ended] { ended->end(); });
        if (is_search_armed_ && !needs_search())
            disarm_search();
    } catch (std::bad_alloc const&) {
        ended->delay_close();
    }
}

// The peers of the last requests are kept, because the next requests are probably of the same clients.
LINKSPAN_DECL void http_service::release(detail::http_peer& peer) noexcept
{
    if (!peers_.contains(peer.number()))
        return; // its connection was lost before its request ended
    if (peer.is_closing() || !backend_.reuses_clients())
        return forget(peer);
    if (idle_.size() == max_idle_)
        forget(*idle_.front());
    idle_.push_back(&peer);
}

// Searches at most once per second, so that a client whose messages have no room does not cause a search for each one.
LINKSPAN_DECL void http_service::discard_old_events() noexcept
{
    auto const now = time_.now();
    if (now < next_discard_)
        return;
    next_discard_ = now + std::chrono::seconds(1);
    for (auto const& [number, peer] : peers_)
        peer->discard_old_events();
}

LINKSPAN_DECL void http_service::on_request(http_server_request const& request, http_exchange exchange)
{
    ++counters_.requests;
    sweep();
    if (!options_.cors_origins.empty() && serve_other_origin(request, exchange))
        return;
    if (!backend_.intercept(request, exchange))
        admit(request, exchange);
}

// Browsers send preflight requests without credentials.
LINKSPAN_DECL bool http_service::serve_other_origin(http_server_request const& what, http_exchange& with)
{
    with.add_fields(detail::cors::response_fields(options_.cors_origins, what.head));
    if (!detail::cors::is_preflight(what.head) || !detail::cors::is_from(options_.cors_origins, what.head) ||
        !serving().has_allowed_origin(what.head))
        return false;
    with.respond(204, detail::cors::preflight_fields(what.head));
    return true;
}

LINKSPAN_DECL bool http_service::serve_metadata(http_server_request const& what, http_exchange& with) const
{
    constexpr std::string_view known = "/.well-known/oauth-protected-resource";
    auto const target = what.target();
    if (options_.protected_resource.empty() || what.method() != "GET" || !target.starts_with(known))
        return false;
    auto const rest = target.substr(known.size());
    if (!rest.empty() && rest != options_.path)
        return false;
    with.respond(200, {}, options_.protected_resource);
    return true;
}

LINKSPAN_DECL void http_service::serve(http_server_request const& what, http_exchange& with,
                                       std::string const& principal)
{
    auto* const from = with.remote();
    if (!from)
        return; // the client has disconnected
    identify(*from, principal);
    auto const target = what.target();
    bool const is_of_sse = target == options_.sse_path || target.starts_with("/message?");
    if (!options_.sse_path.empty() && (is_of_sse || !options_.serves_both))
        serve_sse(what, with, *from);
    else
        serve_streamable(what, with, *from);
}

LINKSPAN_DECL void http_service::sweep()
{
    std::erase_if(ended_, [](auto const& peer) { return peer.expired(); });
    if (has_delayed_close_)
        post_delayed_closes();
    if (peers_.size() - sessions_.size() > max_single_)
        forget_single_peers();
    for (auto* const idle : sessions_.idle(time_.now())) {
        ++counters_.sessions_idle;
        forget(*idle);
    }
}

LINKSPAN_DECL void http_service::post_delayed_closes()
{
    auto const post = [this](peer_pointer const& peer) {
        if (!peer || !peer->is_close_delayed())
            return;
        asio::post(executor_, [peer] { peer->close(); });
        peer->on_close_posted();
    };
    for (auto const& [number, peer] : peers_)
        post(peer);
    for (auto const& peer : ended_)
        post(peer.lock());
    has_delayed_close_ = false;
}

LINKSPAN_DECL bool http_service::needs_search() const noexcept
{
    return !is_stopped_ && (sessions_.size() != 0 || !without_session_.empty());
}

LINKSPAN_DECL void http_service::arm_search() noexcept
{
    auto next = sessions_.next_search();
    if (is_search_armed_ || next == time_point::max() || !needs_search())
        return;
    if (!without_session_.empty())
        next = std::min(next, time_.after(options_.session_limits.idle_timeout / 8));
    try {
        auto& timer = search_.in_background(executor_);
        timer.expires_at(std::max(next, time_.after(std::chrono::milliseconds(1))));
        detail::start_wait(timer, [this, alive = std::weak_ptr(alive_)](error_code ec) {
            if (!ec && !alive.expired())
                on_search();
        });
        is_search_armed_ = true;
    } catch (std::bad_alloc const&) { // the next client starts the timer
    }
}

LINKSPAN_DECL void http_service::disarm_search()
{
    search_.cancel();
    is_search_armed_ = false;
}

LINKSPAN_DECL void http_service::on_search()
{
    is_search_armed_ = false;
    try {
        sweep();
        auto const since = time_.now() - options_.session_limits.idle_timeout;
        for (auto at = without_session_.begin(); at != without_session_.end();)
            if (auto* const peer = (at++)->second; peer->is_idle_since(since))
                forget(*peer);
    } catch (std::bad_alloc const&) { // the next search finds the other clients
    }
    arm_search();
}

LINKSPAN_DECL void http_service::on_stop()
{
    is_stopped_ = true;
    disarm_search();
}

// The next search follows when the number has doubled, so that its cost per request does not depend on the number.
LINKSPAN_DECL void http_service::forget_single_peers()
{
    for (auto at = peers_.begin(); at != peers_.end();) {
        auto const peer = (at++)->second;
        if (peer->has_single_requests() && peer->has_lost_exchange())
            forget(*peer);
    }
    max_single_ = 2 * (peers_.size() - sessions_.size()) + 64;
}

LINKSPAN_DECL http_serving& http_service::serving()
{
    auto const& versions = backend_.protocol_versions();
    if (serving_ && serving_->settings().port == listener_.port() && serving_->settings().protocol_versions == versions)
        return *serving_;
    http_serving::options with;
    with.protocol_versions = versions;
    with.path = options_.path;
    with.origins = options_.origins;
    with.origins.insert(with.origins.end(), options_.cors_origins.begin(), options_.cors_origins.end());
    with.hosts = options_.hosts;
    with.port = listener_.port();
    with.sessions = options_.sessions;
    with.get_stream = options_.get_stream;
    with.delete_session = options_.delete_session;
    with.session = [this](std::string_view id, std::string_view principal) {
        auto const* const peer = sessions_.find(id, principal);
        return peer && peer->what() == kind::session ? peer->version() : std::nullopt;
    };
    with.mirrored = [this](std::string_view tool) { return backend_.mirrored(tool); };
    return serving_.emplace(std::move(with));
}

LINKSPAN_DECL std::string http_service::make_id() const
{
    constexpr std::size_t size = 16; // bytes
    return options_.make_session_id ? options_.make_session_id() : detail::to_hex(detail::secure_bytes(size));
}

// The account is kept with the connection, so that only the first request of a connection needs a search.
LINKSPAN_DECL void http_service::identify(detail::http_remote& remote, std::string const& principal)
{
    if (!remote.account.empty() && remote.principal == principal)
        return;
    auto account = client_account(principal, remote.address);
    auto requests = requests_.is_limited() && !account.empty() ? requests_.open(account) : nullptr;
    remote.principal = principal;
    remote.account = std::move(account);
    remote.requests = std::move(requests);
}

// Adds a session. Returns null if there are too many; the request has a response then.
LINKSPAN_DECL http_service::peer_pointer http_service::add_session(kind what, http_exchange& with,
                                                                   detail::http_remote const& from)
{
    auto admitted = sessions_.admit(from.principal, from.address);
    bool const is_admitted = admitted.status == 200;
    auto const peer = is_admitted ? add(what, make_id(), {}, from, std::move(admitted.place)) : nullptr;
    if (!peer) {
        refuse(with, is_admitted ? 503 : admitted.status);
        return nullptr;
    }
    ++counters_.sessions_begun;
    return peer;
}

LINKSPAN_DECL http_service::peer_pointer http_service::add(kind what, std::string id,
                                                           std::optional<protocol_version> agreed,
                                                           detail::http_remote const& from,
                                                           principal_quota::place place, std::string_view method)
{
    detail::http_peer::owner& self = *this;
    auto peer =
        std::make_shared<detail::http_peer>(self, executor_, options_, what, ++last_peer_, std::move(id), agreed, from);
    // The end of a client, and of a request, allocate no memory here.
    if (auto const ends = ended_.size() + peers_.size() + 1; ended_.capacity() < ends)
        ended_.reserve(2 * ends);
    idle_.reserve(max_idle_);
    peers_.emplace(peer->number(), peer);
    try {
        return register_client(peer, agreed, from, std::move(place), method);
    } catch (...) {
        forget(*peer);
        throw;
    }
}

} // namespace linkspan

#endif
