#ifndef LINKSPAN_SCHEMA_DETAIL_KEYWORD_READER_HPP
#define LINKSPAN_SCHEMA_DETAIL_KEYWORD_READER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/keyword_view.hpp>
#include <linkspan/schema/detail/compilation.hpp>
#include <linkspan/schema/detail/keywords.hpp>
#include <linkspan/schema/detail/schema_references.hpp>
#include <linkspan/schema/detail/schema_resources.hpp>
#include <linkspan/schema/pattern_budget.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Compiles the keywords of schemas to rules, one schema at a time. Subschemas become nodes that are still to be read.
class keyword_reader {
public:
    keyword_reader(compilation& to, schema_resources& resources, schema_references& references) noexcept
        : to_(to), resources_(resources), references_(references)
    {}

    // Compiles the keywords of one schema.
    LINKSPAN_DECL void read(compilation::unread const& next);

private:
    using value = boost::json::value;

    // Schema whose keywords are being compiled. `at` has the value of each keyword, or null; one pass over the
    // members finds all of them.
    struct reading {
        value const* schema;
        schema_index node;
        std::size_t depth;
        std::array<value const*, keyword_count> at;

        keyword_value operator[](keyword k) const noexcept { return keyword_value(at[static_cast<std::size_t>(k)]); }
    };

    // Result of the compilation of a pattern, kept for repetitions of the same text.
    struct known_pattern {
        schema_index index = no_schema; // no_schema for a malformed or unsupported pattern
        schema_pattern::fault why;
        std::string_view reason;
    };

    // Keywords with texts, values and bounds, in keyword_reader.ipp

    LINKSPAN_DECL void find_keywords(reading& from) const;
    LINKSPAN_DECL void read_anchors(reading const& from);
    LINKSPAN_DECL void read_kinds(reading const& from);
    LINKSPAN_DECL std::uint8_t read_kind(reading const& from, keyword_value name);
    LINKSPAN_DECL void read_values(reading const& from);
    template<class Values>
    schema_index add_values(keyword k, Values const& values);
    LINKSPAN_DECL void read_number(reading const& from);
    LINKSPAN_DECL void read_string(reading const& from);
    LINKSPAN_DECL schema_index add_pattern(reading const& from, keyword k, std::string_view text);
    LINKSPAN_DECL known_pattern make_pattern(std::string_view text);
    LINKSPAN_DECL bool read_bound(reading const& from, keyword k, std::optional<value>& out);
    LINKSPAN_DECL bool read_size(reading const& from, keyword k, std::size_t& out);

    // Keywords with subschemas, in keyword_reader.subschemas.ipp

    LINKSPAN_DECL void read_definitions(reading const& from);
    LINKSPAN_DECL void read_array(reading const& from);
    LINKSPAN_DECL void read_items(reading const& from, array_rules& rules);
    LINKSPAN_DECL void read_object(reading const& from);
    LINKSPAN_DECL void read_properties(reading const& from, object_rules& rules);
    LINKSPAN_DECL void read_dependencies(reading const& from, object_rules& rules);
    LINKSPAN_DECL void read_logic(reading const& from);
    LINKSPAN_DECL void read_unevaluated(reading const& from);
    LINKSPAN_DECL void add_reference(reading const& from, keyword k, logic_rules& rules);
    LINKSPAN_DECL std::vector<std::string> read_names(reading const& from, keyword k, keyword_value list);
    LINKSPAN_DECL schema_index add_child(reading const& from, value const& schema, keyword k,
                                         std::optional<std::string> token = std::nullopt);
    LINKSPAN_DECL schema_index add_optional(reading const& from, keyword k);
    LINKSPAN_DECL std::vector<schema_index> add_list(reading const& from, keyword k);

    // Calls `visit(name, value)` for each member of the object that is the value of the keyword.
    template<class Visit>
    void for_members(reading const& from, keyword k, Visit visit);

    // Adds rules to a node if `read(rules)` returns true, which means that the schema has such rules.
    template<class Rules, class Read>
    void add_part(schema_index node, std::vector<Rules>& parts, schema_index schema_node::*part, Read read);

    compilation& to_;                                      // receives the nodes and the rules
    schema_resources& resources_;                          // receives resources and anchors
    schema_references& references_;                        // receives the references
    pattern_budget budget_;                                // limit of the size of all patterns of the schema
    std::map<std::string_view, known_pattern> by_pattern_; // patterns by their texts; added by add_pattern()
};

template<class Visit>
void keyword_reader::for_members(reading const& from, keyword k, Visit visit)
{
    if (!from[k])
        return;
    auto const* const object = from[k].object();
    if (!object)
        return to_.reject(from.node, name_of(k), "must be an object");
    for (auto const& [name, each] : *object) {
        if (to_.is_too_large())
            return;
        visit(std::string_view(name), each);
    }
}

template<class Rules, class Read>
void keyword_reader::add_part(schema_index node, std::vector<Rules>& parts, schema_index schema_node::*part, Read read)
{
    Rules rules;
    if (!read(rules) || !to_.take(sizeof(Rules)))
        return;
    to_.out().nodes[node].*part = static_cast<schema_index>(parts.size());
    parts.push_back(std::move(rules));
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/keyword_reader.ipp>
#include <linkspan/schema/impl/keyword_reader.subschemas.ipp>
#endif

#endif
