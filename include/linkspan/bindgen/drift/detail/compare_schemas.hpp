#ifndef LINKSPAN_BINDGEN_DRIFT_DETAIL_COMPARE_SCHEMAS_HPP
#define LINKSPAN_BINDGEN_DRIFT_DETAIL_COMPARE_SCHEMAS_HPP

#include <linkspan/bindgen/drift/detail/reference_targets.hpp>
#include <linkspan/bindgen/drift/difference.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

namespace json = boost::json;

// Direction of the values of a schema. Arguments are sent by the caller, results are read by the caller.
enum class schema_side { arguments, result };

inline constexpr std::array<std::string_view, 2> union_keys{"anyOf", "oneOf"};

// Returns the alternatives under 'anyOf' or 'oneOf'; null if there are none.
inline json::array const* parts_of(json::object const& schema, std::string_view union_key)
{
    auto const* const parts = keyword_view(schema)[union_key].array();
    return parts && !parts->empty() ? parts : nullptr;
}

inline std::string in_quotes(std::string_view keyword) { return "'" + std::string(keyword) + "'"; }

// Compares the older schema of a tool (`then`, `old`) with the newer one (`now`, `fresh`). An object makes one
// comparison.
//
// The number of steps is limited: a comparison that exceeds the limit reports that it is incomplete, and ends.
//
// Invariants: `pairs_` and `entered_` have the same elements. While `is_trial_` is true, `out_` has the differences of
// the trial only. All pointers and views refer to the two schemas or to `owned_schemas_`.
class schema_comparison {
public:
    schema_comparison(json::value const& then, json::value const& now, schema_side side)
        : then_root_(then),
          now_root_(now),
          side_(side),
          roots_differ_(then != now),
          then_targets_(then),
          now_targets_(now)
    {}

    LINKSPAN_DECL std::vector<difference> compare(std::string const& pointer);

private:
    // A schema with its references resolved.
    struct node {
        json::value const* schema = nullptr;   // null: a reference without a target
        json::object const* members = nullptr; // `schema` as an object; null: it is not an object
        std::string_view description, title;   // the first ones on the path of references; empty: none
        // Keywords beside the references, without annotations.
        std::map<std::string_view, json::value const*> beside;
        bool accepts_nothing = false; // true for the schema `false`
        bool refers = false;          // true if the path has a reference
    };

    // Alternative of a union, with the properties that distinguish it from others.
    struct alternative {
        json::value const* schema;
        unsigned kinds;                          // bit set of the kinds of values that the alternative accepts
        std::map<std::string, std::string> tags; // members with a constant text
        std::set<std::string> required;          // names of the required members
        std::optional<std::string> literal;      // text of an alternative that is a constant
    };

    using members = json::object;
    using pair = std::pair<json::value const*, json::value const*>;

    // Schemas, in compare_schemas.ipp

    void compare(json::value const& then, json::value const& now, std::string const& pointer, unsigned depth);
    void compare_members(members const& old, members const& fresh, std::string const& pointer, unsigned depth);
    node read(json::value const& schema, json::value const& root);
    void forget_pairs(std::size_t known); // removes all pairs except the first `known`
    bool is_same(json::value const& then, json::value const& now, unsigned depth); // reports no differences

    // Keywords without subschemas, and keywords that are compared as a whole, in compare_schemas.keywords.ipp

    void compare_texts(node const& then, node const& now, std::string const& pointer);
    void compare_beside(node const& then, node const& now, std::string const& pointer);
    bool compare_types(json::value const& then, json::value const& now, std::string const& pointer);
    unsigned kinds_of(json::value const& schema, json::value const& root, unsigned depth);
    void compare_values(members const& then, members const& now, std::string const& pointer);
    void compare_limits(members const& then, members const& now, std::string const& pointer);
    void compare_rules(members const& then, members const& now, std::string const& pointer);
    void compare_default(members const& then, members const& now, std::string const& pointer);
    void compare_rest(members const& then, members const& now, std::string const& pointer);
    void compare_whole(std::string_view keyword, json::value const* then, json::value const* now,
                       std::string const& pointer);

