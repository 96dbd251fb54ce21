#ifndef LINKSPAN_PROTOCOL_SERVER_SERVER_DIALOGUE_HPP
#define LINKSPAN_PROTOCOL_SERVER_SERVER_DIALOGUE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/text_buffer.hpp>
#include <linkspan/model/implementation.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/server/frequent_request.hpp>
#include <linkspan/protocol/server/request_params.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// State machine for the server side of a connection, in every protocol version. The machine responds to the requests
/// that open a connection, validates messages, and composes responses.
///
/// Each message is an event. The returned action contains either the response, or the message that the server has to
/// process, such as a request for its tools. Requests of a stateless protocol version contain their version, so that
/// one connection may carry requests of both eras. Copies of a machine share its options. The class performs no I/O.
///
///     auto const next = dialogue.on_message(line);
///     if (!next.text.empty())
///         write(next.text);
///     else if (next.what == linkspan::server_dialogue::action::kind::request)
///         process(next.message, next.version);
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// Every protocol version, basic/lifecycle; 2026-07-28, basic/versioning and server/discover.
class server_dialogue {
public:
    /// Options of a server, with its name (default: "linkspan-server"), its version (default: "1") and further details.
    struct options : implementation {
        /// Creates the default options.
        options()
        {
            name = "linkspan-server";
            version = "1";
        }

        /// Protocol versions that the server supports; at least one. Default: 2025-11-25 and 2026-07-28.
        std::vector<protocol_version> protocol_versions{protocol_version::v2025_11_25, protocol_version::v2026_07_28};
        /// Capabilities of the server, as the text of a JSON object. Default: tools with list-changed notifications.
        std::string capabilities = R"({"tools":{"listChanged":true}})";
        /// Returns the capabilities in a protocol version, in place of `capabilities`. Called for each `initialize` and
        /// `server/discover`. Empty: `capabilities` is used.
        std::function<std::string(protocol_version)> capabilities_of;

        /// Instructions for the model, sent in the response to `initialize` and `server/discover`. Default: empty,
        /// which means none.
        std::string instructions;
    };

    /// Result of a message: the action that the server must perform.
    struct action {
        /// Kinds of actions.
        enum class kind {
            /// No action.
            ignore,
            /// Send `text`, the response to `message`.
            send,
            /// Process the request `message` and respond to it in protocol version `version`.
            request,
            /// Process the notification `message`.
            notify,
            /// Process `message`, a response to a request of the server.
            response,

            /// Pass each element of the JSON array to `on_message`. Occurs only after a handshake with protocol version
            /// 2025-03-26.
            batch,

            /// The message is invalid; send `text`, an error response.
            malformed,

            /// The method, or a key of the message, contains escapes that JSON does not require. The state has not
            /// changed. Pass `text`, the same message without these escapes, to `on_message`, which then returns
            /// another action.
            escaped,
        };

        /// Kind of the action. Default: `ignore`.
        kind what = kind::ignore;
        /// Structure of the message; its views refer to the line.
        envelope message;
        /// Protocol version in which the response has to be written.
        protocol_version version{};
        /// Members of the params of a request; views of the line.
        request_params params;
        /// First member of `_meta` of a request if it is `progressToken`, as JSON text; view of the line; empty: the
        /// first member is another one.
        std::string_view progress_token;
        /// Members of `_meta` of a request without that first one, with the closing brace; view of the line; empty:
        /// missing.
        std::string_view meta_members;
        /// Number of the `meta_members` of a request in a stateless protocol version: two requests in succession with
        /// equal members of at most 64 KiB have the same number. 0: another message.
        std::uint64_t meta_number = 0;
        /// Response to send, without a line end; empty: none. For `escaped`, the message.
        std::string text;
    };

    /// Constructs a machine for the beginning of a connection. Precondition: `values.protocol_versions` is not empty.
    LINKSPAN_DECL explicit server_dialogue(options values);

    /// Event: a message was received.
    ///
    /// The machine composes the responses to `initialize`, to `ping` without a protocol version in `_meta`, and to a
    /// valid `server/discover`. The machine responds with these JSON-RPC errors: -32700 to text that is not valid JSON,
    /// with the id of a truncated message, and to invalid escapes in names; -32600 to other invalid messages, and to an
    /// `initialize` after a successful one; -32602 to requests of a stateless version without the required members of
    /// `_meta`; -32022 to unsupported stateless versions, and to an `initialize` if the server supports no version with
    /// a handshake; -32601 to an `initialize` of a stateless version, and to a `server/discover` without a stateless
    /// version in `_meta`, or if the server supports none.
    ///
    /// \param line Text of the message, which must outlive the returned action.
    /// \par Exception safety
    /// The same message can be passed again after an exception. Throws `std::bad_alloc`, and exceptions of
    /// `options::capabilities_of`.
    LINKSPAN_DECL action on_message(std::string_view line);

