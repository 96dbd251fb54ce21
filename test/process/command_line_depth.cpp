// The program `linkspan` with JSON that is nested deeper than 32 levels, the default limit of Boost.JSON.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "support/program_run.hpp"
#include "support/shell_server.hpp"

BOOST_AUTO_TEST_SUITE(command_line_depth_test)

namespace json = boost::json;
using namespace program_run;

namespace {

constexpr std::size_t depth = 400; // the limit of the library is 512

std::string deep(std::string const& inner = "1") { return std::string(depth, '[') + inner + std::string(depth, ']'); }

json::value parse(std::string const& text)
{
    json::parse_options options;
    options.max_depth = 1000;
    boost::system::error_code ec;
    auto out = json::parse(text, ec, {}, options);
    BOOST_TEST(!ec, text);
    return out;
}

result run_at(shell_server const& server, std::vector<std::string> words)
{
    words.insert(words.end(), {"--", "/bin/sh", server.script()});
    return run_linkspan(std::move(words));
}

} // namespace

BOOST_AUTO_TEST_CASE(deeply_nested_result_is_printed)
{
    shell_server server;
    server.results("tools/call",
                   R"({"content":[{"type":"text","text":"shown"}],"structuredContent":{"a":)" + deep() + "}}");
    BOOST_TEST(run_at(server, {"call", "t"}).out == "shown\n");
    BOOST_TEST(parse(run_at(server, {"--json", "call", "t"}).out).at("content").is_array());
    server.results("tools/call", R"({"content":[],"structuredContent":{"a":)" + deep() + "}}");
    BOOST_TEST(run_at(server, {"call", "t"}).out == "{\"a\":" + deep() + "}\n");
}

BOOST_AUTO_TEST_CASE(deeply_nested_lists_are_read_to_last_page)
{
    shell_server server;
    server.results("resources/list", R"({"resources":[{"uri":"file:///a","name":"A","_meta":{"a":)" + deep() + "}}]}");
    server.results("prompts/list", R"({"_meta":{"a":)" + deep() + R"(},"prompts":[{"name":"p"}],"nextCursor":"c"})");
    server.results("prompts/get", R"({"_meta":{"a":)" + deep() +
                                      R"(},"messages":[{"role":"user","content":{"type":"text","text":"x"}}]})");
    BOOST_TEST(run_at(server, {"resources"}).out == "file:///a  A\n");
    BOOST_TEST(parse(run_at(server, {"resources", "--json"}).out).at(0).at("uri") == "file:///a");
    BOOST_TEST(run_at(server, {"prompts"}).status == 3); // the list has endless pages
    BOOST_TEST(run_at(server, {"prompts", "p"}).out == "user:\nx\n");
}

BOOST_AUTO_TEST_CASE(tool_with_deeply_nested_schema_is_listed_and_called)
{
    shell_server server;
    server.results("tools/list",
                   R"({"tools":[{"name":"t","inputSchema":{"type":"object","required":["a"],"properties":)"
                   R"({"a":{"type":"string"},"b":{"default":)" +
                       deep() + "}}}}]}");
    server.results("tools/call", R"({"content":[]})");
    BOOST_TEST(has(run_at(server, {"tools"}).out, "t(a: string, b?: any)"));
    BOOST_TEST(has(run_at(server, {"tools", "t"}).out, "  a: string, required\n"));
    BOOST_TEST(parse(run_at(server, {"tools", "--json"}).out).at(0).at("inputSchema").is_object());
    BOOST_TEST(run_at(server, {"call", "t", "a=5"}).status == 0);
    BOOST_TEST(has(server.received(), R"("a":"5")"), server.received());
}

BOOST_AUTO_TEST_CASE(deeply_nested_arguments_are_sent)
{
    shell_server server;
    server.results("tools/call", R"({"content":[]})");
    server.results("odd", "{}");
    for (std::vector<std::string> const& words : {std::vector<std::string>{"call", "t", "a:=" + deep("2")},
                                                  {"call", "t", "a=" + deep("3")},
                                                  {"call", "t", "{\"a\":" + deep("4") + "}"},
                                                  {"request", "odd", "{\"a\":" + deep("5") + "}"},
                                                  {"call", "t", "--meta", "a=" + deep("6")}}) {
        auto const got = run_at(server, words);
        BOOST_TEST(got.status == 0, got.err);
    }
    for (std::string const inner : {"2", "3", "4", "5", "6"})
        BOOST_TEST(has(server.received(), ":" + deep(inner)), inner);
}

BOOST_AUTO_TEST_SUITE_END()
