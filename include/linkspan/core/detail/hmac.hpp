#ifndef LINKSPAN_CORE_DETAIL_HMAC_HPP
#define LINKSPAN_CORE_DETAIL_HMAC_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/sha256.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the 32 bytes of a SHA-256 hash.
inline std::string sha256_bytes(std::string_view text)
{
    std::string out;
    for (auto const word : sha256(text))
        for (int shift = 24; shift >= 0; shift -= 8)
            out += static_cast<char>(word >> shift & 0xff);
    return out;
}

// Returns the 32 bytes of the authentication code HMAC-SHA-256 of a text.
//
// Specification: RFC 2104, section 2; RFC 4231 has test vectors.
inline std::string hmac_sha256(std::string_view key, std::string_view text)
{
    constexpr std::size_t block_size = 64;
    std::string block = key.size() > block_size ? sha256_bytes(key) : std::string(key);
    block.resize(block_size, '\0');
    std::string inner, outer;
    for (char const byte : block) {
        inner += static_cast<char>(byte ^ 0x36);
        outer += static_cast<char>(byte ^ 0x5c);
    }
    return sha256_bytes(outer + sha256_bytes(inner.append(text)));
}

// Compares two texts in a time that depends on their sizes only, so that an attacker cannot measure how many bytes of
// an authentication code are correct.
inline bool equal_in_constant_time(std::string_view one, std::string_view other) noexcept
{
    unsigned difference = one.size() == other.size() ? 0 : 1;
    for (std::size_t i = 0; i != one.size() && i < other.size(); ++i)
        difference |= static_cast<unsigned>(static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]));
    return difference == 0;
}

} // namespace linkspan::detail

#endif
