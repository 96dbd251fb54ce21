#ifndef LINKSPAN_SCHEMA_DETAIL_SCHEMA_REFERENCES_HPP
#define LINKSPAN_SCHEMA_DETAIL_SCHEMA_REFERENCES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/detail/compilation.hpp>
#include <linkspan/schema/detail/schema_resources.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// References of a schema, which are resolved after the reading of keywords, when more anchors and URIs are known.
//
// A reference may refer to a value that is not in the position of a schema, or to a document that has not been read.
// Its resolution then adds schemas to be read, and is repeated afterwards.
//
// Invariant: between two calls of resolve_next(), each added reference is resolved or in exactly one of `waiting_` and
// `open_`.
class schema_references {
public:
    struct reference {
        schema_index node, logic;
        std::size_t position;  // index in `logic_rules::references`
        std::string_view text; // URI reference in the schema
    };

    schema_references(compilation& to, schema_resources& resources) noexcept : to_(to), resources_(resources) {}

    // Adds a reference to be resolved.
    LINKSPAN_DECL void add(reference const& made);

    // Resolves one reference, which may add schemas to be read. Returns false if no other reference can be resolved.
    LINKSPAN_DECL bool resolve_next();

    // Reports an error for each reference that could not be resolved, and completes the dynamic references.
    LINKSPAN_DECL void finish();

private:
    using value = boost::json::value;

    struct dynamic_reference {
        schema_index logic;
        std::size_t position;
        schema_index resource; // resource of the target
        std::string name;
    };

    LINKSPAN_DECL bool resolve(reference const& from);
    LINKSPAN_DECL std::optional<schema_index> find_resource(reference const& from, std::string_view uri);
    LINKSPAN_DECL schema_index follow(schema_index in, std::string_view pointer);
    LINKSPAN_DECL void resolve_dynamic();

    compilation& to_;                // receives the targets of references
    schema_resources& resources_;    // resources and anchors that were read
    std::vector<reference> waiting_; // references that were not tried in this round
    std::vector<reference> open_;    // references that failed in this round; tried again if nodes were added
    std::size_t nodes_before_ = 0;   // number of nodes at the beginning of the round
    unsigned rounds_left_ = 32;      // decremented by each round; bounds the time if a round resolves one reference
    std::vector<dynamic_reference> dynamic_; // candidates, filled by resolve() and checked by finish()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_references.ipp>
#endif

#endif
