#ifndef LINKSPAN_MODEL_RESPONDER_HPP
#define LINKSPAN_MODEL_RESPONDER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

struct progress_update; // <linkspan/model/call_options.hpp>

namespace detail {

// Identifies a request of the server within a session. The id of the server cannot be used, because a server may reuse
// its ids. 0: no request.
using server_request_id = std::uint64_t;

// Receiver of the responses to requests of the server: a session, the input requests of one request (`input_exchange`),
// or the wait for a task (`task_wait`).
class response_sink {
public:
    // Sends a result. Does nothing if no response is awaited for `request`.
    virtual void respond(server_request_id request, std::string_view result) = 0;

    // Sends an error response. Does nothing if no response is awaited for `request`.
    virtual void refuse(server_request_id request, int code, std::string_view message) = 0;

    // Sends a progress notification if `request` has a progress token, and has no response yet.
    virtual void report_progress(server_request_id request, progress_update const& update) = 0;

    // Returns whether the server still awaits a response to `request`.
    virtual bool awaits_response(server_request_id request) const = 0;

protected:
    ~response_sink() = default;
};

} // namespace detail

/// Sends the response to one request of the server, immediately or later.
///
/// Passed to handlers of `session::on_request`. The first call of `operator()` or `refuse` sends the response; later
/// calls do nothing. A responder that is destroyed without a response sends the error -32603.
///
///     session.on_request("roots/list", [](std::string_view params, linkspan::responder reply) {
///         reply(linkspan::raw_json(R"({"roots":[]})"));
///     });
///
/// In stateless protocol versions, a request of the server is an input request of an outstanding request or of a task.
/// An error response to an input request completes the request, or the wait for the task, with `input_refused`. The
/// method `elicitation/create` is an exception: an error response to it is sent as the action `decline`.
///
/// \par Lifetime
/// The responder may outlive the session. After the end of the session, responses are discarded.
/// \par Thread safety
/// Unsafe: use the object on the executor of the session.
/// \par Specification
/// JSON-RPC 2.0, section 5; MCP 2025-11-25, client/*.
class responder {
public:
    /// Constructs the responder of one request. Called by sessions.
    LINKSPAN_DECL responder(std::weak_ptr<detail::response_sink> session, detail::server_request_id request);

    /// Moves the request into the new object; `other` no longer sends a response.
    responder(responder&& other) noexcept
        : session_(std::move(other.session_)), request_(std::exchange(other.request_, 0))
    {}
    responder& operator=(responder&&) = delete;

    /// Sends the error -32603 if no response was sent.
    LINKSPAN_DECL ~responder();

    /// Sends a result. Does nothing if `is_awaited()` is false.
    ///
    /// \param result The result object.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void operator()(boost::json::object const& result);

    /// Sends a result that is JSON text. Does nothing if `is_awaited()` is false.
    ///
    /// \param result The text of the result object, which is not checked.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void operator()(raw_json result);

    /// Sends an error response. Does nothing if `is_awaited()` is false.
    ///
    /// \param code The JSON-RPC error code, such as -32602 (invalid params) or -1 (refused by the end user).
    /// \param message A text for the operator of the server, in UTF-8.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void refuse(int code, std::string_view message);

    /// Sends `notifications/progress`. Does nothing if `is_awaited()` is false, if the server has not requested
    /// progress, or in the era `stateless`, in which clients report no progress.
    ///
    /// \param update Amount of work done; `progress_update::progress` must increase with each call.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void report_progress(progress_update const& update);

    /// Returns whether the server still awaits a response. False after a response, after the server cancelled its
    /// request, and after the session was closed or destroyed.
    LINKSPAN_DECL bool is_awaited() const noexcept;

private:
    std::weak_ptr<detail::response_sink> session_;
    detail::server_request_id request_; // set to 0 when a response is sent and in a moved-from object
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/responder.ipp>
#endif

#endif
