#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/client/detail/http_client.hpp>
#include <linkspan/http/client/http_reply.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/http/http_url.hpp>
#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/http/sse.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "forwarded_head.hpp"
#include "recorder.hpp"
#include "serve_recording.hpp"
#include "server_config.hpp"
#include "tape_file.hpp"

namespace mock_servers {
namespace {

using linkspan::error_code;
using linkspan::http_exchange;
using linkspan::http_head;
using linkspan::http_server_request;
using linkspan::http_url;
using linkspan::is_media_type;
using linkspan::detail::client_exchange;
using linkspan::test::tape_direction;

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

// The requests whose bodies are messages: those to the URL of the server, and to the URL for POST of HTTP+SSE. Other
// requests, such as those for OAuth, are not written to the tape.
class message_paths {
public:
    explicit message_paths(http_url const& server) : server_(server), paths_{std::string(path_of(server.target))} {}

    bool contains(std::string_view target) const
    {
        return std::ranges::any_of(paths_, [target](auto const& path) { return path == path_of(target); });
    }

    // Event: the server has sent the event `endpoint` of HTTP+SSE.
    void on_endpoint(std::string_view reference)
    {
        if (auto const url = linkspan::resolve_http_url(server_, reference); url && url->has_origin_of(server_))
            paths_[1] = path_of(url->target);
    }

private:
    http_url server_;                  // set by the constructor
    std::array<std::string, 2> paths_; // of the URL, and of the last endpoint; the second is empty if there is none
};

// The objects that all requests of a recording share.
struct proxy {
    proxy(boost::asio::any_io_executor const& executor, recording const& what)
        : url(server_url(what.url)), tape(executor, what, "http"), paths(url)
    {
        auto const config = server_config(what.url);
        linkspan::detail::http_client::options with{
            {url.host, url.port}, config.max_connections, config.connect_timeout, config.idle_timeout, {}};
        with.limits.head = config.max_head;
        with.limits.body = config.max_body;
        server = std::make_shared<linkspan::detail::http_client>(executor, linkspan::make_dialer(config, url), with);
    }

    http_url url;
    tape_file tape;
    message_paths paths;
    std::shared_ptr<linkspan::detail::http_client> server; // connections to the server
};

// One request of the client, and the response of the server.
class forwarded_exchange final : public client_exchange {
public:
    forwarded_exchange(std::shared_ptr<proxy> of, http_server_request const& what, http_exchange to)
        : proxy_(std::move(of)), to_client_(std::move(to)), has_messages_(proxy_->paths.contains(what.target()))
    {
        request = forwarded_request(what, proxy_->url);
        lane = linkspan::detail::http_lane::control;
        timeout = std::chrono::hours(1);
        proxy_->tape.hide_secrets_of(what.head);
        if (has_messages_ && what.method() == "POST")
            proxy_->tape.write(tape_direction::in, what.body);
    }

    bool on_head(http_head const& head) override
    {
        constexpr int ok = 200;
        proxy_->tape.hide_secrets_of(head);
        auto const type = head["Content-Type"];
        bool const is_stream = head.status() == ok && is_media_type(type, "text/event-stream");
        status_ = head.status();
        fields_ = forwarded_fields(head, is_stream);
        if (is_stream) {
            events_.emplace();
            to_client_.begin_stream(fields_);
        } else {
            is_json_ = is_media_type(type, "application/json");
            if (type.empty())
                fields_.push_back({"Content-Type", ""}); // none is added
        }
        return is_stream;
    }

    void on_body(std::string_view piece) override
    {
        if (!events_) {
            body_ += piece;
            return;
        }
        auto const batch = events_->resume(piece);
        for (auto const& event : batch.events)
            on_event(event);
        if (batch.ec && !std::exchange(is_cut_, true))
            std::cerr << "linkspan-mock: the rest of an event stream is not recorded: " << batch.ec.message()
                      << std::endl;
        to_client_.text(piece); // after the message is on the tape
    }

    void on_end(error_code ec, bool) override
    {
        if (ec) {
            std::cerr << "linkspan-mock: " << proxy_->url.authority() << ": " << ec.message() << std::endl;
            return events_ ? to_client_.cut() : respond_without_server(ec);
        }
        if (events_)
            return to_client_.end();
        if (is_json_ && has_messages_ && !body_.empty())
            proxy_->tape.write(tape_direction::out, body_);
        to_client_.respond(status_, fields_, body_);
    }

private:
    void on_event(linkspan::sse_event const& event)
    {
        if (event.type == "endpoint")
            proxy_->paths.on_endpoint(event.data);
        else if (event.type == "message" && has_messages_)
            proxy_->tape.write(tape_direction::out, event.data);
    }

    void respond_without_server(error_code ec)
    {
        int const status = ec == boost::asio::error::timed_out ? 504 : 502;
        to_client_.respond(status, {{"Content-Type", "text/plain"}}, "no response of the recorded server");
    }

    std::shared_ptr<proxy> proxy_;               // set by the constructor
    http_exchange to_client_;                    // set by the constructor
    bool has_messages_;                          // whether the bodies are messages; set by the constructor
    int status_ = 0;                             // of the response; set by on_head()
    http_exchange::fields_type fields_;          // of the response; set by on_head()
    bool is_json_ = false;                       // whether the body is JSON; set by on_head()
    std::string body_;                           // of a response that is no event stream
    std::optional<linkspan::sse_parser> events_; // of an event stream; set by on_head()
    bool is_cut_ = false;                        // set when a part of the event stream is too long to be recorded
};

// Serves the clients.
class http_recorder final : linkspan::http_request_handler {
public:
    http_recorder(boost::asio::any_io_executor const& executor, recording const& what)
        : proxy_(std::make_shared<proxy>(executor, what)), listener_(executor, *this, options_for(*what.port))
    {}

    // Starts to listen, and returns the URL for clients.
    std::string url()
    {
        error_code ec;
        listener_.listen(ec);
        if (ec)
            throw boost::system::system_error(ec);
        return "http://127.0.0.1:" + std::to_string(listener_.port()) + proxy_->url.target;
    }

    // Ends all connections. `done` is called once.
    void stop(std::function<void()> done)
    {
        listener_.async_stop(std::chrono::seconds(1), [this, done = std::move(done)](error_code) {
            proxy_->server->close();
            done();
        });
    }

private:
    static linkspan::http_listener::options options_for(std::uint16_t port)
    {
        linkspan::http_listener::options out;
        out.port = port;
        return out;
    }

    // A page of another host that a browser resolves to this address must not reach the server, which cannot reject
    // the request, because Host is replaced.
    static bool is_local(std::string_view host)
    {
        auto const name = host.substr(0, host.rfind(':'));
        return name == "127.0.0.1" || linkspan::detail::equal_ignoring_case(name, "localhost");
    }

    void on_request(http_server_request const& what, http_exchange with) override
    {
        constexpr std::array<std::string_view, 6> methods{"GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"};
        if (!is_local(what.header("Host")))
            return with.respond(403);
        if (std::ranges::find(methods, what.method()) == methods.end())
            return with.respond(501);
        auto const one = std::make_shared<forwarded_exchange>(proxy_, what, with);
        with.on_disconnect([server = proxy_->server, weak = std::weak_ptr(one)] {
            if (auto const lost = weak.lock())
                server->cancel(*lost);
        });
        proxy_->server->start(one);
    }

    std::shared_ptr<proxy> proxy_;     // set by the constructor
    linkspan::http_listener listener_; // opened by url(), closed by stop()
};

} // namespace

int record_http(recording const& what) { return serve_recording<http_recorder>(what); }

} // namespace mock_servers
