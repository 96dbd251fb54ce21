#ifndef LINKSPAN_BINDGEN_DRIFT_DETAIL_REFERENCE_TARGETS_HPP
#define LINKSPAN_BINDGEN_DRIFT_DETAIL_REFERENCE_TARGETS_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <map>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

namespace json = boost::json;

// Finds the targets of references in one schema: by JSON Pointers and by anchors. All pointers and views refer to the
// schema.
class reference_targets {
public:
    explicit reference_targets(json::value const& root) : root_(root) { index(root, true); }

    // Returns the target of a reference; null if there is none or it is unknown. Parts with their own URI are ignored.
    LINKSPAN_DECL json::value const* find_target(std::string_view reference) const;

    // Returns true if parts of the schema have their own URI, relative to which references are resolved.
    bool has_parts() const noexcept { return has_parts_; }

private:
    LINKSPAN_DECL void index(json::value const& schema, bool is_root);

    // Set by the constructor and not changed later.
    json::value const& root_;
    std::map<std::string_view, json::value const*> anchors_; // null: the name is ambiguous
    bool has_parts_ = false;
};

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/drift/impl/reference_targets.ipp>
#endif

#endif
