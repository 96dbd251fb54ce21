// mock-filesystem FOLDER [VERSION...]: an MCP server over standard streams with read access to FOLDER only. VERSION is
// a protocol version to support; default: all.

#include <linkspan/test/filesystem.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <filesystem>
#include <iostream>
#include <string_view>

#include "protocol_versions.hpp"

int main(int argc, char** argv)
{
    constexpr auto* usage = "usage: mock-filesystem FOLDER [VERSION...]\n";
    if (argc > 1 && std::string_view(argv[1]) == "--help") {
        std::cout << usage;
        return 0;
    }
    if (argc < 2 || !std::filesystem::is_directory(argv[1])) {
        std::cerr << usage;
        return 2;
    }
    linkspan::test::scripted_server server(protocol_versions_from(argc, argv, 2));
    linkspan::test::make_filesystem(server, argv[1]);
    linkspan::test::serve_stdio(server);
}
