#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_MERGER_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_MERGER_HPP

#include <linkspan/bindgen/mapping/detail/whole_schema.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <deque>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline constexpr std::size_t max_merged_values = 200'000; // values copied to merge all `allOf` of one schema

// Merges schemas with the parts of their `allOf`, and owns the merged schemas.
class schema_merger {
public:
    // `whole` must outlive the object.
    explicit schema_merger(whole_schema const& whole) noexcept : whole_(whole) {}

    // Merges a schema with the parts of its `allOf`. Null: the parts contradict each other, or may do so; `reason` is
    // set. The result is valid as long as this object.
    LINKSPAN_DECL json::value const* merge(json::object const& schema, schema_place const& at, unsigned depth,
                                           std::string& reason);

    // Stores a schema. The result is valid as long as this object.
    LINKSPAN_DECL json::value const* keep(json::value schema);

private:
    LINKSPAN_DECL bool merge_part(json::object& merged, json::value const& part, schema_place const& at, unsigned depth,
                                  std::string& reason);
    LINKSPAN_DECL bool merge_siblings(json::object& merged, json::object const& reference, schema_place const& at,
                                      unsigned depth, std::string& reason);
    LINKSPAN_DECL bool may_copy(std::size_t values, std::string& reason);

    whole_schema const& whole_;             // set by the constructor
    std::deque<json::value> owned_schemas_; // owns merged schemas; only grows
    std::size_t merged_values_ = 0;         // values copied into `owned_schemas_`, up to `max_merged_values`
};

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/schema_merger.ipp>
#endif

#endif
