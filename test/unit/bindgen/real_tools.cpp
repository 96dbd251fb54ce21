// Headers for the tools of real servers.

#include <linkspan/bindgen/drift/drift.hpp>
#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/files.hpp>
#include <linkspan/bindgen/lock.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <string>

#include "support/tool_corpus.hpp"

namespace real_tools_test {

using namespace linkspan::bindgen;

namespace {

struct tools_of_real_servers : tool_corpus {
    // Calls `visit(tools)` for each server.
    template<class Visit>
    void for_servers(Visit visit) const
    {
        for (auto const& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".json")
                BOOST_TEST_CONTEXT(entry.path().stem().string()) {
                    visit(read_lock(read_file(entry.path().string()).value_or("")));
                }
    }
};

std::string header_of(tool_lock const& lock)
{
    return write_header(map_tools(lock.tools).tools, {"real", "0", lock.described_server()});
}

} // namespace

} // namespace real_tools_test

BOOST_FIXTURE_TEST_SUITE(real_tools_test, real_tools_test::tools_of_real_servers)

BOOST_AUTO_TEST_CASE(header_of_every_real_server_is_independent_of_tool_order)
{
    std::size_t servers = 0;
    std::size_t tools = 0;
    for_servers([&](tool_lock const& lock) {
        auto const header = header_of(lock);
        auto turned = lock;
        std::ranges::reverse(turned.tools);
        auto const text = write_lock(lock);
        BOOST_TEST((write_lock(turned) == text));
        turned.tools = read_lock(text).tools;
        BOOST_TEST(compare_tools(lock.tools, turned.tools).empty());
        std::ranges::reverse(turned.tools);
        BOOST_TEST((header_of(turned) == header));
        ++servers;
        tools += lock.tools.size();
    });
    BOOST_TEST(servers > 20U);
    BOOST_TEST(tools > 450U);
}

// These parts are arguments without a type, tuples that may be shorter, and objects that cannot be distinguished.
BOOST_AUTO_TEST_CASE(few_parts_of_real_tools_are_free_form)
{
    std::size_t problems = 0;
    for_servers([&](tool_lock const& lock) {
        auto const mapped = map_tools(lock.tools);
        for (auto const& problem : mapped.problems)
            BOOST_TEST_MESSAGE(to_string(problem));
        problems += mapped.problems.size();
    });
    BOOST_TEST(problems <= 28U);
}

// The names and the presence of other tools do not affect the types of a tool.
BOOST_AUTO_TEST_CASE(types_of_a_tool_do_not_depend_on_other_tools)
{
    for_servers([&](tool_lock const& lock) {
        auto const among = map_tools(lock.tools);
        for (auto const& tool : among.tools) {
            auto const alone = map_tools({tool.tool});
            BOOST_TEST(alone.tools[0].arguments.name == tool.arguments.name);
            BOOST_TEST(alone.tools[0].result_type == tool.result_type);
            BOOST_TEST(alone.tools[0].types.size() == tool.types.size());
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
