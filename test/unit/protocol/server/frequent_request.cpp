#include <linkspan/protocol/server/frequent_request.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "support/guarded_memory.hpp"

BOOST_AUTO_TEST_SUITE(frequent_request_test)

using linkspan::frequent_request;
using linkspan::read_frequent_request;
using linkspan::split_meta;
namespace data = boost::unit_test::data;

namespace {

// Members of `_meta` that a client repeats, with the closing brace.
constexpr std::string_view repeated =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string meta(std::string_view token)
{
    return R"("_meta":{"progressToken":)" + std::string(token) + ',' + std::string(repeated);
}

std::string call(std::string_view members)
{
    return R"({"jsonrpc":"2.0","id":17,"method":"tools/call","params":{)" + std::string(members) + "}}";
}

bool is_same(std::string_view one, std::string_view other)
{
    return one == other && (one.empty() || one.data() == other.data());
}

// Reads the text with `read_frequent_request`. If that succeeds, checks that `read_envelope`, `request_params::read`
// and `split_meta::read` return the same parts, and that no byte after the text was read. Returns whether it succeeded.
bool read_and_compare(std::string_view line, std::string_view known = {})
{
    support::guarded_memory static const memory;
    auto const text = memory(line);
    frequent_request read;
    if (!read_frequent_request(text, known, read))
        return false;
    auto const message = linkspan::read_envelope(text);
    auto const params = linkspan::request_params::read(message.params);
    auto const parts = split_meta::read(params.meta);
    bool const has_same_message =
        read.message.what == message.what && read.message.id == message.id &&
        is_same(read.message.raw_id, message.raw_id) && is_same(read.message.method, message.method) &&
        is_same(read.message.params, message.params) && message.result.empty() && message.error.empty();
    bool const has_same_params = is_same(read.params.name, params.name) &&
                                 is_same(read.params.arguments, params.arguments) &&
                                 is_same(read.params.input_responses, params.input_responses) &&
                                 is_same(read.params.request_state, params.request_state) &&
                                 is_same(read.params.task, params.task) && is_same(read.params.meta, params.meta);
    bool const has_same_meta = is_same(read.meta.progress_token, parts.progress_token) &&
                               is_same(read.meta.members, parts.members) &&
                               read.has_known_meta == (!known.empty() && parts.members == known);
    BOOST_TEST_CONTEXT(line) {
        BOOST_TEST((message.what == linkspan::envelope::kind::request));
        BOOST_TEST(has_same_message);
        BOOST_TEST(has_same_params);
        BOOST_TEST(has_same_meta);
    }
    return true;
}

// `jsonrpc` may be absent or repeated, as for `read_envelope`. Of duplicate members of the params, the first one is
// used.
std::string const requests[] = {
    call(R"("name":"echo","arguments":{"text":"a \"b\" \\","n":[1,{"a":null}]},)" + meta("17")),
    call(meta("\"t\"") + R"(,"name":"a","arguments":{},"task":{},"inputResponses":{},"requestState":"s","x":1)"),
    call(R"("_meta":{)" + std::string(repeated) + R"(,"name":"a")"),
    call(R"("name":"a","_meta":{"progressToken":1})"),
    R"({"method":"tools/call","params":{"name":"a"},"jsonrpc":"2.0","id":"q"})",
    R"({"id":1,"method":"a","params":{}})",
    R"({"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","method":"a","params":{}})",
    call(R"("name":"a","name":"b","arguments":{"c":1},"arguments":{},"task":{},"task":{"ttl":1})"),
};

constexpr std::string_view texts_in_other_forms[] = {
    "",
    "[]",
    "{}",
    R"({"jsonrpc":"2.0","id":1,"result":{}})",
    R"({"jsonrpc":"2.0","method":"notifications/initialized","params":{}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
    R"({"jsonrpc":"2.0","id":null,"method":"ping","params":{}})",
    R"({"jsonrpc":"2.0","id":01,"method":"ping","params":{}})",
    R"({"jsonrpc":"2.0","id":[],"method":"ping","params":{}})",
    R"({"jsonrpc":"2.0","id":1,"method":"","params":{}})",
    R"({"jsonrpc":"2.0","id":1,"method":5,"params":{}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})",
    R"({"jsonrpc":"1.0","id":1,"method":"ping","params":{}})",
    R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping","params":{}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{},"result":{}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{},})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1,}}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":01}}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":1}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta" :{}}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{},"_meta":{}}})",
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{}}x)",
};

} // namespace

BOOST_DATA_TEST_CASE(request_in_the_most_frequent_form_is_read, data::make(requests), text)
{
    BOOST_TEST(read_and_compare(text));
    BOOST_TEST(read_and_compare(text, repeated));
    BOOST_TEST(read_and_compare(text + " \n"));
}

