#ifndef LINKSPAN_MODEL_TYPED_RESPONDER_HPP
#define LINKSPAN_MODEL_TYPED_RESPONDER_HPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/responder.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Sends the response to one request of the server, immediately or later, as a struct.
///
/// Passed to handlers of `set_handler<Kind>`. The first call of `operator()` or `refuse` sends the response; later
/// calls do nothing. A responder that is destroyed without a response sends the result `Kind::default_result()` if the
/// kind has one (`elicitation`: `decline`), else it refuses the request with -32603.
///
/// \tparam Kind The kind of request: `elicitation`, `sampling` or `roots`.
/// \par Lifetime
/// The responder may outlive the session. After the end of the session, responses are discarded.
/// \par Thread safety
/// Unsafe: use the object on the executor of the session or connector.
template<class Kind>
class typed_responder {
public:
    using result_type = typename Kind::result_type; ///< type of the result

    /// Constructs the responder of one request. Called by sessions.
    ///
    /// \param reply The responder of the request.
    /// \param context The text that `Kind::keep` returned for the request.
    typed_responder(responder reply, std::string context) : reply_(std::move(reply)), context_(std::move(context)) {}

    /// Moves the request into the new object; the moved-from object no longer sends a response.
    typed_responder(typed_responder&&) noexcept = default;
    typed_responder& operator=(typed_responder&&) = delete;

    /// Sends `Kind::default_result()`, or refuses the request with -32603, if no response was sent.
    ~typed_responder()
    {
        if constexpr (requires { Kind::default_result(); })
            if (reply_.is_awaited())
                reply_(raw_json(Kind::default_result()));
    }

    /// Sends a result. Does nothing if `is_awaited()` is false.
    ///
    /// \throws std::bad_alloc
    void operator()(result_type const& result)
    {
        auto const text = Kind::write(result, context_);
        reply_(raw_json(text));
    }

    /// Refuses the request, as `responder::refuse` does: in the era `handshake` by an error response. In the era
    /// `stateless`, a refused elicitation is sent as `decline`, and the refusal of a request of another kind completes
    /// the call with `input_refused`. Does nothing if `is_awaited()` is false.
    ///
    /// \param code The JSON-RPC error code, such as -32602 (invalid params) or -1 (refused by the end user).
    /// \param message A text for the operator of the server, in UTF-8.
    /// \throws std::bad_alloc
    void refuse(int code, std::string_view message) { reply_.refuse(code, message); }

    /// Returns whether the server still awaits a response. False after a response, after the server cancelled its
    /// request, and after the session was closed or destroyed.
    bool is_awaited() const noexcept { return reply_.is_awaited(); }

    /// Sends `notifications/progress`, as `responder::report_progress` does.
    ///
    /// \param update Amount of work done; `progress_update::progress` must increase with each call.
    /// \throws std::bad_alloc
    void report_progress(progress_update const& update) { reply_.report_progress(update); }

private:
    responder reply_;
    std::string context_; // the result of Kind::keep for the request; passed to Kind::write
};

namespace detail {

/// Returns a handler for the JSON text of params, which calls a handler for the structs of `Kind`.
///
/// The returned handler reads the request with `Kind::read`. If `Kind::read` returns a reason for a refusal, the
/// handler sends the error -32602 with this reason.
///
/// \param handler The handler for the structs of `Kind`.
/// \param options The options of the kind.
/// \param server The name of the server in the connector; empty in a session.
template<class Kind, class Handler>
auto bind_typed(std::shared_ptr<Handler> handler, typename Kind::options options, std::string server)
{
    return
        [handler = std::move(handler), options, server = std::move(server)](std::string_view params, responder reply) {
            typename Kind::request_type request;
            request.server = server;
            if (auto const refusal = Kind::read(request, params, options); !refusal.empty())
                return reply.refuse(-32602, refusal);
            auto context = Kind::keep(request, options);
            (*handler)(std::as_const(request), typed_responder<Kind>(std::move(reply), std::move(context)));
        };
}

} // namespace detail
} // namespace linkspan

#endif
