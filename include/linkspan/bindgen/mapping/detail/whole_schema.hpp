#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_WHOLE_SCHEMA_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_WHOLE_SCHEMA_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

namespace json = boost::json;

inline constexpr unsigned max_nesting = 64; // of schemas, and of references in one chain

// Place of a schema, with the stem of the names of its types.
struct schema_place {
    std::string pointer;
    std::string name;
    bool is_member = false; // the description is written at the member instead of the type
};

// Target of a chain of references.
struct resolved_schema {
    json::value const* schema = nullptr; // null: none, because of `reason`
    schema_place place;
    std::vector<json::object const*> passed; // references of the chain
    std::string reason;
};

// The schema of the arguments or of the result of a tool, in which references are resolved. The object refers to the
// schema during its lifetime.
class whole_schema {
public:
    whole_schema(json::value const& root, schema_place place) : root_(root), place_(std::move(place)) {}

    json::value const& root() const noexcept { return root_; }
    schema_place const& place() const noexcept { return place_; } // of the root

    // Follows the references of a schema. Without references, the result is the schema itself.
    LINKSPAN_DECL resolved_schema resolve(json::value const& schema, schema_place const& at) const;

private:
    // Set by the constructor.
    json::value const& root_;
    schema_place place_;
};

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/whole_schema.ipp>
#endif

#endif
