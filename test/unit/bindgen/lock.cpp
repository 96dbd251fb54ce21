#include <linkspan/bindgen/lock.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(lock_test)

using namespace linkspan::bindgen;

namespace {

constexpr std::string_view listed = R"({"tools":[
{"name":"b","inputSchema":{"type":"object","properties":{"n":{"maximum":1.0,"type":"integer"}},"required":["n"]},
 "annotations":{"readOnlyHint":true,"destructiveHint":true},"_meta":{"x":1},"execution":{}},
{"name":"a","description":"First line.  \nSecond line.\n\n","title":"A","outputSchema":{"type":"object"},
 "inputSchema":{}}],
"serverInfo":{"version":"2","name":"Weather"}})";

constexpr std::string_view locked = R"({
  "lock": 1,
  "server": {
    "name": "Weather",
    "version": "2"
  },
  "tools": [
    {
      "description": "First line.\nSecond line.",
      "inputSchema": {},
      "name": "a",
      "outputSchema": {
        "type": "object"
      },
      "title": "A"
    },
    {
      "annotations": {
        "destructiveHint": true,
        "idempotentHint": false,
        "openWorldHint": true,
        "readOnlyHint": true
      },
      "inputSchema": {
        "properties": {
          "n": {
            "maximum": 1.0,
            "type": "integer"
          }
        },
        "required": [
          "n"
        ],
        "type": "object"
      },
      "name": "b"
    }
  ]
}
)";

std::string message_of(std::string_view text)
{
    try {
        read_lock(text);
    } catch (lock_error const& error) {
        return error.what();
    }
    return "none";
}

} // namespace

BOOST_AUTO_TEST_CASE(lock_file_is_canonical)
{
    BOOST_TEST(write_lock(read_lock(listed)) == locked);
    BOOST_TEST(write_lock(read_lock(locked)) == locked);
}

BOOST_AUTO_TEST_CASE(order_of_tools_and_keys_does_not_change_the_lock)
{
    constexpr std::string_view other = R"({"_corpus":{},"initialize":{"serverInfo":{"name":"Weather","version":"2"}},
        "tools":[{"inputSchema":{},"outputSchema":{"type":"object"},"title":"A","annotations":null,
        "description":"First line.\r\nSecond line.","name":"\u0061"},
        {"annotations":{"readOnlyHint":true},"title":"","name":"b",
        "inputSchema":{"required":["n"],"type":"object","properties":{"n":{"type":"integer","maximum":1.0}}}}]})";
    BOOST_TEST(write_lock(read_lock(other)) == locked);
}

BOOST_AUTO_TEST_CASE(server_without_a_name_is_described_by_its_version)
{
    tool_lock lock;
    BOOST_TEST(lock.described_server() == "");
    lock.version = "1.2";
    BOOST_TEST(lock.described_server() == "1.2");
    lock.server = "weather";
    BOOST_TEST(lock.described_server() == "weather 1.2");
}

BOOST_AUTO_TEST_CASE(lock_is_read_back_as_written)
{
    auto const before = read_lock(listed);
    auto const after = read_lock(locked);
    BOOST_TEST(after.described_server() == "Weather 2");
    BOOST_TEST_REQUIRE(after.tools.size() == 2U);
    for (std::size_t i = 0; i != 2; ++i)
        BOOST_TEST(schema_fingerprint(before.tools[i]) == schema_fingerprint(after.tools[1 - i]));
    BOOST_TEST((after.tools[1].annotations == before.tools[0].annotations));
}

// Generated code distinguishes absent hints from hints with default values: absent hints forbid nothing.
BOOST_AUTO_TEST_CASE(presence_of_default_hints_is_kept_in_the_lock)
{
    auto const with_hints = read_lock(R"({"tools":[{"name":"a","annotations":{"destructiveHint":true}}]})");
    auto const without_hints = read_lock(R"({"tools":[{"name":"a","annotations":{"title":"A"}}]})");
    BOOST_TEST((with_hints.tools.at(0).annotations == without_hints.tools.at(0).annotations));
    BOOST_TEST(read_lock(write_lock(with_hints)).tools.at(0).has_hints);
    BOOST_TEST(!read_lock(write_lock(without_hints)).tools.at(0).has_hints);
}

BOOST_AUTO_TEST_CASE(complete_json_rpc_response_is_accepted_as_tool_list)
{
    BOOST_TEST(read_lock(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}})").tools.size() == 1U);
}

