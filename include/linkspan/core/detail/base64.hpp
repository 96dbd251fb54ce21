#ifndef LINKSPAN_CORE_DETAIL_BASE64_HPP
#define LINKSPAN_CORE_DETAIL_BASE64_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline constexpr std::string_view base64_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Encodes bytes as base64 with padding (RFC 4648, section 4).
inline std::string to_base64(std::string_view bytes)
{
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        auto const part = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i != 3; ++i)
            bits = bits << 8 | (i < part.size() ? static_cast<unsigned char>(part[i]) : 0U);
        for (std::size_t i = 0; i != 4; ++i)
            out += i <= part.size() ? base64_alphabet[bits >> (18 - 6 * i) & 63] : '=';
    }
    return out;
}

// Decodes base64 with padding. Returns `std::nullopt` for wrong padding, for a character outside of the alphabet, and
// for padding bits that are not zero.
inline std::optional<std::string> from_base64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    std::string out;
    out.reserve(text.size() / 4 * 3);
    for (; !text.empty(); text.remove_prefix(4)) {
        bool const is_last = text.size() == 4;
        std::size_t const padding = !is_last || text[3] != '=' ? 0 : text[2] != '=' ? 1 : 2;
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i != 4; ++i) {
            auto const digit = i < 4 - padding ? base64_alphabet.find(text[i]) : 0;
            if (digit == base64_alphabet.npos)
                return std::nullopt;
            bits = bits << 6 | static_cast<std::uint32_t>(digit);
        }
        for (std::size_t i = 0; i != 3 - padding; ++i)
            out += static_cast<char>(bits >> (16 - 8 * i) & 255);
        if ((bits & ((1U << 8 * padding) - 1)) != 0)
            return std::nullopt;
    }
    return out;
}

} // namespace linkspan::detail

#endif
