#ifndef LINKSPAN_SESSION_DETAIL_SERVER_REQUESTS_HPP
#define LINKSPAN_SESSION_DETAIL_SERVER_REQUESTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/session/detail/hosted_tasks.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Requests and notifications that a server sends to one session: the handlers, the capabilities that follow from them,
// the requests without a response, and the limit of responses that the server does not read. The class performs no I/O
// and calls no handler.
//
// Invariants:
// 1. A request is in `outstanding_` from the time at which `on_request` returns `call` until its response, its
//    cancellation by the server, or the end of its connection. The session identifies the request by a
//    `server_request_id`, which is never reused, so that a late response of a handler finds no request, even if the
//    server reuses its own ids.
// 2. At most `max_outstanding` requests have no response; further requests are refused.
class server_requests {
public:
    using request_handler = std::function<void(std::string_view params, responder)>;
    using notification_handler = std::function<void(std::string_view params)>;

    // Maximum number of requests from the server that are waiting for a response of this client.
    static constexpr std::size_t max_outstanding = 1000;

    // Maximum number of bytes of responses that the server has not read. The limit protects this process from a server
    // that sends requests and does not read.
    static constexpr std::size_t max_unread_bytes = std::size_t{64} << 20;

    // Reaction to a request of the server.
    struct action {
        enum class kind {
            confirm, // respond with an empty result
            refuse,  // respond with the error `code` and `message`
            call,    // call `handler` with a responder for the request `id`
        };

        kind what;
        bool is_allowed = true; // the protocol version allows requests of the server
        int code = 0;
        std::string_view message{};               // a literal
        request_handler const* handler = nullptr; // valid until the handler of the method is replaced
        server_request_id id = 0;
    };

    // tasks: the tasks that the client hosts; null: it declares none.
    explicit server_requests(std::unique_ptr<hosted_tasks> tasks = nullptr) : tasks_(std::move(tasks)) {}

    // Sets the handler and the declared capability of one method. `capability`: text of a JSON object.
    LINKSPAN_DECL void set_handler(std::string method, std::string capability, request_handler handler);

    // Sets the handler of a notification.
    void set_notification_handler(std::string method, notification_handler handler)
    {
        notification_handlers_.insert_or_assign(std::move(method), std::move(handler));
    }

    // Returns the handler of a method; null: none. The pointer is valid until the handler is replaced.
    LINKSPAN_DECL request_handler const* handler_of(std::string_view method) const noexcept;
    LINKSPAN_DECL notification_handler const* notification_handler_of(std::string_view method) const noexcept;

    // Returns a JSON object with the capabilities for which handlers are set, in the form of a protocol version.
    // `extensions`: text of a JSON object with the extensions of the client; empty: none.
    LINKSPAN_DECL std::string capabilities_in(protocol_version version, std::string_view extensions = {}) const;

    // Called for each request of the server. `version`: the negotiated protocol version; empty: none yet.
    LINKSPAN_DECL action on_request(envelope const& request, std::optional<protocol_version> version);

    // Called if the server cancels a request. `raw_id`: its id as JSON text; ids of no outstanding request are ignored,
    // as are those of requests that were continued as tasks, which only `tasks/cancel` cancels.
    LINKSPAN_DECL void on_cancelled(std::string_view raw_id) noexcept;

    // Returns whether a request has no response yet and was not cancelled.
    bool awaits_response(server_request_id id) const noexcept { return outstanding_.contains(id); }

    // Returns the progress token of a request as JSON text; empty: the request has none, has a response, or was
    // cancelled. Valid until the request is removed.
    LINKSPAN_DECL std::string_view progress_token(server_request_id id) const noexcept;

    // Returns the id of the task to which a request belongs (2025-11-25 only), as JSON text; empty: none, as for the
    // progress token. Valid until the request is removed.
    LINKSPAN_DECL std::string_view related_task(server_request_id id) const noexcept;

    // Returns the tasks of requests that are outstanding, and of earlier ones, in a protocol version; null: the client
    // declares none.
    hosted_tasks* tasks_in(std::optional<protocol_version> version) const noexcept
    {
        return version && hosted_tasks::exist_in(*version) ? tasks_.get() : nullptr;
    }

    // Returns the tasks if a request is continued as one; null: it is not.
    hosted_tasks* tasks_of(server_request_id id) const noexcept
    {
        return tasks_ && tasks_->is_running(id) ? tasks_.get() : nullptr;
    }

    // Removes a request, and returns its id as JSON text. Empty: the server has cancelled the request, or the
    // connection has ended.
    LINKSPAN_DECL std::string take(server_request_id id);

    // Called before a response is sent, also for those of `confirm` and `refuse`. Returns false if the bytes of the
    // responses that the server has not read exceed their limit; the connection must end then.
    bool on_response(std::size_t bytes) noexcept { return (unread_bytes_ += bytes) <= max_unread_bytes; }

    // Called if the write queue of the transport is empty: the server has read all responses.
    void on_all_written() noexcept { unread_bytes_ = 0; }

    // Called if responses cannot reach the server any more: the connection has ended, or the server has discarded its
    // HTTP session (`Mcp-Session-Id`).
    void discard()
    {
        outstanding_.clear();
        if (tasks_)
            tasks_->discard();
    }

private:
    // JSON texts of the server.
    struct unanswered {
        std::string raw_id;
        std::string progress_token; // empty: none
        std::string related_task;   // id of the task; empty: none
    };

    struct entry {
        std::string capability; // text of a JSON object
        request_handler handler;
    };

    std::map<std::string, entry, std::less<>> handlers_; // by method; set by `set_handler`, never removed
    std::map<std::string, notification_handler, std::less<>> notification_handlers_; // by method; never removed
    std::map<server_request_id, unanswered> outstanding_; // changed by `on_request`, `take` and `discard`
    server_request_id last_id_ = 0;                       // incremented by each `call`, never reset
    std::unique_ptr<hosted_tasks> tasks_; // of requests in `outstanding_`, and final ones; set by the constructor
    std::size_t unread_bytes_ = 0;        // increased by `on_response`, set to 0 by `on_all_written`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/server_requests.ipp>
#endif

#endif
