#ifndef LINKSPAN_SCHEMA_DETAIL_COMPILED_SCHEMA_HPP
#define LINKSPAN_SCHEMA_DETAIL_COMPILED_SCHEMA_HPP

#include <linkspan/json/detail/keyword_view.hpp>
#include <linkspan/schema/pattern.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Compiled form of a schema: one node per schema. Nodes refer to other nodes and to their rules by index. The rules for
// each kind of value are separate, because most schemas have rules for one kind of value only.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Index into one of the vectors of `compiled_schema`. `no_schema`: none.
using schema_index = std::uint32_t;
inline constexpr schema_index no_schema = std::numeric_limits<schema_index>::max();
// Value of `count_range::max` if the schema does not limit the count.
inline constexpr std::size_t no_count = std::numeric_limits<std::size_t>::max();

// Limits of `minLength` and similar keywords.
struct count_range {
    std::size_t min = 0, max = no_count;
};

// Rules of `enum` or `const`.
struct value_rules {
    std::string_view keyword;               // "enum" or "const", for messages
    std::vector<std::string> strings;       // allowed strings, sorted
    std::vector<boost::json::value> others; // other allowed values
};

// Rules for numbers. `above` and `below` are `exclusiveMinimum` and `exclusiveMaximum`.
struct number_rules {
    std::optional<boost::json::value> minimum, maximum, above, below, multiple_of;
};

// Rules for strings.
struct string_rules {
    count_range length;               // in code points
    schema_index pattern = no_schema; // index into `patterns`
};

// Rules for arrays.
struct array_rules {
    count_range size;
    bool is_unique = false;             // `uniqueItems`
    std::vector<schema_index> first;    // schemas of the first items (`prefixItems`)
    schema_index rest = no_schema;      // schema of the other items (`items`)
    schema_index contains = no_schema;  // schema of `contains`
    count_range contained{1, no_count}; // `minContains` and `maxContains`
};

// Compares names by size, then by the last byte, then by all bytes, so that most comparisons need few bytes.
inline int property_order(std::string_view a, std::string_view b) noexcept
{
    if (a.size() != b.size())
        return a.size() < b.size() ? -1 : 1;
    if (a.empty())
        return 0;
    if (a.back() != b.back())
        return a.back() < b.back() ? -1 : 1;
    return std::memcmp(a.data(), b.data(), a.size());
}

// Rule for one property.
struct property_rule {
    std::string name;
    schema_index schema = no_schema; // no_schema if the name occurs only in `required`
    bool is_required = false;
};

// Rule that applies if an object has the property `name`: either other properties are required, or a schema applies.
struct dependency_rule {
    std::string name;
    std::string_view keyword;          // for messages
    std::vector<std::string> required; // used if `schema` is `no_schema`
    schema_index schema = no_schema;
};

// Rules for objects.
struct object_rules {
    count_range size;
    std::vector<property_rule> properties;                       // sorted by `property_order`
    std::size_t required = 0;                                    // number of required properties
    std::vector<std::pair<schema_index, schema_index>> patterns; // patterns and schemas of `patternProperties`
    bool has_unsupported_pattern = false; // a pattern is unsupported: no property is regarded as additional
    schema_index additional = no_schema;  // schema of `additionalProperties`
    schema_index names = no_schema;       // schema of `propertyNames`
    std::vector<dependency_rule> dependencies;
};

// Rule of `$ref` or `$dynamicRef`.
struct reference_rule {
    std::string_view keyword;
    schema_index schema = no_schema;    // set when the reference is resolved
    schema_index overrides = no_schema; // index into `overrides`; set only for a dynamic reference
};

// Targets of the dynamic references to one name: pairs of a resource and the schema of the name in it, sorted by
// resource.
using dynamic_overrides = std::vector<std::pair<schema_index, schema_index>>;

// Rules for values of all kinds: references, `allOf`, `anyOf`, `oneOf`, `not`, and `if`, `then`, `else`.
struct logic_rules {
    std::vector<reference_rule> references;
    std::vector<schema_index> all, any, one;
    schema_index no = no_schema;
    schema_index condition = no_schema, then = no_schema, otherwise = no_schema;
};

// One schema. The members with the type `schema_index` are indexes into the vectors of `compiled_schema`.
struct schema_node {
    std::uint8_t kinds = value_kinds::all; // allowed kinds (`type`)
    bool rejects_all = false;              // true for the schema `false`
    schema_index enumerated = no_schema, constant = no_schema;
    schema_index number = no_schema, string = no_schema, array = no_schema, object = no_schema, logic = no_schema;
    schema_index unevaluated = no_schema;
    schema_index resource = 0; // resource that contains the schema
    // Location of the schema. `up` is the node of the enclosing schema. With a keyword, the schema is the value of the
    // keyword, or its member or element `token` if `has_token` is set. Without a keyword, `token` is the JSON Pointer
    // from `up`. If `up` is `no_schema`, `token` is the URI of the document and '#', or empty.
    schema_index up = no_schema;
    std::string_view keyword;
    bool has_token = false;
    std::string token;
};

// Compiled schema. Immutable after the compilation.
struct compiled_schema {
    std::vector<schema_node> nodes; // the first node is the root
    std::vector<value_rules> values;
    std::vector<number_rules> numbers;
    std::vector<string_rules> strings;
    std::vector<array_rules> arrays;
    std::vector<object_rules> objects;
    std::vector<logic_rules> logic;
    // Rules of `unevaluatedItems` and `unevaluatedProperties`.
    struct unevaluated_rules {
        schema_index items = no_schema, properties = no_schema;
    };
    std::vector<unevaluated_rules> unevaluated;
    std::vector<schema_pattern> patterns;
    std::vector<dynamic_overrides> overrides; // one per name of a dynamic anchor
};

} // namespace linkspan::detail

#endif
