#ifndef LINKSPAN_CORE_NEAREST_NAMES_HPP
#define LINKSPAN_CORE_NEAREST_NAMES_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the Levenshtein distance of two texts: the minimum number of bytes to insert, delete or replace.
///
/// The comparison is case-sensitive. The time is proportional to the product of the sizes, the memory to `b.size()`.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
inline std::size_t edit_distance(std::string_view a, std::string_view b)
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

/// Returns the known names that are similar to `name`, for suggestions in error messages.
///
/// A name is similar if its Levenshtein distance to `name` does not exceed half the size of `name`, and in any case if
/// the distance is 0 or 1. The names are ordered by distance, and names of equal distance alphabetically.
///
/// \tparam Names Range of values that are convertible to `std::string_view`.
/// \param name Name that was not found.
/// \param known Names to select from.
/// \param max_names Maximum number of names to return. 0 returns none.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<std::ranges::input_range Names>
std::vector<std::string> nearest_names(std::string_view name, Names const& known, std::size_t max_names)
{
    std::vector<std::pair<std::size_t, std::string>> found;
    for (std::string_view const candidate : known)
        if (auto const distance = edit_distance(name, candidate); distance <= std::max<std::size_t>(name.size() / 2, 1))
            found.emplace_back(distance, candidate);
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto& [distance, text] : found | std::views::take(max_names))
        names.push_back(std::move(text));
    return names;
}

} // namespace linkspan

#endif
