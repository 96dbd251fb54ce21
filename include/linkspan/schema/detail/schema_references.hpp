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

namespace linkspan::detail {

// References wait until all names are known; one may lead to what no walk came by, or into a document that was not read
// yet.
class schema_references {
public:
    struct reference {
        schema_index node, logic;
        std::size_t position;  // among the references of the node
        std::string_view text; // of the schema
    };

    schema_references(compilation& to, schema_resources& resources) noexcept : to_(to), resources_(resources) {}

    LINKSPAN_DECL void add(reference const& made);

    // Resolves one, which may find schemas to read. False when there is none left that could be.
    LINKSPAN_DECL bool resolve_next();

    // Refuses those that lead nowhere, and makes those dynamic that are.
    LINKSPAN_DECL void finish();

private:
    using value = boost::json::value;

    struct dynamic_reference {
        schema_index logic;
        std::size_t position;
        schema_index resource; // in which it leads to this name
        std::string name;
    };

    LINKSPAN_DECL bool resolve(reference const& from);
    LINKSPAN_DECL std::optional<schema_index> find_resource(reference const& from, std::string_view uri);
    LINKSPAN_DECL schema_index follow(schema_index in, std::string_view pointer);
    LINKSPAN_DECL void resolve_dynamic();

    compilation& to_;
    schema_resources& resources_;
    std::vector<reference> waiting_;
    std::vector<reference> open_;  // led nowhere when there were
    std::size_t nodes_before_ = 0; // so many nodes
    unsigned rounds_left_ = 32;    // through all of them, as each may find the way of but one
    std::vector<dynamic_reference> dynamic_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_references.ipp>
#endif

#endif
