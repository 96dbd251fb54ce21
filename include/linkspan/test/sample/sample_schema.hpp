#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_SCHEMA_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_SCHEMA_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/keyword_view.hpp>
#include <linkspan/schema/schema_dialect.hpp>
#include <linkspan/schema/schema_options.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

/// Cost of a schema that no finite value satisfies.
inline constexpr double infinite_cost = std::numeric_limits<double>::infinity();

using linkspan::detail::keyword_value;
using linkspan::detail::keyword_view;

/// Returns whether `type` permits `kind`. A schema without `type` permits all kinds.
inline bool may_be(boost::json::object const& schema, std::string_view kind)
{
    auto const type = keyword_view(schema)["type"];
    bool has_kind = !type;
    type.for_one_or_each([&](keyword_value name) { has_kind |= name.text() == kind; });
    return has_kind;
}

} // namespace detail

/// An index of a schema for the generation of values: targets of references, and the approximate size of the smallest
/// value of each subschema.
///
/// The object holds copies of the schema and of the documents of its options. All pointers that the member functions
/// return refer to these copies.
class sample_schema {
public:
    /// Copies and indexes `schema` and the documents of `options`.
    LINKSPAN_DECL sample_schema(boost::json::value const& schema, schema_options const& options);
    sample_schema(sample_schema const&) = delete;

    /// Returns the copy of the schema.
    boost::json::value const& root() const noexcept { return root_; }

    /// Returns whether the schema is of draft 7, as `$schema` or, if it is absent, the options specify.
    bool is_draft_7() const noexcept { return is_draft_7_; }

    /// Returns the value of a keyword of a subschema.
    ///
    /// \returns No value if the keyword is absent or not part of the draft. Such a keyword is not validated, so its
    /// value may have any form. Names that are keywords of neither draft are looked up like members.
    detail::keyword_value keyword(boost::json::object const& schema, std::string_view name) const noexcept
    {
        auto const dialect = is_draft_7_ ? schema_dialect::draft_7 : schema_dialect::draft_2020_12;
        return is_foreign_keyword(name, dialect) ? detail::keyword_value() : detail::keyword_view(schema)[name];
    }

    /// Returns the target of a reference in the subschema `from`; null if it cannot be resolved.
    LINKSPAN_DECL boost::json::value const* target(boost::json::object const& from, std::string_view reference) const;

    /// Returns the approximate size of the smallest value of a subschema, in characters of JSON text.
    ///
    /// Infinite for subschemas that no value or only infinitely nested values satisfy. The size is a heuristic; the
    /// cost of a required part is less than the cost of the subschema that requires it.
    LINKSPAN_DECL double cost(boost::json::value const& schema) const noexcept;

private:
    // Enters the subschemas and names in `value` into places_, order_ and named_.
    void index(boost::json::value const& value, std::string const& base, std::size_t depth);
    // Computes the costs of all subschemas as a fixed point.
    void find_costs();
    // Returns the cost of a subschema, given the costs of the others that are known so far.
    double compute_cost(boost::json::object const& schema) const;
    // Returns the cost of an object with the required members.
    double cost_of_object(boost::json::object const& schema) const;
    // Returns the cost of an array with the minimum number of items.
    double cost_of_array(boost::json::object const& schema) const;
    // Returns the additional cost of references, `allOf`, and the cheapest branches of unions.
    double cost_of_references(boost::json::object const& schema) const;
    // Returns the cost of the cheapest branch.
    double min_cost(boost::json::array const& schemas) const;

    boost::json::value root_;                                             // the schema
    std::map<std::string, boost::json::value> documents_;                 // by URI
    bool is_draft_7_;                                                     // of the schema; applied to the documents too
    std::map<std::string, boost::json::value const*, std::less<>> named_; // by URI, or by URI and anchor
    struct place {
        std::string base; // base URI of the subschema
        double cost;      // infinite_cost until find_costs() has found a finite cost; only decreases
    };
    std::unordered_map<boost::json::object const*, place> places_; // all objects in the schema and the documents
    std::vector<boost::json::object const*> order_;                // the same objects, inner ones after outer ones
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_schema.ipp>
#endif

#endif
