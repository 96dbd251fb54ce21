#ifndef LINKSPAN_MODEL_SAMPLING_HPP
#define LINKSPAN_MODEL_SAMPLING_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan {

/// A server wants the client's model to say something. A person should see it before; the texts are the server's, and
/// untrusted.
///
/// Specification: 2025-11-25 and 2026-07-28, client/sampling.
struct sampling_request {
    std::string server;   ///< its name in the connector; empty in a session
    std::string messages; ///< JSON text of an array
    std::string system_prompt;
    std::optional<std::int64_t> max_tokens; ///< must be respected
    std::string raw;                        ///< all params, as JSON text
};

struct sampling_result {
    std::string text;    ///< what the model says
    std::string content; ///< JSON text of a content block, or an array of them; empty: `text`
    std::string model;
    std::string stop_reason; ///< such as "endTurn"; empty: not told
    std::string role = "assistant";
};

/// What `on<sampling>` handles: `handler(sampling_request const&, typed_responder<sampling>)`. One that is refused ends
/// the call that the server works on.
struct sampling {
    using request_type = sampling_request;
    using result_type = sampling_result;
    struct options {};

    static constexpr std::string_view method = "sampling/createMessage";

    static std::string capability(options) { return "{}"; }
    LINKSPAN_DECL static std::string read(sampling_request& out, std::string_view params, options with);
    static std::string keep(sampling_request const&, options) { return {}; }
    LINKSPAN_DECL static std::string write(sampling_result const& result, std::string_view);
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/sampling.ipp>
#endif

#endif
