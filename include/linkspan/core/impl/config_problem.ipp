#ifndef LINKSPAN_CORE_IMPL_CONFIG_PROBLEM_IPP
#define LINKSPAN_CORE_IMPL_CONFIG_PROBLEM_IPP

#include <linkspan/core/config_problem.hpp>
#include <linkspan/core/detail/code_points.hpp>

#include <algorithm>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(config_problem const& problem)
{
    std::string text = problem.origin.empty() ? "" : problem.origin + ": ";
    text += problem.level == config_problem::severity::warning ? "warning: " : "error: ";
    auto const subject = problem.subject.empty() ? std::string() : "server '" + problem.subject + '\'';
    detail::append_diagnostic(text, subject, problem.pointer, problem.message, ", ");
    return detail::without_controls(text, '?'); // keys and names in a document may contain controls
}

LINKSPAN_DECL bool has_errors(std::vector<config_problem> const& problems) noexcept
{
    return std::ranges::any_of(problems,
                               [](config_problem const& p) { return p.level == config_problem::severity::error; });
}

LINKSPAN_DECL std::string detail::message_of(std::exception const& refused)
{
    constexpr std::string_view name = "linkspan: ";
    std::string_view words = refused.what();
    if (words.starts_with(name))
        words.remove_prefix(name.size());
    return std::string(words);
}

} // namespace linkspan

#endif
