#ifndef LINKSPAN_MOCK_SERVERS_OUTPUT_FILE_HPP
#define LINKSPAN_MOCK_SERVERS_OUTPUT_FILE_HPP

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mock_servers {

/// Replaces the content of a file, which is open for more.
///
/// \throws std::runtime_error The file cannot be written; the text has the path and the error of the system.
inline std::ofstream open_output(std::string const& path, std::string_view begin = {})
{
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << begin << std::flush;
    if (!out)
        throw std::runtime_error(path + ": expected a file that can be written, found '" + std::strerror(errno) + "'");
    return out;
}

} // namespace mock_servers

#endif
