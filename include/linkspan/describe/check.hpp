#ifndef LINKSPAN_DESCRIBE_CHECK_HPP
#define LINKSPAN_DESCRIBE_CHECK_HPP

#include <linkspan/describe/detail/check_value.hpp>
#include <linkspan/describe/mismatch.hpp>

namespace linkspan {

/// Holds a value against the notes of its struct, and against what JSON can say: the constraints, members that must be
/// there, enumerations, finite numbers. True when there is nothing to add to `problems`.
///
/// Thread safety: distinct objects, safe.
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
