#ifndef LINKSPAN_TEST_SUPPORT_TOOL_CORPUS_HPP
#define LINKSPAN_TEST_SUPPORT_TOOL_CORPUS_HPP

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "skip.hpp"

// Tools of real servers, which are not part of the project. Tests without them are skipped.
struct tool_corpus {
    std::filesystem::path folder;

    tool_corpus()
    {
        auto const* const shared = std::getenv("LINKSPAN_SHARED");
        if (!shared)
            skip("LINKSPAN_SHARED is not set");
        folder = std::filesystem::path(shared) / "tool-corpus";
        if (!std::filesystem::exists(folder))
            skip("the descriptions of real tools are not in " + folder.string());
    }

    // Calls `visit(tool)` for each tool.
    template<class Visit>
    void for_tools(Visit visit) const
    {
        for (auto const& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".json")
                continue;
            std::ifstream file(entry.path());
            std::string const text(std::istreambuf_iterator<char>(file), {});
            boost::json::parse_options options;
            options.max_depth = 128;
            auto const server = boost::json::parse(text, {}, options);
            for (auto const& tool : server.at("tools").as_array())
                BOOST_TEST_CONTEXT(entry.path().stem().string() << ": " << tool.at("name")) {
                    visit(tool.as_object());
                }
        }
    }

    // Calls `visit(schema)` for each schema of each tool.
    template<class Visit>
    void for_schemas(Visit visit) const
    {
        for_tools([&](boost::json::object const& tool) {
            for (auto const* const key : {"inputSchema", "outputSchema"})
                if (auto const* const schema = tool.if_contains(key))
                    visit(*schema);
        });
    }
};

#endif
