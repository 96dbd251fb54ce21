#ifndef LINKSPAN_CORE_IMPL_SIMILAR_NAMES_IPP
#define LINKSPAN_CORE_IMPL_SIMILAR_NAMES_IPP

#include <linkspan/core/similar_names.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i != a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j != b.size(); ++j) {
            auto const replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

LINKSPAN_DECL std::vector<std::string>
detail::select_similar(std::string_view name, std::span<std::string_view const> known, std::size_t max_names)
{
    std::vector<std::pair<std::size_t, std::string_view>> found;
    for (auto const candidate : known)
        if (auto const distance = edit_distance(name, candidate); distance <= std::max<std::size_t>(name.size() / 2, 1))
            found.emplace_back(distance, candidate);
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (auto const& [distance, candidate] : found)
        if (names.size() < max_names && (names.empty() || names.back() != candidate))
            names.emplace_back(candidate);
    return names;
}

} // namespace linkspan

#endif
