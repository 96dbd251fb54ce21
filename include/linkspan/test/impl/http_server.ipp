#ifndef LINKSPAN_TEST_IMPL_HTTP_SERVER_IPP
#define LINKSPAN_TEST_IMPL_HTTP_SERVER_IPP

#include <linkspan/core/time.hpp>
#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <map>
#include <span>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Represents one client, as far as the server can distinguish clients, and is the transport between this client and the
// scripted server.
//
// A peer is a session, all requests of one handshake protocol version without a session, one request of a stateless
// protocol version, or an event stream of HTTP+SSE. Owned by http_web, which calls abandon() before its destruction.
class http_peer final : public std::enable_shared_from_this<http_peer> {
public:
    // session: has an Mcp-Session-Id; nameless: handshake without a session; single: one stateless request; sse:
    // HTTP+SSE
    enum class kind { session, nameless, single, sse };
    using receiver = std::function<void(error_code, std::span<inbound const>)>;

    // The path of messages to the client: one HTTP exchange at a time, and the events of its stream.
    struct reply_path {
        http_exchange on{};                  // replaced when the client resumes the stream
        http_exchange::fields_type fields{}; // additional header fields of the response
        std::size_t awaited = 0;             // responses that are outstanding; decremented by each response
        bool is_plain = false;               // a single response may be sent as one body
        bool listens = false;              // path of subscriptions/listen: receives messages that belong to no request
        bool is_primed = false;            // set when the stream has begun
        bool is_over = false;              // set by the last response
        std::vector<std::string> events{}; // all events of the stream, kept for resumption; empty text: priming event
        std::size_t next = 0;              // index of the next event to write; set back by a resumption
    };

    http_peer(http_web& web, asio::any_io_executor executor, http_server_options const& options, kind what,
              std::string id, std::optional<protocol_version> version)
        : web_(&web),
          executor_(std::move(executor)),
          options_(options),
          kind_(what),
          id_(std::move(id)),
          version_(version)
    {}

    kind what() const noexcept { return kind_; }
    std::string const& id() const noexcept { return id_; }
    std::optional<protocol_version> version() const noexcept { return version_; }
    asio::any_io_executor const& executor() const noexcept { return executor_; }

    // Registers the path for the responses to a request, and returns its number.
    std::uint64_t open(reply_path what)
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

    void open_sse(http_exchange on)
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

    // Serves a GET: opens the stream for messages that belong to no request, or resumes a stream after an event.
    void listen(http_exchange on, std::string_view last_event)
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

    http_exchange* http(std::uint64_t number)
    {
        auto const found = reply_paths_.find(kind_ == kind::sse ? 0 : number);
        return found == reply_paths_.end() || found->second.on.is_over() ? nullptr : &found->second.on;
    }

    // Passes a message to the scripted server.
    void post(std::string_view message, std::uint64_t number)
    {
        received_.emplace_back(message, number);
        flush();
    }

    // Ends the connection of the scripted server, which cancels its outstanding requests.
    void end()
    {
        is_over_ = true;
        flush();
    }

    // Ends all streams in the regular way.
    void end_streams()
    {
        for (auto& [number, back] : reply_paths_)
            back.on.end();
    }

    void abandon()
    {
        web_ = nullptr;
        receiver const dying = std::exchange(receive_, {});
    }

    // Starts a receive operation of the scripted server.
    void receive(receiver done)
    {
        if (!web_)
            return;
        receive_ = std::move(done);
        begin_streams();
        if (is_over_ || !received_.empty())
            asio::post(executor_, [self = shared_from_this()] { self->flush(); });
    }

    void send_to_client(std::string_view bytes, std::uint64_t number);
    void drop();

private:
    void flush()
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

    void on_exchange_gone(std::uint64_t number);

    // With `form::stream` the stream of a response begins when the scripted server has read the request.
    void begin_streams()
    {
        for (auto& [number, back] : reply_paths_)
            if (number != 0 && back.awaited != 0 && !back.is_plain && !back.is_primed && !back.on.is_over() &&
                !back.on.has_begun())
                begin(number, back);
    }

    void begin(std::uint64_t number, reply_path& which)
    {
        if (which.is_primed)
            return;
        which.on.begin_stream(which.fields);
        prime(which);
        pump(number);
        if (options_.ends_after_first_event && options_.resumable && kind_ != kind::single)
            which.on.end();
    }

    void prime(reply_path& which)
    {
        if (!std::exchange(which.is_primed, true) && options_.resumable && kind_ != kind::single)
            which.events.emplace_back();
    }

