#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_SERVER_STREAM_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_SERVER_STREAM_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/http/client/http_reply.hpp>
#include <linkspan/http/http_config.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// State of the stream on which the server sends messages to the client. In Streamable HTTP, the stream is optional, and
// each response arrives in the exchange of its request. In HTTP+SSE, all messages arrive on the stream, which
// determines the target of POST. The class chooses between the two variants, and performs no I/O.
//
//     streamable ── fall_back ──> opening ── on_endpoint ──> open ── on_end ──> ended
//          ^                         │
//          └── on_fallback_failed ───┘
//
// Invariants:
// 1. With `http_framing::sse`, the state is `opening` from the beginning. If the stream cannot be opened,
//    `http_core::open` completes with the error.
// 2. The views of `refusal_` refer to the body of the refused exchange, which the owner keeps in the state `opening`.
class server_stream {
public:
    server_stream(http_framing framing, std::string target)
        : framing_(framing), carries_messages_(framing == http_framing::sse), post_target_(std::move(target))
    {}

    // Returns whether all messages arrive on the stream (HTTP+SSE).
    bool carries_messages() const noexcept { return carries_messages_; }

    // Returns the target of POST.
    std::string const& post_target() const noexcept { return post_target_; }

    // Called with the refusal of a request. Returns whether HTTP+SSE is attempted: the refused request is
    // `initialize`, the refusal indicates a server of the era `handshake`, and the variant is
    // `http_framing::automatic`. The refused request is then sent again when the stream is open.
    LINKSPAN_DECL bool fall_back(http_post const& refused, http_verdict const& refusal);

    // Called when the server has determined the target of POST.
    void on_endpoint(std::string target) { post_target_ = std::move(target); }

    // Called if the stream of `fall_back` cannot be opened. Returns the refusal, which is the result of the handshake.
    http_verdict const& on_fallback_failed() noexcept
    {
        carries_messages_ = false;
        return refusal_;
    }

    // Called when the stream of HTTP+SSE has ended. `status`: status of its response. `was_stream`: the response
    // was a stream. Returns the reason of the end, which is never empty.
    LINKSPAN_DECL static error_code reason_of_end(error_code ec, int status, bool was_stream) noexcept;

    // Called when the open stream has ended. `reason`: the result of `reason_of_end`. No message can arrive any more.
    void on_end(error_code reason) noexcept { end_ = reason; }

    // Returns the error of receives after the end; no error: the stream has not ended.
    error_code end() const noexcept { return end_; }

private:
    http_framing framing_;    // variant of the transport, as chosen by the caller; set by the constructor
    bool carries_messages_;   // set by the constructor and `fall_back`; cleared by `on_fallback_failed`
    std::string post_target_; // set by the constructor; replaced by `on_endpoint`
    http_verdict refusal_;    // set by `fall_back`
    error_code end_;          // set by `on_end`, never cleared
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/server_stream.ipp>
#endif

#endif
