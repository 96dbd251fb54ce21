#ifndef LINKSPAN_MODEL_SAMPLING_HPP
#define LINKSPAN_MODEL_SAMPLING_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Request of a server for a completion by the language model of the client.
///
/// All texts are written by the server and are untrusted. The specification recommends that an end user can review and
/// deny the request.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/sampling.
struct sampling_request {
    std::string server;                     ///< name of the server in the connector; empty in a session
    std::string messages;                   ///< the conversation, as the text of a JSON array; never empty in a handler
    std::string system_prompt;              ///< requested system prompt; empty: none
    std::optional<std::int64_t> max_tokens; ///< maximum number of tokens of the completion; empty: not sent
    std::string raw;                        ///< all params as JSON text, for members that this struct does not have
};

/// Result of a sampling request: the completion, as a message of the model.
struct sampling_result {
    std::string text;               ///< text of the message; ignored if `content` is not empty
    std::string content;            ///< JSON text of a content block, or of an array of them; empty: `text` is sent
    std::string model;              ///< name of the model that produced the message; sent also if empty
    std::string stop_reason;        ///< reason why the model stopped, such as `endTurn`; empty: not sent
    std::string role = "assistant"; ///< role of the message: `assistant` or `user`
};

/// Kind of server request for `set_handler<sampling>`: `sampling/createMessage`.
///
/// The handler has the signature `void(sampling_request const&, typed_responder<sampling>)`. A responder that is
/// destroyed without a response sends the error -32603. In stateless protocol versions, an error completes the call
/// that requested the message with `input_refused`.
///
///     hub.set_handler<linkspan::sampling>([](auto const& request, auto reply) {
///         reply({.text = run_model(request.messages), .model = "local"});
///     });
///
/// The library calls the static functions, which convert between structs and JSON text.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/sampling.
struct sampling {
    using request_type = sampling_request; ///< first parameter of the handler
    using result_type = sampling_result;   ///< parameter of the responder
    struct options {};                     ///< no options

    static constexpr std::string_view method = "sampling/createMessage"; ///< JSON-RPC method of the request

    /// Returns the value of the client capability `sampling` as JSON text.
    static std::string capability(options) { return "{}"; }

    /// Reads a request from the params of the JSON-RPC request.
    ///
    /// \param out Receives the request; `server` is not modified.
    /// \param params The params as the text of a JSON object.
    /// \returns An empty string, or the reason why the client refuses the request: `messages` is missing.
    LINKSPAN_DECL static std::string read(sampling_request& out, std::string_view params, options with);

    /// Returns an empty string: `write` needs nothing of the request.
    static std::string keep(sampling_request const&, options) { return {}; }

    /// Returns the result as JSON text. `sampling_result::content` is not checked.
    LINKSPAN_DECL static std::string write(sampling_result const& result, std::string_view);

    /// @name The side of the server
    /// @{

    /// Returns the params of a request as the text of a JSON object: `raw` if it is not empty, else the other members.
    /// Without `max_tokens`, `maxTokens` is 1,000, because the specification requires the member.
    LINKSPAN_DECL static std::string params_of(sampling_request const& request, protocol_version id);

    /// Returns whether the capabilities of a client permit the request. A request with `tools` needs `sampling.tools`.
    LINKSPAN_DECL static bool is_declared(std::string_view capabilities, sampling_request const& request);

    /// Returns whether the protocol version has the request: all have.
    static constexpr bool exists_in(protocol_version) noexcept { return true; }

    /// Returns the capabilities that the request needs, as the text of a JSON object.
    LINKSPAN_DECL static std::string_view required(sampling_request const& request) noexcept;

    /// Reads a result that a client sent. `text` is that of the first text block; `content` is the JSON text.
    /// \returns The result; empty if it has no content.
    LINKSPAN_DECL static std::optional<sampling_result> read_result(std::string_view json);
    /// @}
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/sampling.ipp>
#endif

#endif
