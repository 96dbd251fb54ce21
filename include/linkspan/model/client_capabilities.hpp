#ifndef LINKSPAN_MODEL_CLIENT_CAPABILITIES_HPP
#define LINKSPAN_MODEL_CLIENT_CAPABILITIES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Client capability `roots`.
struct roots_capability {
    bool list_changed = false; ///< the client notifies the server of changes (era `handshake`)

    bool operator==(roots_capability const&) const = default;
};

/// Client capability `sampling`.
struct sampling_capability {
    bool tools = false;   ///< requests may have `tools` and `toolChoice` (since 2025-11-25)
    bool context = false; ///< requests may have an `includeContext` other than `none` (declared since 2025-11-25)

    bool operator==(sampling_capability const&) const = default;
};

/// Client capability `elicitation` (since 2025-06-18).
struct elicitation_capability {
    bool form = false; ///< declares the mode `form` (since 2025-11-25)
    bool url = false;  ///< declares the mode `url` (since 2025-11-25)

    /// Returns whether the mode `form` is supported: an empty capability declares it.
    constexpr bool has_form() const noexcept { return form || !url; }

    bool operator==(elicitation_capability const&) const = default;
};

/// Client capability `tasks` (2025-11-25 only): requests of the server that can continue as tasks of the client.
struct client_tasks_capability {
    bool list = false;        ///< the client supports `tasks/list`
    bool cancel = false;      ///< the client supports `tasks/cancel`
    bool sampling = false;    ///< `sampling/createMessage` can continue as a task
    bool elicitation = false; ///< `elicitation/create` can continue as a task

    bool operator==(client_tasks_capability const&) const = default;
};

/// Capabilities of a client: the kinds of requests that it supports. An empty optional: the capability is not declared.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, schema: `ClientCapabilities`.
struct client_capabilities {
    std::optional<roots_capability> roots{};             ///< `roots`
    std::optional<sampling_capability> sampling{};       ///< `sampling`
    std::optional<elicitation_capability> elicitation{}; ///< `elicitation`
    std::optional<client_tasks_capability> tasks{};      ///< `tasks`
    std::string extensions{};   ///< `extensions` as the text of a JSON object (since 2026-07-28); empty: none
    std::string experimental{}; ///< `experimental` as the text of a JSON object; empty: none
    std::string raw{};          ///< the whole object as it was read, for other members; `append_json` ignores it

    /// Returns whether an extension is declared, such as `io.modelcontextprotocol/tasks`.
    LINKSPAN_DECL bool has_extension(std::string_view name) const noexcept;

    bool operator==(client_capabilities const&) const = default;
};

/// Reads the capabilities of a client. A capability whose value is not an object is not declared.
///
/// \param json The capabilities as the text of a JSON object.
/// \throws std::bad_alloc
LINKSPAN_DECL client_capabilities read_client_capabilities(std::string_view json);

/// Appends capabilities as a JSON object, with the members that the protocol version has. The capability `elicitation`
/// is omitted in a protocol version without modes if it declares the mode `url` only.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, client_capabilities const& from, protocol_version id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/client_capabilities.ipp>
#endif

#endif
