#ifndef LINKSPAN_MODEL_ROOTS_HPP
#define LINKSPAN_MODEL_ROOTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/typed_responder.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// A folder that a server may work in.
///
/// Specification: 2025-11-25 and 2026-07-28, client/roots.
struct root {
    std::string uri;  ///< "file:///home/ada/project"
    std::string name; ///< for people; may be empty
};

struct roots_request {
    std::string server; ///< its name in the connector; empty in a session
};

struct roots_result {
    std::vector<root> roots;
};

/// What `on<roots>` handles: `handler(roots_request const&, typed_responder<roots>)`.
struct roots {
    using request_type = roots_request;
    using result_type = roots_result;
    struct options {};

    static constexpr std::string_view method = "roots/list";

    static std::string capability(options) { return "{}"; }
    static std::string read(roots_request&, std::string_view, options) { return {}; }
    static std::string keep(roots_request const&, options) { return {}; }
    LINKSPAN_DECL static std::string write(roots_result const& result, std::string_view);
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/roots.ipp>
#endif

#endif
