#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_SCHEMA_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_SCHEMA_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/schema/keywords.hpp>
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

namespace linkspan::test {

namespace detail {

inline constexpr double no_end = std::numeric_limits<double>::infinity();

inline boost::json::string const* find_string(boost::json::object const& schema, std::string_view keyword) noexcept
{
    auto const* const found = schema.if_contains(keyword);
    return found ? found->if_string() : nullptr;
}

inline boost::json::array const* find_array(boost::json::object const& schema, std::string_view keyword) noexcept
{
    auto const* const found = schema.if_contains(keyword);
    return found ? found->if_array() : nullptr;
}

inline boost::json::object const* find_object(boost::json::object const& schema, std::string_view keyword) noexcept
{
    auto const* const found = schema.if_contains(keyword);
    return found ? found->if_object() : nullptr;
}

inline std::size_t find_count(boost::json::object const& schema, std::string_view keyword, std::size_t otherwise)
{
    auto const* const found = schema.if_contains(keyword);
    return found ? read_count(*found).value_or(otherwise) : otherwise;
}

// Without a type all are meant.
inline bool may_be(boost::json::object const& schema, std::string_view kind)
{
    auto const* const type = schema.if_contains("type");
    if (auto const* const several = type ? type->if_array() : nullptr)
        return std::ranges::any_of(
            *several, [&](boost::json::value const& t) { return t.is_string() && t.get_string() == kind; });
    return !type || (type->is_string() && type->get_string() == kind);
}

} // namespace detail

/// What a sampler has to know of a schema: what its references mean, and how large the smallest value of each part is,
/// about. It keeps a copy of the schema and of its documents, into which all pointers and references lead.
class sample_schema {
public:
    LINKSPAN_DECL sample_schema(boost::json::value const& schema, schema_options const& options);
    sample_schema(sample_schema const&) = delete;

    boost::json::value const& root() const noexcept { return root_; }

    bool is_draft_7() const noexcept { return is_draft_7_; }

    /// A keyword of a schema. Null where it is not there, or not one of its draft: nobody checks what is said there.
    boost::json::value const* keyword(boost::json::object const& schema, std::string_view name) const noexcept
    {
        auto const known = linkspan::detail::find_keyword(name);
        bool const is_of_draft = !known || (is_draft_7_ ? linkspan::detail::row_of(*known).draft_7
                                                        : linkspan::detail::row_of(*known).draft_2020_12);
        return is_of_draft ? schema.if_contains(name) : nullptr;
    }

    /// Null where it leads to nothing.
    LINKSPAN_DECL boost::json::value const* target(boost::json::object const& from, std::string_view reference) const;

    /// Infinite for one that allows nothing, or only values without an end. A guide, which is not always right; but the
    /// cost of a part that is always needed is below that of its whole.
    LINKSPAN_DECL double cost(boost::json::value const& schema) const noexcept;

private:
    void index(boost::json::value const& value, std::string const& base, std::size_t depth);
    void find_costs();
    double look_at_cost(boost::json::object const& schema) const;
    double cost_of_object(boost::json::object const& schema) const;
    double cost_of_array(boost::json::object const& schema) const;
    double cost_of_references(boost::json::object const& schema) const;
    double least_cost(boost::json::array const& schemas) const;

    boost::json::value root_;
    std::map<std::string, boost::json::value> documents_;
    bool is_draft_7_;
    std::map<std::string, boost::json::value const*, std::less<>> named_; // by URI, or by URI and anchor
    struct place {
        std::string base;
        double cost;
    };
    std::unordered_map<boost::json::object const*, place> places_;
    std::vector<boost::json::object const*> order_; // the innermost last
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_schema.ipp>
#endif

#endif