    void pump(std::uint64_t number)
    {
        auto& which = reply_paths_[number];
        bool const has_ids = options_.resumable && kind_ != kind::single && kind_ != kind::sse;
        for (; which.next != which.events.size() && !which.on.is_over(); ++which.next) {
            auto const& data = which.events[which.next];
            auto const id = has_ids ? std::to_string(number) + "-" + std::to_string(which.next) : std::string();
            http_server_event event{.data = data, .id = id, .primes = data.empty()};
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

    void forget(std::uint64_t number);
    void read_agreed_version(envelope const& response);

    http_web* web_; // owns this object; set by the constructor, set to null by abandon()
    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    http_server_options const& options_; // member of *web_
    kind kind_;
    std::string id_; // session id; empty: none

    // Set by the constructor, and by the response to `initialize`; empty: not known yet.
    std::optional<protocol_version> version_;
    std::map<std::uint64_t, reply_path> reply_paths_;             // by number; 0: messages that belong to no request
    std::uint64_t numbers_ = 0;                                   // number of the last path
    std::vector<std::pair<std::string, std::uint64_t>> received_; // received messages, until the next receive operation
    receiver receive_;                                            // of the outstanding receive operation; else empty
    bool is_over_ = false;                                        // set by end()
};

struct http_peer_transport {
    using role = transport_role;
    struct config_type {
        std::shared_ptr<http_peer> peer;
    };
    static constexpr std::string_view kind = "http";
    static constexpr bool handshake_on_no_response = false;

    http_peer_transport(asio::any_io_executor const&, config_type config) : peer(std::move(config.peer)) {}

    template<class Handler>
    void async_open(Handler&& handler)
    {
        complete(std::forward<Handler>(handler));
    }

    void send(outbound const& message) noexcept { peer->send_to_client(message.bytes, message.stream); }

    template<class Handler>
    void async_receive(Handler&& handler)
    {
        peer->receive(std::forward<Handler>(handler));
    }

    abandon_result abandon(request_id) noexcept { return abandon_result::peer_not_notified; }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        peer->drop();
        complete(std::forward<Handler>(handler));
    }

    void close() noexcept {}
    asio::any_io_executor get_executor() const { return peer->executor(); }
    std::size_t queued_bytes() const noexcept { return 0; }

    template<class Handler>
    void complete(Handler&& handler)
    {
        asio::post(peer->executor(), [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
    }

    std::shared_ptr<http_peer> peer;
};

class http_web final : private http_request_handler {
public:
    http_web(asio::any_io_executor executor, scripted_server& server, http_server_options options)
        : executor_(std::move(executor)),
          server_(server),
          options_(std::move(options)),
          listener_(executor_, *this, {.port = options_.port, .limits = options_.limits})
    {}

    http_web(http_web const&) = delete;
    http_web& operator=(http_web const&) = delete;

    ~http_web()
    {
        listener_.close();
        for (auto const& peer : peers_)
            peer->abandon();
        for (auto const& peer : ended_)
            peer->abandon();
    }

    std::string url()
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

    http_listener& listener() noexcept { return listener_; }
    http_listener const& listener() const noexcept { return listener_; }
    std::vector<http_server_request> const& requests() const noexcept { return requests_; }

    std::size_t sessions() const noexcept
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(peers_, [](auto const& peer) { return !peer->id().empty(); }));
    }

    void discard_sessions()
    {
        for (auto const& peer : std::vector(peers_))
            if (!peer->id().empty()) {
                peer->end_streams();
                forget(*peer);
            }
    }

    // Removes a peer. The end of the peer is posted, because a function of the peer may be executing.
    void forget(http_peer& peer)
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

    struct fixed_response {
        std::string method, part;
        int status;
        http_exchange::fields_type fields;
        std::string body;
    };
    std::vector<fixed_response> fixed_responses; // each removed by the request that it is sent to
    std::function<bool(http_server_request const&, http_exchange)> first;

private:
    using kind = http_peer::kind;

    void on_request(http_server_request&& what, http_exchange with) override
    {
        requests_.push_back(what);
        sweep();
        auto const fits = [&](fixed_response const& one) {
            return one.method == what.method && what.body.find(one.part) != one.part.npos;
        };
        if (auto const found = std::ranges::find_if(fixed_responses, fits); found != fixed_responses.end()) {
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

    // Removes stateless peers whose exchange is complete, and ended peers that are not in use.
    void sweep()
    {
        std::erase_if(ended_, [](auto const& peer) { return peer.use_count() == 1; });
        for (auto const& peer : std::vector(peers_))
            if (peer->what() == kind::single && !peer->http(1))
                forget(*peer);
    }

    http_serving serving()
    {
        http_serving::options with;
        with.protocol_versions = server_.script_->dialogue.protocol_versions;
        with.path = options_.path;
        with.origins = options_.origins;
        with.hosts = options_.hosts;
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

    void serve(http_server_request const& what, http_exchange with)
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

    void take(http_peer& peer, std::string_view body, envelope const& message, http_exchange with)
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

    // Passes each message of the batch separately; all responses are sent on one stream.
    void take_batch(http_peer& peer, std::string_view body, http_exchange with)
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

    static std::vector<http_serving::field> fields_of(http_server_request const& what)
    {
        std::vector<http_serving::field> out;
        for (auto const& [name, value] : what.fields)
            out.push_back({name, value});
        return out;
    }

    void serve_sse(http_server_request const& what, http_exchange with)
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

    std::string draw_id()
    {
        std::string id;
        auto& chance = time_source::of(executor_);
        while (id.size() < 32)
            for (auto bits = chance.draw(); bits != 0 && id.size() < 32; bits >>= 4)
                id += "0123456789abcdef"[bits & 15];
        return id;
    }

    http_peer* find(std::string_view id)
    {
        auto const found = std::ranges::find(peers_, id, [](auto const& peer) { return std::string_view(peer->id()); });
        return id.empty() || found == peers_.end() ? nullptr : found->get();
    }

    std::shared_ptr<http_peer> initialize()
    {
        return options_.sessions ? add(kind::session, draw_id(), {}) : add(kind::single, {}, {});
    }

    std::shared_ptr<http_peer> peer_of(http_serving::verdict const& found)
    {
        if (traits_of(found.version).era == era::stateless)
            return add(kind::single, {}, {});
        if (auto* const session = find(found.session))
            return session->shared_from_this();
        auto const is_it = [&](auto const& peer) {
            return peer->what() == kind::nameless && peer->version() == found.version;
        };
        auto const known = std::ranges::find_if(peers_, is_it);
        return known != peers_.end() ? *known : add(kind::nameless, {}, found.version);
    }

    std::shared_ptr<http_peer> add(kind what, std::string id, std::optional<protocol_version> version);

    asio::any_io_executor executor_;
    scripted_server& server_;
    http_server_options options_;
    std::vector<http_server_request> requests_;
    // Mirrored arguments of the tool of the last request; the callback returns a pointer to this member.
    mirrored_arguments mirrored_;
    std::vector<std::shared_ptr<http_peer>> peers_; // current clients; see `sweep`
    std::vector<std::shared_ptr<http_peer>> ended_; // removed from `peers_`; destroyed when no longer in use
    http_listener listener_;
};

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

} // namespace detail

LINKSPAN_DECL http_server::http_server(asio::any_io_executor executor, scripted_server& server,
                                       http_server_options options)
    : web_(std::make_unique<detail::http_web>(std::move(executor), server, std::move(options)))
{}

LINKSPAN_DECL http_server::~http_server() = default;

LINKSPAN_DECL std::string http_server::url() { return web_->url(); }

LINKSPAN_DECL void http_server::serve(std::unique_ptr<byte_stream> stream)
{
    web_->listener().serve(std::move(stream));
}

LINKSPAN_DECL std::vector<http_server_request> const& http_server::requests() const noexcept
{
    return web_->requests();
}

LINKSPAN_DECL std::size_t http_server::requests(std::string_view method, std::string_view part) const
{
    auto const fits = [=](http_server_request const& one) {
        return one.method == method && one.body.find(part) != one.body.npos;
    };
    return static_cast<std::size_t>(std::ranges::count_if(web_->requests(), fits));
}

LINKSPAN_DECL std::size_t http_server::connections() const noexcept { return web_->listener().accepted(); }

LINKSPAN_DECL std::size_t http_server::open_connections() const noexcept { return web_->listener().connections(); }

LINKSPAN_DECL std::size_t http_server::sessions() const noexcept { return web_->sessions(); }

LINKSPAN_DECL void http_server::discard_sessions() { web_->discard_sessions(); }

LINKSPAN_DECL void http_server::drop_connections() { web_->listener().drop_connections(); }

LINKSPAN_DECL void http_server::respond_next(std::string method, std::string part, int status,
                                             http_exchange::fields_type fields, std::string body)
{
    web_->fixed_responses.push_back({std::move(method), std::move(part), status, std::move(fields), std::move(body)});
}

LINKSPAN_DECL void http_server::set_interceptor(std::function<bool(http_server_request const&, http_exchange)> first)
{
    web_->first = std::move(first);
}

LINKSPAN_DECL void http_server::stop(duration within, std::function<void()> done)
{
    web_->listener().async_stop(within, [done = std::move(done)](error_code) { done(); });
}

} // namespace linkspan::test

#endif
