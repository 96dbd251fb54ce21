#ifndef LINKSPAN_CORE_DETAIL_FNV1A_HPP
#define LINKSPAN_CORE_DETAIL_FNV1A_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the FNV-1a hash (draft-eastlake-fnv) of the text that `hash` is the hash of, followed by `bytes`. The value
// is the same on every machine; its bits are not well distributed.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) noexcept
{
    for (char const c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace linkspan::inline LINKSPAN_ABI::detail

#endif
