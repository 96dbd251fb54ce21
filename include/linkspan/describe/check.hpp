#ifndef LINKSPAN_DESCRIBE_CHECK_HPP
#define LINKSPAN_DESCRIBE_CHECK_HPP

#include <linkspan/describe/detail/check_value.hpp>
#include <linkspan/describe/mismatch.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Checks whether a value has a JSON representation and satisfies the notes of its struct.
///
/// The check covers constraints of notes (`min`, `pattern`, `unique_items`, ...), members with `required` that are
/// absent, enumerators that are not described, empty `linkspan::box` members, numbers that are not finite, strings that
/// are not UTF-8, keys of a `linkspan::rest` that equal the name of another member, and values nested more than 512
/// levels. A typed call checks its arguments before it sends them.
///
///     linkspan::mismatches problems;
///     if (!linkspan::check(request, problems))
///         std::cerr << to_string(problems); // "/days: expected an integer from 1 to 14, found 20"
///
/// \tparam T A described struct or another type with a JSON representation.
/// \param value The value.
/// \param problems Receives one entry per violation, until the list has `max_mismatches` entries; existing entries are
/// kept.
/// \returns True if no violation was found.
/// \par Exception safety
/// Basic: `problems` may contain a part of the violations. Throws `std::bad_alloc`, and exceptions of `json_as<T>::to`.
/// \par Thread safety
/// Distinct objects: safe.
template<class T>
bool check(T const& value, mismatches& problems)
{
    detail::require_json_form<T>();
    detail::findings found(problems, detail::max_levels);
    detail::check_value(value, detail::constraints(), found, detail::place());
    return !found.any();
}

} // namespace linkspan

#endif
