#ifndef LINKSPAN_MODEL_SAMPLING_HPP
#define LINKSPAN_MODEL_SAMPLING_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/sampling_message.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Servers whose context a sampling request includes (`includeContext`).
enum class context_inclusion {
    none,        ///< no context; the default
    this_server, ///< context of the server that sends the request
    all_servers, ///< context of all servers of the client
};

/// Use of tools by the model (`toolChoice`).
enum class tool_choice_mode {
    automatic, ///< the model decides: `auto`, the default
    required,  ///< the model must use at least one tool
    none,      ///< the model must not use tools
};

/// Preferences of a server for the model of a sampling request, which the client may ignore.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/sampling, "Model Preferences".
struct model_preferences {
    std::vector<std::string> hints{};              ///< names of models, or parts of names; in order of preference
    std::optional<double> cost_priority{};         ///< importance of low cost, from 0 to 1; empty: not sent
    std::optional<double> speed_priority{};        ///< importance of low latency, from 0 to 1; empty: not sent
    std::optional<double> intelligence_priority{}; ///< importance of capabilities, from 0 to 1; empty: not sent

    /// Returns whether the object has no preferences.
    bool empty() const noexcept { return hints.empty() && !cost_priority && !speed_priority && !intelligence_priority; }

    bool operator==(model_preferences const&) const = default;
};

/// Request of a server for a completion by the language model of the client.
///
/// All texts are written by the server and are untrusted. The specification recommends that an end user can review and
/// deny the request.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/sampling.
struct sampling_request {
    std::string server{};        ///< name of the server in the connector; empty in a session
    std::string messages{};      ///< value of `messages` as JSON text, which is not validated; never empty in a handler
    std::string system_prompt{}; ///< requested system prompt; empty: none
    std::optional<std::int64_t> max_tokens{};  ///< maximum number of tokens of the completion; empty: not specified
    model_preferences preferences{};           ///< preferences for the model
    std::optional<double> temperature{};       ///< temperature of the sampling; empty: not sent
    std::vector<std::string> stop_sequences{}; ///< texts at which the model stops
    /// Requested context. `none` in a handler whose `sampling::options::context` is false.
    context_inclusion include_context = context_inclusion::none;
    std::string metadata{};    ///< data for the provider of the model, as a JSON object; empty: none
    std::vector<tool> tools{}; ///< tools that the model may use (since 2025-11-25)
    std::optional<tool_choice_mode> tool_choice{}; ///< use of the tools (since 2025-11-25); empty: not sent
    std::string raw{}; ///< all params as JSON text, for members that this struct does not have

    /// Returns `messages` with their content blocks.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::vector<sampling_message> conversation() const;

    /// Sets `messages` to the text that `append_json` writes for the messages and a protocol version.
    ///
    /// \param all The messages. A message with tool calls must be followed by a message of the user that contains the
    /// results of these calls only; clients refuse other requests. The function does not check this rule.
    /// \param id Protocol version of the request, such as `server_request::protocol_version()`.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void set_conversation(std::vector<sampling_message> const& all, protocol_version id);
};

/// Result of a sampling request: the completion, as a message of the model.
struct sampling_result {
    std::string text{};             ///< text of the message; ignored if `content` is not empty
    std::string content{};          ///< JSON text of a content block, or of an array of them; empty: `text` is sent
    std::string model{};            ///< name of the model that produced the message; sent also if empty
    std::string stop_reason{};      ///< reason why the model stopped, such as `endTurn`, `toolUse`; empty: not sent
    std::string role = "assistant"; ///< role of the message: `assistant` or `user`

    /// Returns the content blocks of the message: those of `content`, or `text` if `content` is empty. With the stop
    /// reason `toolUse`, some of them are `tool_use_content`.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::vector<content_block> blocks() const;

    /// Sets `content`. Several blocks, and blocks of the type `tool_use`, exist since 2025-11-25, and audio since
    /// 2025-03-26.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL void set_blocks(std::vector<content_block> const& all);
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

    /// Parts of sampling that the client declares to servers.
    struct options {
        bool tools = false;   ///< declares `tools`; without it, requests with `tools` or `toolChoice` are refused
        bool context = false; ///< declares `context`; without it, `include_context` is `none` in each request
    };

    static constexpr std::string_view method = "sampling/createMessage"; ///< JSON-RPC method of the request

    /// Returns the value of the client capability `sampling` as JSON text.
    LINKSPAN_DECL static std::string capability(options settings);

    /// Reads a request from the params of the JSON-RPC request.
    ///
    /// \param out Receives the request; `server` is not modified.
    /// \param params The params as the text of a JSON object.
    /// \param settings The declared parts of sampling.
    /// \returns An empty string, or the reason why the client refuses the request: `messages` is missing; a tool call
    /// in the messages has no result in the next message, or a result has no call in the previous one; a message with
    /// results of tools has other content, or is not a message of the user; `tools` or `toolChoice` is not valid or not
    /// declared.
    LINKSPAN_DECL static std::string read(sampling_request& out, std::string_view params, options settings);

    /// Returns an empty string, because `write` uses no part of the request.
    static std::string keep(sampling_request const&, options) { return {}; }

    /// Returns the result as JSON text. `sampling_result::content` is not checked.
    LINKSPAN_DECL static std::string write(sampling_result const& result, std::string_view);

    /// @name The side of the server
    /// @{

    /// Returns the params of a request as the text of a JSON object: `raw` if it is not empty, else the other members
    /// that the protocol version has. Without `max_tokens`, `maxTokens` is 1,000, because the specification requires
    /// the member.
    LINKSPAN_DECL static std::string params_of(sampling_request const& request, protocol_version id);

    /// Returns whether the capabilities of a client permit the request. A request with `tools` or `toolChoice` needs
    /// `sampling.tools`; one that includes context needs `sampling.context`, since 2025-11-25.
    LINKSPAN_DECL static bool is_declared(client_capabilities const& of, sampling_request const& request,
                                          protocol_version id);

    /// Returns whether the protocol version has the request. `tools` and `toolChoice` exist since 2025-11-25.
    LINKSPAN_DECL static bool exists_in(protocol_version id, sampling_request const& request) noexcept;

    /// Returns the capabilities that the request needs, as the text of a JSON object.
    LINKSPAN_DECL static std::string_view required(sampling_request const& request, protocol_version id) noexcept;

    /// Reads a result that a client sent. `text` becomes the text of the first text block, and `content` the JSON text
    /// of the content.
    /// \returns The result; empty if it has no content.
    LINKSPAN_DECL static std::optional<sampling_result> read_result(std::string_view json);
    /// @}
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/sampling.ipp>
#endif

#endif
