#ifndef LINKSPAN_PROTOCOL_SERVER_SERVER_DIALOGUE_HPP
#define LINKSPAN_PROTOCOL_SERVER_SERVER_DIALOGUE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// The server's side of a conversation, in every protocol version: opens it, checks what comes, and writes answers as the
/// protocol version wants them. What only the server itself can say (its tools, the result of a call) is handed out.
///
/// A message is one event; the action says whether it was dealt with. In the stateless protocol versions each request says for
/// itself in which one it is written, and one connection may carry both eras.
///
/// Specification: obligations of servers in each protocol version, basic/lifecycle, basic/versioning, server/discover.
class server_dialogue {
public:
    struct options {
        std::vector<protocol_version> speaks{protocol_version::v2025_11_25,
                                             protocol_version::v2026_07_28}; ///< at least one
        std::string name = "linkspan-server";
        std::string version = "1";
        std::string capabilities = R"({"tools":{"listChanged":true}})";
        std::string instructions;
    };

    struct action {
        enum class kind {
            ignore,    ///< nothing to do
            send,      ///< send `text`, which answers `message`
            request,   ///< answer `message`, a request that the dialogue does not know
            notify,    ///< `message` is a notification
            answer,    ///< `message` answers a request of ours
            batch,     ///< an array of messages, each an event of its own
            malformed, ///< no valid message; `text` is the refusal to send, if any
        };

        kind what = kind::ignore;
        envelope message;           ///< views into the line
        protocol_version version{}; ///< in which its answer must be written
        std::string text;
    };

    explicit server_dialogue(options with) : options_(std::move(with)) {}

    /// Event: a line came. Its text must outlive the action.
    LINKSPAN_DECL action on_message(std::string_view line);

    /// Writes the answer to a request; `members` are those of the result. What the protocol version wants beside them is added.
    LINKSPAN_DECL std::string result(std::string_view raw_id, std::string_view members, protocol_version id,
                                     bool cacheable = false) const;

    /// Writes a refusal; `data` is JSON text, or empty.
    LINKSPAN_DECL static std::string failure(std::string_view raw_id, int code, std::string_view message,
                                             std::string_view data = {});

    /// The protocol version that the handshake fixed, else the newest one that is spoken.
    LINKSPAN_DECL protocol_version version() const noexcept;

private:
    bool speaks(protocol_version id) const noexcept;
    bool speaks_handshake() const noexcept;
    protocol_version newest_supported(era opening) const noexcept;
    std::string supported(era opening) const;
    std::string info() const;
    action initialize(envelope const& request);
    std::string discover(std::string_view raw_id, protocol_version id) const;
    action refuse_envelope(envelope const& request, std::string_view proposed) const;
    std::string unsupported(std::string_view raw_id, std::string_view proposed) const;

    options options_;
    bool initialized_ = false;
    protocol_version agreed_{};
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/server_dialogue.ipp>
#endif

#endif