BOOST_AUTO_TEST_CASE(members_of_a_request_are_read_in_any_order)
{
    std::array<std::string_view, 4> members{R"("id":-1.5e3)", R"("jsonrpc":"2.0")", R"("method":"a")",
                                            R"("params":{})"};
    do {
        std::string text = "{";
        for (auto const member : members)
            (text += text.size() > 1 ? "," : "") += member;
        BOOST_TEST(read_and_compare(text + "}"), text);
    } while (std::next_permutation(members.begin(), members.end()));
}

BOOST_DATA_TEST_CASE(text_in_a_different_form_is_not_read, data::make(texts_in_other_forms), text)
{
    BOOST_TEST(!read_and_compare(text));
    BOOST_TEST(!read_and_compare(text, "}")); // the known end must not follow a comma
}

BOOST_DATA_TEST_CASE(truncated_request_is_not_read, data::make(requests), text)
{
    for (std::size_t size = 0; size != text.size(); ++size)
        BOOST_TEST(!read_and_compare(std::string_view(text).substr(0, size), repeated));
}

BOOST_DATA_TEST_CASE(changed_request_has_the_parts_that_the_general_readers_return, data::make(requests), text)
{
    constexpr std::string_view replacements = " \"\\{}[],:0-1a\n";
    for (std::size_t at = 0; at != text.size(); ++at)
        for (char const replacement : replacements) {
            auto changed = text;
            changed[at] = replacement;
            read_and_compare(changed);
            read_and_compare(changed, repeated);
            changed.insert(at, 1, text[at]);
            read_and_compare(changed, repeated);
        }
}

// A server over HTTP compares the header `Mcp-Name` with the first member `name`. The call must execute the same one.
BOOST_AUTO_TEST_CASE(first_of_duplicate_members_of_params_is_used)
{
    auto const text = call(R"("name":"safe","name":"admin","arguments":{},"arguments":{"a":1})");
    frequent_request read;
    BOOST_TEST_REQUIRE(read_frequent_request(text, {}, read));
    BOOST_TEST(read.params.name == "\"safe\"");
    BOOST_TEST(read.params.arguments == "{}");
    auto const params = linkspan::request_params::read(R"({"_meta":{"a":1},"name":5,"_meta":{},"name":"admin"})");
    BOOST_TEST(params.name == "5");
    BOOST_TEST(params.meta == R"({"a":1})");
}

BOOST_AUTO_TEST_CASE(nesting_of_a_request_has_the_limit_of_the_general_reader)
{
    // json_scan::max_depth is 512. It includes the object `params`, and for a value in `_meta` also that object.
    for (std::size_t const depth : {509u, 510u, 511u, 512u, 513u}) {
        auto const value = std::string(depth, '[') + std::string(depth, ']');
        BOOST_TEST(read_and_compare(call(R"("arguments":)" + value)) == (depth < 512), depth);
        BOOST_TEST(read_and_compare(call(R"("_meta":{"a":)" + value + "}")) == (depth < 511), depth);
    }
}

BOOST_AUTO_TEST_CASE(known_members_of_meta_are_recognized_after_any_progress_token_and_without_one)
{
    auto const is_known = [](std::string const& text, std::string_view known) {
        frequent_request read;
        return read_frequent_request(text, known, read) && read.has_known_meta;
    };
    for (std::string_view const token : {"1", "12345", "\"a\"", "-1.5"})
        BOOST_TEST(is_known(call(meta(token)), repeated), token);
    BOOST_TEST(is_known(call(R"("_meta":{)" + std::string(repeated)), repeated));
    BOOST_TEST(!is_known(call(meta("1")), {}));
    BOOST_TEST(!is_known(call(meta("1")), R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"})"));
    BOOST_TEST(!is_known(call(R"("_meta":{"a":1,)" + std::string(repeated)), repeated));
    BOOST_TEST(!is_known(call(R"("_meta":{"progressToken":[],)" + std::string(repeated)), repeated));
}

BOOST_AUTO_TEST_CASE(first_member_of_meta_is_split_off_if_it_is_a_progress_token)
{
    auto const split = split_meta::read(R"({"progressToken":1,"a":2})");
    BOOST_TEST(split.progress_token == "1");
    BOOST_TEST(split.members == R"("a":2})");
    BOOST_TEST(split_meta::read(R"({"a":2,"progressToken":1})").progress_token.empty());
    BOOST_TEST(split_meta::read(R"({"a":2,"progressToken":1})").members == R"("a":2,"progressToken":1})");
    BOOST_TEST(split_meta::read(R"({ "progressToken":1})").progress_token.empty());
    BOOST_TEST(split_meta::read(R"({"progressToken":"t"})").members == "}");
    BOOST_TEST(split_meta::read("[1]").members.empty());
    BOOST_TEST(split_meta::read("").members.empty());
}

BOOST_AUTO_TEST_SUITE_END()
