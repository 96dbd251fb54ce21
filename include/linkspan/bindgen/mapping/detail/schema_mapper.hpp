#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_MAPPER_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_MAPPER_HPP

#include <linkspan/bindgen/mapping/detail/mapped_type.hpp>
#include <linkspan/bindgen/mapping/detail/schema_merger.hpp>
#include <linkspan/bindgen/mapping/detail/whole_schema.hpp>
#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/bindgen/mapping/model.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Maps a schema to C++ types. A type accepts every value that its schema allows, except for members of open objects
// that no property names. If a type accepts further values, a remark names the keywords that the type does not express;
// these are checked by schema validation only.

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

namespace json = boost::json;

inline constexpr std::size_t max_types = 2'000;       // generated types of one tool
inline constexpr std::size_t max_pairs = 50'000;      // comparisons of object alternatives of one tool
inline constexpr std::size_t max_members = 52;        // members of one struct: the limit of Boost.Describe
inline constexpr std::size_t max_enumerators = 1'000; // enumerators of one enumeration
inline constexpr std::size_t max_type_text = 2'000;   // bytes of one type: nested types grow exponentially

// Properties of an object type that distinguish it from the other alternatives of a union.
struct object_shape {
    struct member {
        unsigned kinds = kinds::all; // kinds of JSON values that the type of the member reads
        std::string fixed;           // type of the member if it has only one value
        bool is_required = false;
    };
    enum class others { dropped, kept, rejected };

    std::map<std::string, member> members; // named in the schema
    others of_others = others::kept;       // how members without a name in the schema are read
    bool is_closed = false;                // the schema rejects such members
};

// State that the schemas of one tool share.
struct tool_mapping {
    tool_binding& out;
    identifier_scope& names; // of the namespace of the header
    std::vector<diagnostic>& problems;
    // types created so far, up to `max_types`
    std::size_t types = 0;
    std::size_t pairs = 0;                    // comparisons of objects so far, up to `max_pairs`
    std::map<std::string, std::string> known; // names of types by their definitions: equal types are created once
    // shapes of structs and maps by their types
    std::map<std::string, object_shape> shapes;

    // Adds a problem of the tool to `problems`.
    void report(std::string pointer, std::string message)
    {
        problems.push_back(
            {diagnostic::severity::warning, "tool '" + out.tool.name + "'", std::move(pointer), std::move(message)});
    }
};

// Names the members after their names in JSON. No member has the name of its struct, or of a type that the struct uses.
LINKSPAN_DECL void name_members(struct_binding& out, std::string const& result_type = {});

// Adds the keywords of elements that a list or a map does not check.
LINKSPAN_DECL void take_unchecked(mapped_type& out, std::string const& keyword, json::value const& schema,
                                  mapped_type const& element);

// Member that a schema names or requires.
struct schema_property {
    std::string name;
    json::value const* schema;
    bool is_required;
};

// Maps one schema of a tool, recursively.
//
// Invariants: a schema is mapped once. `in_progress_` contains the schemas whose mapping has begun and not ended, to
// which a nested schema may refer.
class schema_mapper {
public:
    // `pointer` is the place of the root. The object refers to all arguments during its lifetime.
    schema_mapper(tool_mapping& tool, json::value const& root, std::string pointer, std::string name, bool is_input)
        : tool_(tool), whole_(root, {std::move(pointer), std::move(name), false}), is_input_(is_input)
    {}
    schema_mapper(schema_mapper const&) = delete;
    schema_mapper& operator=(schema_mapper const&) = delete;

    // Maps the root schema.
    LINKSPAN_DECL mapped_type map_root();

    // Returns the struct of the tool for its arguments. Empty: the schema has no struct, and the problem is reported.
    LINKSPAN_DECL std::optional<struct_binding> map_arguments();

private:
    // Schemas, lists and tuples, in schema_mapper.ipp

    mapped_type map(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_node(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_plain(json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_type(std::string_view type, json::value const& schema, schema_place const& at, unsigned depth);
    mapped_type map_types(std::vector<std::string> const& types, json::value const& schema, schema_place const& at,
                          unsigned depth);
    mapped_type map_array(json::object const& schema, schema_place const& at, unsigned depth);
    mapped_type map_tuple(json::object const& schema, json::array const& items, schema_place const& at, unsigned depth);
    mapped_type free_form(schema_place const& at, std::string reason);
    mapped_type checked_length(mapped_type type, schema_place const& at);
    std::vector<std::string> unmapped_siblings(std::vector<json::object const*> const& references) const;

    // Objects, in schema_mapper.structs.ipp

    mapped_type map_object(json::value const& schema, schema_place const& at, unsigned depth);
    std::optional<struct_binding> build_struct(json::value const& schema, schema_place const& at,
                                               std::string const& name, unsigned depth, std::string& reason);
    void add_member(struct_binding& out, schema_property const& property, schema_place const& at, unsigned depth);
    void add_rest(struct_binding& out, json::object const& schema, schema_place const& at, unsigned depth);
    void note_shape(std::string const& name, json::object const& schema, std::vector<schema_property> const& members,
                    bool has_rest);

    // Constants and enumerations, in schema_mapper.values.ipp

    mapped_type map_const(json::value const& value, schema_place const& at);
    mapped_type map_enum(json::array const& values, schema_place const& at, json::object const& schema);
    mapped_type map_numbers(std::vector<json::value> const& values);
    mapped_type declare_enum(std::vector<std::string> const& wires, schema_place const& at, std::string_view text);

    // Unions, in schema_mapper.unions.ipp

    mapped_type map_union(json::object const& schema, std::string_view key, schema_place const& at, unsigned depth);
    mapped_type unite(std::vector<mapped_type> parts, schema_place const& at, std::string_view text);
    void unite_strings(std::vector<mapped_type>& parts, schema_place const& at, std::string_view text);
    std::string unite_objects(std::vector<mapped_type>& parts);
    std::vector<std::string> alternative_names(json::array const& alternatives, schema_place const& at) const;

    // Set by the constructor.
    tool_mapping& tool_; // receives the types and the remarks
    whole_schema whole_; // the root, in which references are resolved
    bool is_input_;      // true for arguments, false for results

    schema_merger merger_{whole_};                             // merges `allOf`; owns the merged schemas
    std::map<json::value const*, json::value const*> origins_; // original schemas by merged ones; only grows
    std::map<json::value const*, mapped_type> mapped_types_;   // types by schemas whose mapping has ended
    // Names of types by schemas being mapped; empty: not named yet. Removed when the mapping ends.
    std::map<json::value const*, std::string> in_progress_;
};

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/schema_mapper.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.structs.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.unions.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.values.ipp>
#endif

#endif
