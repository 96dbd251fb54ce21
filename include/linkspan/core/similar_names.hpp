#ifndef LINKSPAN_CORE_SIMILAR_NAMES_HPP
#define LINKSPAN_CORE_SIMILAR_NAMES_HPP

#include <linkspan/core/detail/config.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
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
LINKSPAN_DECL std::size_t edit_distance(std::string_view a, std::string_view b);

namespace detail {

// Implements `similar_names`.
LINKSPAN_DECL std::vector<std::string> select_similar(std::string_view name, std::span<std::string_view const> known,
                                                      std::size_t max_names);

} // namespace detail

/// Returns the known names that are similar to `name`, for suggestions in error messages.
///
/// A name is similar if its Levenshtein distance to `name` is at most 1 or at most half the size of `name`. The names
/// are ordered by distance. Names of equal distance are ordered alphabetically. A name that is known twice is returned
/// once.
///
/// \tparam Names Range of values that are convertible to `std::string_view`.
/// \param name Name that was not found.
/// \param known Names to select from.
/// \param max_names Maximum number of names to return. 0: no name is returned.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<class Names>
    requires std::convertible_to<decltype(*std::begin(std::declval<Names const&>())), std::string_view>
std::vector<std::string> similar_names(std::string_view name, Names const& known, std::size_t max_names)
{
    std::vector<std::string_view> candidates;
    for (std::string_view const candidate : known)
        candidates.push_back(candidate);
    return detail::select_similar(name, candidates, max_names);
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/similar_names.ipp>
#endif

#endif