    /// Returns a response with a result, without a line end.
    ///
    /// In protocol versions in which results have a type, `resultType` "complete" and `_meta` with the server's
    /// identity are added, unless `members` contains them.
    ///
    /// \param raw_id Id of the request as JSON text, as in `envelope::raw_id`.
    /// \param members Members of the result as JSON text, without braces.
    /// \param id Protocol version of the response.
    /// \param cacheable True if `ttlMs` 0 and `cacheScope` "private" are added too, unless `members` contains them.
    LINKSPAN_DECL std::string result(std::string_view raw_id, std::string_view members, protocol_version id,
                                     bool cacheable = false) const;

    /// Members of a result that `write_result` must not add.
    struct contained_members {
        bool type = false;  ///< `resultType`
        bool cache = false; ///< `ttlMs` and `cacheScope`
        bool meta = false;  ///< `_meta`
    };

    /// Writes a response with a result to the memory after the text of `to`, as `result` does, but without reading
    /// `members`. The text of `to` is not changed.
    ///
    /// \param to Buffer for the response, and room for a line end after it.
    /// \param contains Members that are not added; `find_members` returns them.
    /// \returns The response, valid until the next call of `to.prepare`.
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string_view write_result(text_buffer& to, std::string_view raw_id, std::string_view members,
                                                protocol_version id, contained_members contains) const;

    /// Returns the member of `_meta` with the server's identity as JSON text.
    std::string_view identity_member() const noexcept
    {
        return std::string_view(settings_->result_meta).substr(1, settings_->result_meta.size() - 2);
    }

    /// Returns the members that `write_result` must not add to a result.
    ///
    /// \param members Members of the result as JSON text, without braces.
    /// \param cacheable False if `ttlMs` and `cacheScope` are not added, although `members` does not contain them.
    LINKSPAN_DECL static contained_members find_members(std::string_view members, bool cacheable) noexcept;

    /// Returns an error response, without a line end.
    ///
    /// \param raw_id Id of the request as it was received. The response has the id null if it is empty or not JSON.
    /// \param code Code of the JSON-RPC error.
    /// \param message Text of the error, which is quoted.
    /// \param data JSON text of the member `data`; empty: none.
    LINKSPAN_DECL static std::string failure(std::string_view raw_id, int code, std::string_view message,
                                             std::string_view data = {});

    /// Returns whether an `initialize` request of the client has succeeded.
    bool is_initialized() const noexcept { return initialized_; }

    /// Returns the protocol version that the handshake agreed on; before a handshake, the newest version that the
    /// server supports.
    LINKSPAN_DECL protocol_version version() const noexcept;

private:
    bool supports(protocol_version id) const noexcept;
    bool supports(era which) const noexcept;
    protocol_version newest_supported(era which) const noexcept;
    std::string supported(era which) const;
    std::string capabilities(protocol_version id) const;
    action initialize(envelope const& request);
    std::string discover(std::string_view raw_id, protocol_version id) const;
    action reject_meta(action next, std::string_view proposed, bool is_complete) const;
    std::string unsupported(std::string_view raw_id, std::string_view proposed) const;

    static std::string refusal_of_invalid(envelope const& message, std::string_view line);
    action on_escaped(envelope const& message, std::string_view line);
    action on_request(envelope const& message, request_params const& params, split_meta const& meta,
                      bool has_known_meta);
    // Sets the protocol version of a request, and stores its `_meta` if it is of a stateless protocol version. Replaces
    // the action if the request is malformed, or if the machine responds to it.
    void accept(action& next, bool has_known_meta);
    // Accepts a request whose `_meta` is stored.
    void accept_stateless(action& next) const;

    // Data that copies of the object share.
    struct settings {
        options with;
        protocol_version newest; // newest of the supported protocol versions
        std::string result_meta; // `_meta` of results of stateless protocol versions, with the server's identity
    };

    // set by the constructor; not null
    std::shared_ptr<settings const> settings_;
    // `_meta` of the last stateless request that was accepted, without a progress token as its first member, and its
    // protocol version: clients repeat both
    std::string accepted_meta_;
    protocol_version accepted_version_{};
    // number of `accepted_meta_`; incremented when it changes
    std::uint64_t meta_number_ = 0;
    // set by the first `initialize` that succeeds; never cleared
    bool initialized_ = false;
    // set with `initialized_`
    protocol_version agreed_{};
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/server_dialogue.ipp>
#endif

#endif
