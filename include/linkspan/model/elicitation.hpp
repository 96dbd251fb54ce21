#ifndef LINKSPAN_MODEL_ELICITATION_HPP
#define LINKSPAN_MODEL_ELICITATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Mode of an elicitation: the way in which the end user enters the input.
enum class elicit_mode {
    form, ///< the client shows a form; the fields are returned to the server
    url,  ///< the client opens a page in a browser; the input is not visible to the client
};

/// Decision of the end user about an elicitation.
enum class elicit_action {
    accept,  ///< the end user submitted the form, or consented to open the page
    decline, ///< the end user refused explicitly
    cancel,  ///< the end user dismissed the request without a decision
};

/// Request of a server for input of the end user, the person who uses the program.
///
/// All texts are written by the server and are untrusted. The specification requires that the client shows which server
/// requests the input, that the end user can decline, and that no page is opened without the consent of the end user.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/elicitation.
struct elicit_request {
    std::string server;                   ///< name of the server in the connector; empty in a session
    std::string message;                  ///< text for the end user
    elicit_mode mode = elicit_mode::form; ///< `form` if the server does not specify a mode
    std::string requested_schema;         ///< JSON Schema of the form, as the text of a flat object schema; mode `form`
    std::string url;                      ///< address of the page; mode `url` (since 2025-11-25)
    std::string elicitation_id;           ///< identifier of the elicitation; mode `url` in 2025-11-25, else empty
};

/// Result of an elicitation.
struct elicit_result {
    elicit_action action = elicit_action::decline; ///< decision of the end user
    boost::json::object content;                   ///< fields of an accepted form; not sent with another action
};

/// Kind of server request for `set_handler<elicitation>`: `elicitation/create`.
///
/// The handler has the signature `void(elicit_request const&, typed_responder<elicitation>)`. A responder that is
/// destroyed without a response declines.
///
///     hub.set_handler<linkspan::elicitation>([](auto const& request, auto reply) {
///         reply({.action = linkspan::elicit_action::accept, .content = show_form(request)});
///     });
///
/// The library calls the static functions, which convert between structs and JSON text.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, client/elicitation.
struct elicitation {
    using request_type = elicit_request; ///< first parameter of the handler
    using result_type = elicit_result;   ///< parameter of the responder

    /// Modes that the client declares to servers, and treatment of defaults in schemas.
    struct options {
        /// Declares mode `form`. At least one of `form` and `url` must be true, because a capability without a mode
        /// declares the mode `form`. Requests for a mode whose member is false are refused.
        bool form = true;
        bool url = false; ///< declares mode `url`
        /// Adds the `default` of each property of the schema that is missing in the content of an accepted form.
        bool fill_defaults = true;
    };

    static constexpr std::string_view method = "elicitation/create"; ///< JSON-RPC method of the request

    /// Returns the value of the client capability `elicitation` as JSON text.
    LINKSPAN_DECL static std::string capability(options settings);

    /// Reads a request from the params of the JSON-RPC request.
    ///
    /// \param out Receives the request; `server` is not modified.
    /// \param params The params as the text of a JSON object.
    /// \param settings The declared modes.
    /// \returns An empty string, or the reason why the client refuses the request: its mode is unknown or not declared.
    LINKSPAN_DECL static std::string read(elicit_request& out, std::string_view params, options settings);

    /// Returns the text to pass to `write` with the result: the requested schema if `fill_defaults` is set, else empty.
    LINKSPAN_DECL static std::string keep(elicit_request const& request, options settings);

    /// Returns the result as JSON text.
    ///
    /// \param result The result. Its content is written only with `elicit_action::accept`.
    /// \param schema The schema whose defaults are added to the content; empty: none.
    LINKSPAN_DECL static std::string write(elicit_result const& result, std::string_view schema);

    /// @name The side of the server
    /// @{

    /// Returns the params of a request as the text of a JSON object, with the members that the protocol version has.
    LINKSPAN_DECL static std::string params_of(elicit_request const& request, protocol_version id);

    /// Returns whether the capabilities of a client permit the request: its mode is declared. An empty capability
    /// `elicitation` declares the mode `form`.
    static bool is_declared(client_capabilities const& of, elicit_request const& request, protocol_version) noexcept
    {
        return of.elicitation && (request.mode == elicit_mode::url ? of.elicitation->url : of.elicitation->has_form());
    }

    /// Returns whether the protocol version has the request: the mode `url` exists since 2025-11-25. `is_declared` does
    /// not suffice, because a client that proposed a newer version than the negotiated one may have declared the mode.
    static constexpr bool exists_in(protocol_version id, elicit_request const& request) noexcept
    {
        return request.mode == elicit_mode::url ? traits_of(id).elicitation_modes : traits_of(id).elicitation;
    }

    /// Returns the capabilities that the request needs, as the text of a JSON object.
    static std::string_view required(elicit_request const& request, protocol_version) noexcept
    {
        return request.mode == elicit_mode::url ? R"({"elicitation":{"url":{}}})" : R"({"elicitation":{"form":{}}})";
    }

    /// Reads a result that a client sent. Returns an empty optional if the action is missing or unknown, or if the
    /// content of an accepted form is present and is not a JSON object.
    LINKSPAN_DECL static std::optional<elicit_result> read_result(std::string_view json);
    /// @}

    /// Returns the result that a responder sends if the handler destroys it without a response.
    static constexpr std::string_view default_result() { return R"({"action":"decline"})"; }
};

/// Adds the `default` of each property that a schema has and `content` does not have.
///
/// \param content The fields of a form.
/// \param requested_schema The JSON Schema of the form as text. Properties without a `default` are ignored. The
/// function does not check whether a default matches the schema of its property.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, client/elicitation (SEP-1034).
LINKSPAN_DECL void fill_defaults(boost::json::object& content, std::string_view requested_schema);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/elicitation.ipp>
#endif

#endif
