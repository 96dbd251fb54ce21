#ifndef LINKSPAN_DESCRIBE_MISMATCH_HPP
#define LINKSPAN_DESCRIBE_MISMATCH_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A location where a value does not match its type or the notes of its struct.
///
/// Reported by `decode`, `check` and `read_result`. The texts contain names of members and numbers, but
/// no strings of the value, which may be secret.
///
/// \par Specification
/// RFC 6901 (JSON Pointer).
struct mismatch {
    std::string pointer;  ///< location, as a JSON Pointer; empty: the whole value; long names of members are truncated
    std::string expected; ///< expectation, as a noun phrase such as "an integer from 1 to 14"
    std::string found;    ///< kind of value, such as "a string", or a number; never the content of a string

    bool operator==(mismatch const&) const = default;
};

/// Mismatches in the order in which they were found.
using mismatches = std::vector<mismatch>;

/// Maximum size to which `decode` and `check` extend a list of mismatches; further mismatches are discarded.
inline constexpr std::size_t max_mismatches = 32;

/// Returns a mismatch as text, such as "/days: expected an integer from 1 to 14, found 20".
LINKSPAN_DECL std::string to_string(mismatch const& where);

/// Returns mismatches as text, separated by "; ". Empty if there are none.
LINKSPAN_DECL std::string to_string(mismatches const& all);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/mismatch.ipp>
#endif

#endif