BOOST_AUTO_TEST_CASE(invisible_characters_are_escaped_in_the_lock)
{
    tool_lock lock;
    lock.server = "x\xe2\x80\xae";
    lock.tools.emplace_back();
    lock.tools[0].name = "a";
    lock.tools[0].description = "hidden \xe2\x80\x8b\x1b and no UTF-8 \xff";
    lock.tools[0].input_schema = "{\"title\":\"\xe2\x81\xa6\"}";
    auto const text = write_lock(lock);
    BOOST_TEST(text.find("hidden \\u200b\\u001b and no UTF-8 \xef\xbf\xbd") != std::string::npos);
    BOOST_TEST(text.find("\"title\": \"\\u2066\"") != std::string::npos);
    BOOST_TEST(text.find("\"name\": \"x\\u202e\"") != std::string::npos);
    BOOST_TEST(write_lock(read_lock(text)) == text);
    BOOST_TEST(schema_fingerprint(read_lock(text).tools[0]) == schema_fingerprint(lock.tools[0]));
}

BOOST_AUTO_TEST_CASE(invalid_utf8_in_names_leaves_the_order_of_tools_unchanged_when_the_lock_is_read_again)
{
    tool_lock lock;
    for (auto const* const name : {"a\xc0~", "a\xef\xbf\xbd!", "a\xff~"})
        lock.tools.emplace_back().name = name;
    auto const text = write_lock(lock);
    auto const read = read_lock(text);
    BOOST_TEST_REQUIRE(read.tools.size() == 2U); // two names become equal
    BOOST_TEST(read.tools[0].name == "a\xef\xbf\xbd!");
    BOOST_TEST(write_lock(read) == text);
}

BOOST_AUTO_TEST_CASE(tool_with_invalid_schema_is_written_with_empty_schema)
{
    tool_lock lock;
    for (auto const* const schema : {"{", "", R"({"a":"\x"})"}) {
        auto& tool = lock.tools.emplace_back();
        tool.name = std::string("a") + schema;
        tool.input_schema = tool.output_schema = schema;
    }
    auto const read = read_lock(write_lock(lock));
    BOOST_TEST_REQUIRE(read.tools.size() == 3U);
    for (auto const& tool : read.tools) {
        BOOST_TEST(tool.input_schema == "{}");
        BOOST_TEST(tool.output_schema == "");
    }
}

BOOST_AUTO_TEST_CASE(first_of_several_tools_with_one_name_is_kept)
{
    auto const read =
        read_lock(write_lock(read_lock(R"({"tools":[{"name":"a","title":"1"},{"name":"a","title":"2"}]})")));
    BOOST_TEST_REQUIRE(read.tools.size() == 1U);
    BOOST_TEST(read.tools[0].title == "1");
}

BOOST_AUTO_TEST_CASE(document_without_tool_list_is_rejected_with_its_position)
{
    BOOST_TEST(message_of("") == "expected a JSON object");
    BOOST_TEST(message_of("[]") == "expected a JSON object");
    BOOST_TEST(message_of("{\"tools\":[]").starts_with("not valid JSON"));
    BOOST_TEST(message_of("{}") == "/tools: missing, expected an array");
    BOOST_TEST(message_of(R"({"tools":{}})") == "/tools: expected an array");
    BOOST_TEST(message_of(R"({"tools":[{}]})") == "/tools: expected a name in each tool; tools without one: 1");
    BOOST_TEST(message_of(R"({"lock":2,"tools":[]})") == "/lock: expected version 1, found 2");
    BOOST_TEST(message_of("{\"lock\":\"" + std::string(18, 'a') + "\xe2\x82\xac\",\"tools\":[]}") ==
               "/lock: expected version 1, found \"" + std::string(18, 'a')); // cut between two characters
    std::string const deep =
        R"({"tools":[{"name":"a","inputSchema":)" + std::string(10'000, '[') + std::string(10'000, ']') + "}]}";
    BOOST_TEST(message_of(deep) == "not valid JSON, or nested deeper than 512 levels");
    BOOST_TEST(message_of(R"({"tools":[]})") == "none");
}

BOOST_AUTO_TEST_CASE(glob_matches_names)
{
    for (auto const& [glob, name] : {std::pair("get_*", "get_forecast"),
                                     {"*", ""},
                                     {"*", "a"},
                                     {"a?c", "abc"},
                                     {"*_*_x", "a_b_c_x"},
                                     {"a*b*c", "aXbXbXc"},
                                     {"abc", "abc"},
                                     {"**", "a"}})
        BOOST_TEST(matches_glob(glob, name), glob << " " << name);
    for (auto const& [glob, name] :
         {std::pair("get_*", "set_forecast"), {"a?c", "ac"}, {"", "a"}, {"a", ""}, {"abc", "abcd"}, {"*b", "abc"}})
        BOOST_TEST(!matches_glob(glob, name), glob << " " << name);
    std::string const stars = "*a*a*a*a*a*a*a*a*a*a*a*b";
    BOOST_TEST(!matches_glob(stars, std::string(5'000, 'a')));
}

BOOST_AUTO_TEST_SUITE_END()
