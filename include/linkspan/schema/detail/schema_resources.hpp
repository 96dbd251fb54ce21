#ifndef LINKSPAN_SCHEMA_DETAIL_SCHEMA_RESOURCES_HPP
#define LINKSPAN_SCHEMA_DETAIL_SCHEMA_RESOURCES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/keyword_view.hpp>
#include <linkspan/schema/detail/compilation.hpp>
#include <linkspan/schema/detail/keywords.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Dialect and vocabularies of a resource, which determine its keywords.
struct dialect_rules {
    schema_dialect dialect = schema_dialect::draft_2020_12;
    std::uint8_t in_use = vocabularies::all; // bits of `vocabularies`

    bool operator==(dialect_rules const&) const = default;
};

// Schema resources of a compilation (JSON Schema 2020-12, Core, section 4.3.5): schemas with a URI of their own, and
// the anchors in them.
//
// Invariant: a name in `by_uri_`, `anchors_` or `dynamic_anchors_` keeps its first target; a repetition of the name in
// the schema does not replace it.
class schema_resources {
public:
    using value = boost::json::value;

    // Maximum size of a URI in bytes: the size that implementations should support (RFC 9110, section 4.1).
    static constexpr std::size_t max_uri = 8'000;

    struct resource {
        std::string base;    // base URI
        value const* root;   // root schema of the resource
        dialect_rules rules; // set by enter() for the root, from `$schema`
    };

    explicit schema_resources(compilation& to) noexcept : to_(to) {}

    resource const& operator[](schema_index index) const { return resources_[index]; }

    // Returns the resource of a node.
    LINKSPAN_DECL resource const& around(schema_index node) const;

    // Adds a document as a resource with a node.
    LINKSPAN_DECL void add_document(value const& schema, std::string uri);

    // Reads `$schema` and `$id` of a schema. The node may be in another resource afterwards.
    LINKSPAN_DECL void enter(value const& schema, schema_index node);

    // Both functions add a name of a node. A name that the resource already has keeps its first node.
    LINKSPAN_DECL void add_anchor(schema_index node, std::string_view name);
    LINKSPAN_DECL void add_dynamic_anchor(schema_index node, std::string_view name);

    // The following functions return `no_schema`, null or an empty list if the name is unknown.
    LINKSPAN_DECL schema_index find(std::string const& uri) const;
    LINKSPAN_DECL value const* find_document(std::string_view uri) const;
    LINKSPAN_DECL schema_index find_anchor(schema_index in, std::string_view name) const;
    LINKSPAN_DECL schema_index find_dynamic_anchor(schema_index in, std::string_view name) const;
    LINKSPAN_DECL dynamic_overrides find_overrides(std::string_view name) const;

private:
    LINKSPAN_DECL schema_index add(std::string base, value const& root, dialect_rules rules);
    LINKSPAN_DECL std::optional<dialect_rules> read_dialect(schema_index node, keyword_value dialect);
    LINKSPAN_DECL std::optional<dialect_rules> find_dialect(schema_index node, std::string_view uri);
    LINKSPAN_DECL std::optional<dialect_rules> read_vocabularies(schema_index node, boost::json::object const& used);
    LINKSPAN_DECL void read_id(value const& schema, schema_index node, dialect_rules rules, std::string_view id);

    compilation& to_;                 // receives the root nodes of resources
    std::vector<resource> resources_; // added by add(), never removed
    // Nodes by their names; never removed. The maps are ordered, because hostile names can cause collisions in hash
    // maps. The names are texts of the schema.
    std::map<std::string, schema_index> by_uri_;
    std::map<std::pair<schema_index, std::string_view>, schema_index> anchors_;         // by resource and name
    std::map<std::pair<std::string_view, schema_index>, schema_index> dynamic_anchors_; // by name and resource
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_resources.ipp>
#endif

#endif
