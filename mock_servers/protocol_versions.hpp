#ifndef LINKSPAN_MOCK_SERVERS_PROTOCOL_VERSIONS_HPP
#define LINKSPAN_MOCK_SERVERS_PROTOCOL_VERSIONS_HPP

#include <linkspan/model/protocol_version.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

/// Returns the protocol versions in the arguments from `argv[first]` on; without arguments, all. Exits with status 2 if
/// one is unknown.
inline std::vector<linkspan::protocol_version> protocol_versions_from(int argc, char** argv, int first)
{
    std::vector<linkspan::protocol_version> supported;
    for (int i = first; i < argc; ++i) {
        auto const named = linkspan::protocol_version_from(argv[i]);
        if (!named) {
            std::cerr << argv[0] << ": expected a protocol version of MCP";
            char const* separator = " (";
            for (auto const& known : linkspan::protocol_versions)
                std::cerr << std::exchange(separator, ", ") << known.text;
            std::cerr << "), found '" << argv[i] << "'\n";
            std::exit(2);
        }
        supported.push_back(*named);
    }
    if (supported.empty())
        for (auto const& known : linkspan::protocol_versions)
            supported.push_back(known.id);
    return supported;
}

#endif
