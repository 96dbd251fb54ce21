#ifndef LINKSPAN_MODEL_ROOTS_HPP
#define LINKSPAN_MODEL_ROOTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/typed_responder.hpp>

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
    struct options {};                  ///< no options

    static constexpr std::string_view method = "roots/list"; ///< JSON-RPC method of the request

    /// Returns the value of the client capability `roots` as JSON text.
    static std::string capability(options) { return "{}"; }

    /// Returns an empty string: the params contain nothing to read, and no request is refused.
    static std::string read(roots_request&, std::string_view, options) { return {}; }

    /// Returns an empty string: `write` needs nothing of the request.
    static std::string keep(roots_request const&, options) { return {}; }

    /// Returns the result as JSON text.
    LINKSPAN_DECL static std::string write(roots_result const& result, std::string_view);
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/roots.ipp>
#endif

#endif
