#ifndef LINKSPAN_SCHEMA_DETAIL_COMPILATION_HPP
#define LINKSPAN_SCHEMA_DETAIL_COMPILATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
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

namespace linkspan::inline LINKSPAN_ABI::detail {

// State of the compilation of one schema: the nodes so far, the schemas that are still to be read, and the problems.
//
// The state refers to values of the schema and of the documents, which must not change during the compilation.
// Invariants: each pair of a value and a resource has at most one node; `problems` has at most `max_problems` entries,
// with an error among them if `failed()`.
class compilation {
public:
    using value = boost::json::value;

    static constexpr std::size_t max_problems = 100;

    // Schema that has a node, and whose keywords have not been read.
    struct unread {
        value const* schema;
        schema_index node;
        std::size_t depth;
    };

    compilation(schema_options const& options, std::vector<diagnostic>& problems) noexcept
        : options_(options), problems_(problems), size_left_(options.max_compiled_size)
    {}

    schema_options const& options() const noexcept { return options_; }
    compiled_schema& out() noexcept { return out_; }
    bool failed() const noexcept { return failed_; }

    // Returns true if the size limit was exceeded: the compilation has to end.
    bool is_too_large() const noexcept { return is_too_large_; }

    // Adds a problem. The first error replaces the last problem if the list is full.
    LINKSPAN_DECL void report(diagnostic::severity level, schema_index node, std::string_view keyword,
                              std::string message);
    // Adds an error.
    LINKSPAN_DECL void reject(schema_index node, std::string_view keyword, std::string message);

    // Reserves bytes of the size limit. Returns false if the limit is exceeded; the first time, an error is reported.
    LINKSPAN_DECL bool take(std::size_t bytes);

    // Adds a node for a value in the resource `in`, or returns the existing node for the pair. Returns `no_schema` if
    // the size limit is exceeded.
    LINKSPAN_DECL schema_index add_node(value const& schema, schema_index in, schema_node node, std::size_t depth);

    // Returns the first node of a value, or `no_schema`.
    LINKSPAN_DECL schema_index find_node(value const& schema) const;

    // Removes and returns a schema that is still to be read.
    LINKSPAN_DECL std::optional<unread> take_unread();

private:
    struct known_value {
        schema_index node, in;
    };

    schema_options const& options_;                          // set by the constructor
    std::vector<diagnostic>& problems_;                      // of the caller; receives errors and warnings
    std::size_t size_left_;                                  // bytes that take() may still reserve
    bool failed_ = false, is_too_large_ = false;             // set by the first error, and by take() at the size limit
    compiled_schema out_;                                    // result; complete at the end unless `failed_` is set
    std::vector<unread> unread_;                             // filled by add_node(), emptied by take_unread()
    std::unordered_map<value const*, known_value> by_value_; // first node of each value
    // Further nodes of a value in other resources, to which references through unknown keywords may lead.
    std::map<std::pair<value const*, schema_index>, schema_index> by_resource_;
};

// Returns the location of a schema, and of one of its keywords if `keyword` is not empty, as a JSON Pointer. Long keys
// are truncated.
LINKSPAN_DECL std::string locate_schema(std::vector<schema_node> const& nodes, schema_index at,
                                        std::string_view keyword = {});

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/compilation.ipp>
#endif

#endif
