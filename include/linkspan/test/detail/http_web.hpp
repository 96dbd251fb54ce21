#ifndef LINKSPAN_TEST_DETAIL_HTTP_WEB_HPP
#define LINKSPAN_TEST_DETAIL_HTTP_WEB_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/test/detail/http_peer.hpp>
#include <linkspan/test/http_server_options.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// State of an `http_server`: its listener, and the clients that it can distinguish.
//
// Invariant: a peer is in exactly one of `peers_` and `ended_` until its destruction.
class http_web final : public http_peer::owner, private http_request_handler {
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

    LINKSPAN_DECL std::string url();

    http_listener& listener() noexcept { return listener_; }
    http_listener const& listener() const noexcept { return listener_; }
    std::vector<http_server_request> const& requests() const noexcept { return requests_; }

    LINKSPAN_DECL std::size_t sessions() const noexcept;
    LINKSPAN_DECL void discard_sessions();

    // Removes a peer. `http_peer::end` is posted, because a function of the peer may be executing.
    LINKSPAN_DECL void forget(http_peer& peer) override;

    struct fixed_response {
        std::string method, part;
        int status;
        http_exchange::fields_type fields;
        std::string body;
    };
    std::vector<fixed_response> fixed_responses; // each removed when it is sent

    // Set by `http_server::set_interceptor`, never cleared; empty: none. The function returns
    // true if it sends the response.
    std::function<bool(http_server_request const&, http_exchange)> first;

private:
    using kind = http_peer::kind;

    LINKSPAN_DECL void on_request(http_server_request&& what, http_exchange with) override;

    // Moves stateless peers whose exchange is complete to `ended_`, and destroys ended peers that are not in use.
    LINKSPAN_DECL void sweep();
    LINKSPAN_DECL http_serving serving();
    LINKSPAN_DECL void serve(http_server_request const& what, http_exchange with);
    LINKSPAN_DECL void take(http_peer& peer, std::string_view body, envelope const& message, http_exchange with);

    // Passes each message of the batch separately; all responses are sent on one stream.
    LINKSPAN_DECL void take_batch(http_peer& peer, std::string_view body, http_exchange with);
    LINKSPAN_DECL static std::vector<http_serving::field> fields_of(http_server_request const& what);
    LINKSPAN_DECL void serve_sse(http_server_request const& what, http_exchange with);
    LINKSPAN_DECL std::string draw_id();
    LINKSPAN_DECL http_peer* find(std::string_view id);
    LINKSPAN_DECL std::shared_ptr<http_peer> initialize();
    LINKSPAN_DECL std::shared_ptr<http_peer> peer_of(http_serving::verdict const& found);
    LINKSPAN_DECL std::shared_ptr<http_peer> add(kind what, std::string id, std::optional<protocol_version> version);

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_; // of all handlers
    scripted_server& server_;        // serves each peer
    http_server_options options_;

    std::vector<http_server_request> requests_; // all requests; added by on_request(), never removed
    // Mirrored arguments of the tool of the last request; `http_serving::options::mirrored` returns a pointer to them.
    mirrored_arguments mirrored_;
    std::vector<std::shared_ptr<http_peer>> peers_; // current clients; added by add(), moved to `ended_` by forget()
    std::vector<std::shared_ptr<http_peer>> ended_; // destroyed by sweep() when no longer in use
    http_listener listener_;                        // opened by url(), closed by the destructor
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/http_web.ipp>
#endif

#endif
