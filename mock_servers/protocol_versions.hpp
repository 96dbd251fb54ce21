#ifndef LINKSPAN_MOCK_SERVERS_REVISIONS_HPP
#define LINKSPAN_MOCK_SERVERS_REVISIONS_HPP

#include <linkspan/model/protocol_version.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

/// The protocol versions that the command line names, from `argv[first]` on; all when it names none. Ends the program when one
/// is unknown.
inline std::vector<linkspan::protocol_version> protocol_versions_from(int argc, char** argv, int first)
{
    std::vector<linkspan::protocol_version> speaks;
    for (int i = first; i < argc; ++i) {
        auto const named = linkspan::protocol_version_from(argv[i]);
        if (!named) {
            std::cerr << argv[0] << ": '" << argv[i] << "' is no protocol version of MCP\n";
            std::exit(2);
        }
        speaks.push_back(*named);
    }
    if (speaks.empty())
        for (auto const& known : linkspan::protocol_versions)
            speaks.push_back(known.id);
    return speaks;
}

#endif
