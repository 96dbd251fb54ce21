#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_MAPPER_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_MAPPER_HPP

#include <linkspan/bindgen/mapping/detail/mapped_type.hpp>
#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/bindgen/mapping/model.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// From a schema to C++ types. What a type takes is never less than what its schema allows, but for members of open
// objects that no property names; what it takes beyond is told in a remark, and checked by the schema at run time.

namespace linkspan::bindgen::detail {

namespace json = boost::json;

inline constexpr unsigned max_nesting = 64;
inline constexpr std::size_t max_types = 2'000;           // of one tool
inline constexpr std::size_t max_pairs = 50'000;          // of alternatives of a tool that are objects
inline constexpr std::size_t max_members = 52;            // that Boost.Describe takes
inline constexpr std::size_t max_enumerators = 1'000;     // of one enumeration
inline constexpr std::size_t max_type_text = 2'000;       // bytes: types in types grow fast
inline constexpr std::size_t max_merged_values = 200'000; // of a schema, all its `allOf` together

// Where a schema stands, and what is named after it.
struct schema_place {
    std::string pointer;
    std::string name;
    bool is_member = false; // its description goes to the member
};

// What tells an object from others.
struct object_shape {
    struct member {
        unsigned kinds = kinds::all; // of what its type reads
        std::string fixed;           // its type, if that has but one value
        bool is_required = false;
    };
    enum class others { dropped, kept, refused };

    std::map<std::string, member> members; // that its schema names
    others of_others = others::kept;       // what reading does with those that no member is for
    bool is_closed = false;                // the schema refuses them
};

// What the schemas of one tool share.
struct tool_mapping {
    tool_binding& out;
    identifier_scope& names; // of the namespace
    std::vector<mapping_problem>& problems;
    std::size_t types = 0;
    std::size_t pairs = 0;                    // of objects that were held against each other
    std::map<std::string, std::string> known; // names of types by what they are
    std::map<std::string, object_shape> shapes;
};

// After what they are in JSON. None is named like its struct, nor like a type that the struct uses.
LINKSPAN_DECL void name_members(struct_binding& out, std::string const& result_type = {});

// A member that a schema names, or requires.
struct schema_property {
    std::string name;
    json::value const* schema;
    bool is_required;
};

class schema_mapper {
public:
    // `pointer` is that of the root. Lifetime: refers to all of them.
    schema_mapper(tool_mapping& tool, json::value const& root, std::string pointer, std::string name, bool is_input)
        : tool_(tool), root_(root), root_place_{std::move(pointer), std::move(name), false}, is_input_(is_input)
    {}

    LINKSPAN_DECL mapped_type map_root();

    // The members of the tool's own struct. Empty when the schema is that of no struct; then the problem is told.
    LINKSPAN_DECL std::optional<struct_binding> map_arguments();

private:
    struct target {
        json::value const* schema = nullptr; // null: there is none
        schema_place place;
        std::vector<json::object const*> passed; // that referred to it
        std::string reason;
    };

    mapped_type map(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_node(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_plain(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_type(std::string_view type, json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_types(std::vector<std::string> const& types, json::value const& schema, schema_place const& at,
                          unsigned depth);
    mapped_type map_array(json::object const& schema, schema_place const& at, unsigned depth);
    mapped_type map_tuple(json::object const& schema, json::array const& items, schema_place const& at, unsigned depth);
    mapped_type map_object(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_const(json::value const& value, schema_place const& at);
    mapped_type map_enum(json::array const& values, schema_place const& at, json::object const& schema);
    mapped_type map_numbers(std::vector<json::value> const& values);
    mapped_type map_union(json::object const& schema, std::string_view key, schema_place const& at, unsigned depth);
    mapped_type unite(std::vector<mapped_type> parts, schema_place const& at, std::string_view text);
    void unite_strings(std::vector<mapped_type>& parts, schema_place const& at, std::string_view text);
    std::string unite_objects(std::vector<mapped_type>& parts);

    std::optional<struct_binding> build_struct(json::value const& schema, schema_place const& at,
                                               std::string const& name, unsigned depth, std::string& reason);
    void add_member(struct_binding& out, schema_property const& property, schema_place const& at, unsigned depth);
    void add_rest(struct_binding& out, json::object const& schema, schema_place const& at, unsigned depth);
    void note_shape(std::string const& name, json::object const& schema, std::vector<schema_property> const& members,
                    bool has_rest);

    mapped_type free_form(schema_place const& at, std::string reason);
    mapped_type declare_enum(std::vector<std::string> const& wires, schema_place const& at, std::string_view text);
    mapped_type checked_length(mapped_type type, schema_place const& at);
    target resolve(json::value const& schema, schema_place const& at) const;
    std::vector<std::string> unmapped_siblings(std::vector<json::object const*> const& references) const;
    json::value const* merge(json::object const& schema, schema_place const& at, unsigned depth, std::string& reason);
    bool merge_part(json::object& merged, json::value const& part, schema_place const& at, unsigned depth,
                    std::string& reason);
    bool merge_siblings(json::object& merged, json::object const& reference, schema_place const& at, unsigned depth,
                        std::string& reason);
    bool may_copy(std::size_t values, std::string& reason);
    json::value const* keep(json::value schema);
    std::vector<std::string> alternative_names(json::array const& alternatives, schema_place const& at) const;

    tool_mapping& tool_;
    json::value const& root_;
    schema_place root_place_;
    bool is_input_;
    std::deque<json::value> made_;                             // schemas of our own
    std::size_t merged_values_ = 0;                            // that were copied for it
    std::map<json::value const*, json::value const*> origins_; // of merged ones
    std::map<json::value const*, mapped_type> done_;
    std::map<json::value const*, std::string> begun_; // and what they are called, if that is known
};

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/schema_mapper.ipp>
#endif

#endif
