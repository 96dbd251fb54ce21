#ifndef LINKSPAN_CORE_DETAIL_SECURE_RANDOM_HPP
#define LINKSPAN_CORE_DETAIL_SECURE_RANDOM_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/system/system_error.hpp>

#include <cerrno>
#include <cstddef>
#include <string>
#include <unistd.h>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns `size` random bytes from the secure source of the operating system, for keys and session ids. At most 256
// bytes. Throws `boost::system::system_error` if the source fails.
inline std::string secure_bytes(std::size_t size)
{
    std::string out(size, '\0');
    if (::getentropy(out.data(), out.size()) != 0)
        throw boost::system::system_error(errno, boost::system::system_category(), "getentropy");
    return out;
}

// Returns bytes as lowercase hexadecimal digits.
inline std::string to_hex(std::string const& bytes)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (char const each : bytes) {
        auto const byte = static_cast<unsigned char>(each);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

} // namespace linkspan::detail

#endif
