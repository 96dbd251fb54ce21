#ifndef LINKSPAN_MODEL_ELICITATION_HPP
#define LINKSPAN_MODEL_ELICITATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace linkspan {

enum class elicit_mode {
    form, ///< the user fills in a form
    url,  ///< the user is sent to a page, and what is done there stays there
};

enum class elicit_action {
    accept,
    decline, ///< the user said no
    cancel,  ///< the user said nothing
};

/// A server wants to know something of the user. Show which server asks, let the user say no, and open no page without
/// consent; the texts are the server's, and untrusted.
///
/// Specification: 2025-11-25 and 2026-07-28, client/elicitation.
struct elicit_request {
    std::string server;  ///< its name in the connector; empty in a session
    std::string message; ///< for the user
    elicit_mode mode = elicit_mode::form;
    std::string requested_schema; ///< JSON text of a flat object's schema; of a form
    std::string url;              ///< of a page
    std::string elicitation_id;   ///< of a page, in 2025-11-25
};

struct elicit_result {
    elicit_action action = elicit_action::decline;
    boost::json::object content; ///< of an accepted form: its fields
};

/// What `on<elicitation>` handles: `handler(elicit_request const&, typed_responder<elicitation>)`.
struct elicitation {
    using request_type = elicit_request;
    using result_type = elicit_result;

    /// What is declared to servers, and so what they may ask for.
    struct options {
        bool form = true;
        bool url = false;
        bool fill_defaults = true; ///< an accepted form gets the `default` of each property that it lacks
    };

    static constexpr std::string_view method = "elicitation/create";

    LINKSPAN_DECL static std::string capability(options with);
    LINKSPAN_DECL static std::string read(elicit_request& out, std::string_view params, options with);
    LINKSPAN_DECL static std::string keep(elicit_request const& request, options with);
    LINKSPAN_DECL static std::string write(elicit_result const& result, std::string_view schema);
    static constexpr std::string_view unanswered() { return R"({"action":"decline"})"; }
};

/// Gives `content` the `default` of each property of the schema that it lacks.
///
/// Specification: 2025-11-25, client/elicitation (SEP-1034).
LINKSPAN_DECL void fill_defaults(boost::json::object& content, std::string_view requested_schema);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/elicitation.ipp>
#endif

#endif
