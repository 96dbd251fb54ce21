#ifndef LINKSPAN_MODEL_ROOTS_HPP
#define LINKSPAN_MODEL_ROOTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A directory or file that a server may access.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/roots.
struct root {
    std::string uri;  ///< URI of the root, such as `file:///home/ada/project`
    std::string name; ///< human-readable name; empty: not sent
};

/// Request of a server for the roots of the client.
struct roots_request {
    std::string server; ///< name of the server in the connector; empty in a session
};

/// Result of a roots request.
struct roots_result {
    std::vector<root> roots; ///< roots in the order in which they are sent; may be empty
};

/// Kind of server request for `set_handler<roots>`: `roots/list`.
///
/// The handler has the signature `void(roots_request const&, typed_responder<roots>)`. A responder that is destroyed
/// without a response sends the error -32603.
///
///     hub.set_handler<linkspan::roots>([](auto const&, auto reply) {
///         reply({.roots = {{.uri = "file:///home/ada/project"}}});
///     });
///
/// The library calls the static functions, which convert between structs and JSON text.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/roots.
struct roots {
    using request_type = roots_request; ///< first parameter of the handler
    using result_type = roots_result;   ///< parameter of the responder
    /// Options of the handler.
    struct options {
        /// Whether the program notifies the servers of changes, by `session::notify_roots_changed` or
        /// `notify_roots_changed` of a connector. Declared as `listChanged` in the era `handshake`. Default: false.
        bool list_changed = false;
    };

    static constexpr std::string_view method = "roots/list"; ///< JSON-RPC method of the request

    /// Returns the value of the client capability `roots` as JSON text.
    static std::string capability(options settings) { return settings.list_changed ? R"({"listChanged":true})" : "{}"; }

    /// Returns an empty string: the params contain nothing to read, and no request is refused.
    static std::string read(roots_request&, std::string_view, options) { return {}; }

    /// Returns an empty string, because `write` uses no part of the request.
    static std::string keep(roots_request const&, options) { return {}; }

    /// Returns the result as JSON text.
    LINKSPAN_DECL static std::string write(roots_result const& result, std::string_view);

    /// @name The side of the server
    /// @{

    /// Returns the params of a request: an empty JSON object.
    static std::string params_of(roots_request const&, protocol_version) { return "{}"; }

    /// Returns whether the capabilities of a client permit the request.
    static bool is_declared(client_capabilities const& of, roots_request const&, protocol_version) noexcept
    {
        return of.roots.has_value();
    }

    /// Returns true, because all protocol versions have the request.
    static constexpr bool exists_in(protocol_version, roots_request const&) noexcept { return true; }

    /// Returns the capabilities that the request needs, as the text of a JSON object.
    static std::string_view required(roots_request const&, protocol_version) noexcept { return R"({"roots":{}})"; }

    /// Reads a result that a client sent. Entries without a URI are ignored.
    /// \returns The result; empty if `roots` is not an array.
    LINKSPAN_DECL static std::optional<roots_result> read_result(std::string_view json);
    /// @}
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/roots.ipp>
#endif

#endif
