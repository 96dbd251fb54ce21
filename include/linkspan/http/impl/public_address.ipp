#ifndef LINKSPAN_HTTP_IMPL_PUBLIC_ADDRESS_IPP
#define LINKSPAN_HTTP_IMPL_PUBLIC_ADDRESS_IPP

#include <linkspan/http/detail/public_address.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace linkspan::inline LINKSPAN_ABI::detail {

struct network_v4 {
    std::uint32_t prefix;
    unsigned bits;
};

// IANA IPv4 Special-Purpose Address Registry, and the multicast and reserved blocks.
inline constexpr std::array<network_v4, 16> special_networks{{
    {0x00000000, 8},  // "this network"
    {0x0a000000, 8},  // private
    {0x64400000, 10}, // shared address space (carrier-grade NAT)
    {0x7f000000, 8},  // loopback
    {0xa9fe0000, 16}, // link-local
    {0xac100000, 12}, // private
    {0xc0000000, 24}, // IETF protocols
    {0xc0000200, 24}, // documentation
    {0xc0586300, 24}, // 6to4 relays
    {0xc0a80000, 16}, // private
    {0xc6120000, 15}, // benchmarks
    {0xc6336400, 24}, // documentation
    {0xcb007100, 24}, // documentation
    {0xe0000000, 4},  // multicast
    {0xf0000000, 4},  // reserved, and broadcast
    {0xffffffff, 32}, // broadcast
}};

inline bool is_public(asio::ip::address_v4 const& address) noexcept
{
    auto const number = address.to_uint();
    return std::ranges::none_of(special_networks, [number](network_v4 const& special) {
        auto const mask = ~std::uint32_t{0} << (32 - special.bits);
        return (number & mask) == special.prefix;
    });
}

// The global unicast block of IPv6 is 2000::/3. An address that embeds an IPv4 address is public if the IPv4 address is
// public.
inline bool is_public(asio::ip::address_v6 const& address) noexcept
{
    auto const bytes = address.to_bytes();
    auto const v4_at = [&](std::size_t i) {
        return asio::ip::address_v4(
            asio::ip::address_v4::bytes_type{bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]});
    };
    auto const begins_with = [&](std::initializer_list<unsigned char> prefix) {
        return std::equal(prefix.begin(), prefix.end(), bytes.begin());
    };
    if (address.is_v4_mapped() || begins_with({0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) // NAT64
        return is_public(v4_at(12));
    if (begins_with({0x20, 0x02})) // 6to4
        return is_public(v4_at(2));
    bool const is_documentation =
        begins_with({0x20, 0x01, 0x0d, 0xb8}) || (begins_with({0x3f, 0xff}) && bytes[2] < 0x10); // RFC 9637: 3fff::/20
    bool const is_protocol = bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] < 0x02; // 2001::/23, with Teredo
    return (bytes[0] & 0xe0) == 0x20 && !is_documentation && !is_protocol;
}

LINKSPAN_DECL bool is_public(asio::ip::address const& address) noexcept
{
    return address.is_v4() ? is_public(address.to_v4()) : is_public(address.to_v6());
}

} // namespace linkspan::detail

#endif
