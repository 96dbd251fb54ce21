#ifndef LINKSPAN_SCHEMA_DETAIL_COMPILATION_HPP
#define LINKSPAN_SCHEMA_DETAIL_COMPILATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/detail/compiled_schema.hpp>
#include <linkspan/schema/schema_options.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace linkspan::detail {

// A schema while it is compiled: what it became so far, what is left to read, and what is wrong with it. Its parts name
// values of the schema and of the documents, which stay as they are meanwhile.
class compilation {
public:
    using value = boost::json::value;

    static constexpr std::size_t max_problems = 100;

    // A schema that has a node, but whose keywords were not read.
    struct unread {
        value const* schema;
        schema_index node;
        std::size_t depth;
    };

    compilation(schema_options const& options, std::vector<schema_problem>& problems) noexcept
        : options_(options), problems_(problems), size_left_(options.max_compiled_size)
    {}

    schema_options const& options() const noexcept { return options_; }
    compiled_schema& out() noexcept { return out_; }
    bool failed() const noexcept { return failed_; }

    // Nothing more is to be compiled then.
    bool is_too_large() const noexcept { return is_too_large_; }

    LINKSPAN_DECL void report(schema_problem::severity how, schema_index node, std::string_view keyword,
                              std::string message);
    LINKSPAN_DECL void refuse(schema_index node, std::string_view keyword, std::string message);

    // Bytes that something takes. False when that is too much, which was reported.
    LINKSPAN_DECL bool take(std::size_t bytes);

    // A value that has a node in the resource `in` keeps that one. Nothing when that would be too much.
    LINKSPAN_DECL schema_index add_node(value const& schema, schema_index in, schema_node node, std::size_t depth);

    // The first node of a value.
    LINKSPAN_DECL schema_index find_node(value const& schema) const;

    LINKSPAN_DECL std::optional<unread> take_unread();

private:
    struct known_value {
        schema_index node, in;
    };

    schema_options const& options_;
    std::vector<schema_problem>& problems_;
    std::size_t size_left_;
    bool failed_ = false, is_too_large_ = false;
    compiled_schema out_;
    std::vector<unread> unread_;
    std::unordered_map<value const*, known_value> by_value_;
    // Those of values that have several: in other resources, to which references through unknown keywords may lead.
    std::map<std::pair<value const*, schema_index>, schema_index> by_resource_;
};

// Where a schema is, and a keyword of it when `keyword` is not empty. Long keys are cut.
LINKSPAN_DECL std::string locate_schema(std::vector<schema_node> const& nodes, schema_index at,
                                        std::string_view keyword = {});

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/compilation.ipp>
#endif

#endif
