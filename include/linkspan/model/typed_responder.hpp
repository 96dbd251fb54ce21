#ifndef LINKSPAN_MODEL_TYPED_RESPONDER_HPP
#define LINKSPAN_MODEL_TYPED_RESPONDER_HPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/responder.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// Answers one request of a server with a struct, now or later, as `responder` does.
///
/// `Kind` is what the server asks: `elicitation`, `sampling`, `roots`. One that is dropped without an answer says so as
/// the kind wants it: an elicitation is declined, everything else is refused.
///
/// Lifetime: may outlive the session; then an answer goes nowhere.
/// Thread safety: used on the executor of the session.
template<class Kind>
class typed_responder {
public:
    using result_type = typename Kind::result_type;

    typed_responder(responder reply, std::string context) : reply_(std::move(reply)), context_(std::move(context)) {}
    typed_responder(typed_responder&&) noexcept = default;
    typed_responder& operator=(typed_responder&&) = delete;

    ~typed_responder()
    {
        if constexpr (requires { Kind::unanswered(); })
            if (reply_.is_awaited())
                reply_(raw_json(Kind::unanswered()));
    }

    void operator()(result_type const& result)
    {
        auto const text = Kind::write(result, context_);
        reply_(raw_json(text));
    }

    /// Answers with an error.
    void refuse(int code, std::string_view message) { reply_.refuse(code, message); }

    /// False when nobody waits for the answer any more.
    bool is_awaited() const noexcept { return reply_.is_awaited(); }

private:
    responder reply_;
    std::string context_; // what the kind keeps of the request
};

namespace detail {

/// Binds a handler of structs to the raw door: `Kind::read` makes the request of the params, or says why not.
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
