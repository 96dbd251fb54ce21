#ifndef LINKSPAN_DESCRIBE_MISMATCH_HPP
#define LINKSPAN_DESCRIBE_MISMATCH_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace linkspan {

/// A place where a value is not what its type asks for.
struct mismatch {
    std::string pointer;  ///< where, as a JSON Pointer (RFC 6901); empty: the whole value
    std::string expected; ///< as in "an integer from 1 to 14"
    std::string found;    ///< as in "a string"; of values, numbers and the names of members only

    bool operator==(mismatch const&) const = default;
};

/// In the order in which they were found.
using mismatches = std::vector<mismatch>;

/// Those that are told: what follows is left out.
inline constexpr std::size_t max_mismatches = 32;

/// "/days: expected an integer from 1 to 14, found 20"
LINKSPAN_DECL std::string to_string(mismatch const& where);

/// All of them, with "; " between.
LINKSPAN_DECL std::string to_string(mismatches const& all);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/mismatch.ipp>
#endif

#endif
