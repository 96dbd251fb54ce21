#ifndef LINKSPAN_SCHEMA_IMPL_COMPILATION_IPP
#define LINKSPAN_SCHEMA_IMPL_COMPILATION_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/schema/detail/compilation.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void compilation::report(diagnostic::severity level, schema_index node, std::string_view keyword,
                                       std::string message)
{
    bool const is_first_error = level == diagnostic::severity::error && !failed_;
    failed_ |= is_first_error;
    if (problems_.size() == max_problems && is_first_error)
        problems_.pop_back();
    if (problems_.size() < max_problems)
        problems_.push_back({level, {}, locate_schema(out_.nodes, node, keyword), std::move(message)});
}

LINKSPAN_DECL void compilation::reject(schema_index node, std::string_view keyword, std::string message)
{
    report(diagnostic::severity::error, node, keyword, std::move(message));
}

LINKSPAN_DECL bool compilation::take(std::size_t bytes)
{
    if (bytes <= size_left_) {
        size_left_ -= bytes;
        return true;
    }
    if (!is_too_large_)
        reject(0, {},
               "the compiled schema exceeds max_compiled_size, " + std::to_string(options_.max_compiled_size) +
                   " bytes");
    is_too_large_ = true;
    size_left_ = 0;
    return false;
}

LINKSPAN_DECL schema_index compilation::add_node(value const& schema, schema_index in, schema_node node,
                                                 std::size_t depth)
{
    auto const first = by_value_.find(&schema);
    if (first != by_value_.end() && first->second.in == in)
        return first->second.node;
    if (first != by_value_.end())
        if (auto const other = by_resource_.find({&schema, in}); other != by_resource_.end())
            return other->second;
    constexpr auto entry = sizeof(value const*) + sizeof(known_value) + 4 * sizeof(void*);
    if (!take(sizeof(schema_node) + sizeof(unread) + entry + node.token.size()))
        return no_schema;
    auto const index = static_cast<schema_index>(out_.nodes.size());
    node.resource = in;
    out_.nodes.push_back(std::move(node));
    if (first == by_value_.end())
        by_value_.emplace(&schema, known_value{index, in});
    else
        by_resource_.emplace(std::pair(&schema, in), index);
    unread_.push_back({&schema, index, depth});
    return index;
}

LINKSPAN_DECL schema_index compilation::find_node(value const& schema) const
{
    auto const found = by_value_.find(&schema);
    return found == by_value_.end() ? no_schema : found->second.node;
}

LINKSPAN_DECL std::optional<compilation::unread> compilation::take_unread()
{
    if (unread_.empty())
        return std::nullopt;
    auto const next = unread_.back();
    unread_.pop_back();
    return next;
}

// Returns a pointer with its long keys truncated.
inline std::string shortened_pointer(std::string_view pointer)
{
    std::string out;
    while (!pointer.empty()) {
        auto const token = pointer.substr(0, pointer.find('/', 1));
        out += shortened_text(token);
        pointer.remove_prefix(token.size());
    }
    return out;
}

LINKSPAN_DECL std::string locate_schema(std::vector<schema_node> const& nodes, schema_index at,
                                        std::string_view keyword)
{
    if (nodes.empty())
        return {};
    std::vector<schema_node const*> path;
    auto const* node = &nodes[at];
    for (; node->up != no_schema; node = &nodes[node->up])
        path.push_back(node);
    auto out = node->token;
    for (; !path.empty(); path.pop_back()) {
        if (path.back()->keyword.empty()) {
            out.append(shortened_pointer(path.back()->token));
            continue;
        }
        out.append("/").append(path.back()->keyword);
        if (path.back()->has_token)
            out.append("/").append(shortened_key(path.back()->token));
    }
    if (!keyword.empty())
        out.append("/").append(keyword);
    return out;
}

} // namespace linkspan::detail

#endif
