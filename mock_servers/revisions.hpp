#ifndef LINKSPAN_MOCK_SERVERS_REVISIONS_HPP
#define LINKSPAN_MOCK_SERVERS_REVISIONS_HPP

#include <linkspan/model/revision.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

/// The revisions that the command line names, from `argv[first]` on; all when it names none. Ends the program when one
/// is unknown.
inline std::vector<linkspan::revision> revisions_from(int argc, char** argv, int first)
{
    std::vector<linkspan::revision> speaks;
    for (int i = first; i < argc; ++i) {
        auto const named = linkspan::revision_from(argv[i]);
        if (!named) {
            std::cerr << argv[0] << ": '" << argv[i] << "' is no revision of MCP\n";
            std::exit(2);
        }
        speaks.push_back(*named);
    }
    if (speaks.empty())
        for (auto const& known : linkspan::revisions)
            speaks.push_back(known.id);
    return speaks;
}

#endif
