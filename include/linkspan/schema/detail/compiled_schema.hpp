#ifndef LINKSPAN_SCHEMA_DETAIL_COMPILED_SCHEMA_HPP
#define LINKSPAN_SCHEMA_DETAIL_COMPILED_SCHEMA_HPP

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

// What a schema becomes: nodes, one for each schema in it, which name others and the parts of their rules by index.
// Most schemas have rules for one kind of value only, so a node keeps each kind apart.
namespace linkspan::detail {

using schema_index = std::uint32_t;
inline constexpr schema_index no_schema = std::numeric_limits<schema_index>::max();
inline constexpr std::size_t no_count = std::numeric_limits<std::size_t>::max();

// A set of kinds by bits, of boost::json::kind; an integer is one that has no fraction, whatever it is kept as.
struct value_kinds {
    static constexpr std::uint8_t null = 1, boolean = 2, integer = 4, number = 8, string = 16, array = 32, object = 64;
    static constexpr std::uint8_t all = 127;
};

struct count_range {
    std::size_t min = 0, max = no_count;
};

// enum and const
struct value_rules {
    std::string_view keyword;
    std::vector<std::string> strings; // in order
    std::vector<boost::json::value> others;
};

struct number_rules {
    std::optional<boost::json::value> minimum, maximum, above, below, multiple_of;
};

struct string_rules {
    count_range length;
    schema_index pattern = no_schema;
};

struct array_rules {
    count_range size;
    bool is_unique = false;
    std::vector<schema_index> first; // items by position, and
    schema_index rest = no_schema;   // those behind
    schema_index contains = no_schema;
    count_range contained{1, no_count};
};

// An order of names that is decided early: by size, then by the last byte, then by all.
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

struct property_rule {
    std::string name;
    schema_index schema = no_schema;
    bool is_required = false;
};

struct dependency_rule {
    std::string name;
    std::string_view keyword;
    std::vector<std::string> required;
    schema_index schema = no_schema;
};

struct object_rules {
    count_range size;
    std::vector<property_rule> properties;                       // in `property_order`
    std::size_t required = 0;                                    // of them
    std::vector<std::pair<schema_index, schema_index>> patterns; // and their schemas
    bool has_lost_pattern = false; // that cannot be matched: then nothing is known to be additional
    schema_index additional = no_schema;
    schema_index names = no_schema;
    std::vector<dependency_rule> dependencies;
};

struct reference_rule {
    std::string_view keyword;
    schema_index schema = no_schema;
    schema_index overrides = no_schema; // of a dynamic one
};

// What dynamic references to one name mean: its schema in each resource that has one, in the order of the resources.
using dynamic_overrides = std::vector<std::pair<schema_index, schema_index>>;

// What applies to values of all kinds.
struct logic_rules {
    std::vector<reference_rule> references;
    std::vector<schema_index> all, any, one;
    schema_index no = no_schema;
    schema_index condition = no_schema, then = no_schema, otherwise = no_schema;
};

struct schema_node {
    std::uint8_t kinds = value_kinds::all;
    bool is_never = false; // the schema `false`
    schema_index enumerated = no_schema, constant = no_schema;
    schema_index number = no_schema, string = no_schema, array = no_schema, object = no_schema, logic = no_schema;
    schema_index unevaluated = no_schema; // index into the pairs below
    schema_index resource = 0;
    // The schema around it, where this keyword holds it, or has it under this name or position. Without a keyword it is
    // behind this pointer from there; with no schema around it, the token is where it is.
    schema_index up = no_schema;
    std::string_view keyword;
    bool has_token = false;
    std::string token;
};

struct compiled_schema {
    std::vector<schema_node> nodes; // the first is the root
    std::vector<value_rules> values;
    std::vector<number_rules> numbers;
    std::vector<string_rules> strings;
    std::vector<array_rules> arrays;
    std::vector<object_rules> objects;
    std::vector<logic_rules> logic;
    struct unevaluated_rules {
        schema_index items = no_schema, properties = no_schema;
    };
    std::vector<unevaluated_rules> unevaluated;
    std::vector<schema_pattern> patterns;
    std::vector<dynamic_overrides> overrides; // one for each name
};

} // namespace linkspan::detail

#endif