    // Members, items and `allOf`, in compare_schemas.members.ipp

    void compare_properties(members const& then, members const& now, std::string const& pointer, unsigned depth);
    void compare_lost(std::string_view name, json::value const& then, members const& now, std::string const& pointer,
                      unsigned depth);
    void compare_new(members const& then, members const& now, std::string const& pointer, unsigned depth);
    void compare_requirement(bool was_required, bool is_required, std::string const& pointer);
    void compare_others(members const& then, members const& now, std::string const& pointer, unsigned depth);
    void compare_items(members const& then, members const& now, std::string const& pointer, unsigned depth);
    void compare_all_of(members const& then, members const& now, std::string const& pointer, unsigned depth);

    // Unions, in compare_schemas.unions.ipp

    // Returns an equivalent schema with `"type": [T, "null"]` for a union of the type T and null; otherwise `schema`.
    json::value const& simplified(json::value const& schema);
    bool compare_unions(node const& then, node const& now, std::string const& pointer, unsigned depth);
    void compare_keys_of_unions(members const& then, members const& now, std::string const& pointer, unsigned depth);
    void compare_alternatives(std::vector<json::value const*> const& then, std::vector<json::value const*> const& now,
                              std::string const& pointer, unsigned depth);
    json::array const* only_alternatives(members const& schema, json::value const& root);
    alternative read_alternative(json::value const& schema, json::value const& root);
    std::vector<alternative> read_alternatives(std::vector<json::value const*> const& schemas, json::value const& root);
    bool exclude_each_other(std::vector<json::value const*> const& schemas, json::value const& root);

    // Steps and reports, in compare_schemas.ipp

    // Functions that add the cost of a step to `steps_`. False: the limit is exceeded, and no further differences are
    // reported.
    bool charge(std::size_t steps);
    bool charge_text(std::size_t size);
    bool charge_value(json::value const& value);
    bool charge_names(json::value const& names, std::string const& pointer);
    bool is_equal(json::value const& then, json::value const& now);

    void report(drift effect, std::string const& pointer, std::string what);
    // Reports that the schema accepts more or fewer values. Accepting more is additive for arguments and breaking for
    // results; accepting fewer is the opposite.
    void report_wider(std::string const& pointer, std::string what, drift for_result = drift::breaking);
    void report_narrower(std::string const& pointer, std::string what, drift for_arguments = drift::breaking);

    // Set by the constructor and not changed later.
    json::value const& then_root_; // older schema
    json::value const& now_root_;  // newer schema
    schema_side side_;             // direction of the values
    bool roots_differ_;            // false: equal references have equal targets
    // Targets of references in the older and in the newer schema.
    reference_targets then_targets_, now_targets_;

    std::vector<difference> out_; // differences found so far; set aside by `is_same`, moved to the caller at the end
    std::set<pair> pairs_;        // schemas whose comparison has begun; prevents endless recursion
    std::vector<pair> entered_;   // `pairs_` in the order of their entry; `forget_pairs` removes the last ones
    std::map<json::value const*, json::value const*> simple_; // results of `simplified` by schema, never removed
    std::deque<json::value> owned_schemas_;                   // schemas that `simplified` created, never removed
    std::size_t steps_ = 0;                                   // total cost so far
    // True while the schema of a new property is compared with the older `additionalProperties`: descriptions, titles
    // and defaults of different places are ignored.
    bool ignores_annotations_ = false;
    bool is_trial_ = false;          // true during `is_same`: one difference is sufficient, and none is reported
    bool is_limit_exceeded_ = false; // set when the limit of steps or of depth is exceeded, never cleared
};

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/drift/impl/compare_schemas.ipp>
#include <linkspan/bindgen/drift/impl/compare_schemas.keywords.ipp>
#include <linkspan/bindgen/drift/impl/compare_schemas.members.ipp>
#include <linkspan/bindgen/drift/impl/compare_schemas.unions.ipp>
#endif

#endif
