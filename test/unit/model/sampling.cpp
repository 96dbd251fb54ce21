#include <linkspan/model/sampling.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

BOOST_AUTO_TEST_SUITE(sampling_test)

using namespace linkspan;

BOOST_AUTO_TEST_CASE(sampling_request_is_read_and_kept)
{
    constexpr auto params = R"({"messages":[{"role":"user"}],"systemPrompt":"be \"brief\"","maxTokens":9,"x":1})";
    sampling_request request;
    BOOST_TEST(sampling::read(request, params, {}) == "");
    BOOST_TEST(request.messages == R"([{"role":"user"}])");
    BOOST_TEST(request.system_prompt == R"(be "brief")");
    BOOST_TEST((request.max_tokens == 9));
    BOOST_TEST(request.raw == params);
    BOOST_TEST(sampling::read(request, "{}", {}) == "sampling request has no 'messages'");
}

BOOST_AUTO_TEST_CASE(sampling_result_is_text_or_any_content)
{
    sampling_result result;
    result.text = "hi \"you\"";
    result.model = "m";
    BOOST_TEST(sampling::write(result, {}) ==
               R"({"role":"assistant","content":{"type":"text","text":"hi \"you\""},"model":"m"})");
    result.content = R"({"type":"image"})";
    result.stop_reason = "endTurn";
    BOOST_TEST(sampling::write(result, {}) ==
               R"({"role":"assistant","content":{"type":"image"},"model":"m","stopReason":"endTurn"})");
}

namespace {

// Reads a request with the given members of the params. Returns the reason of a refusal.
std::string refusal_of(std::string const& members, sampling::options with = {})
{
    sampling_request request;
    return sampling::read(request, R"({"messages":[],"maxTokens":1,)" + members + "}", with);
}

// Reads a request with the given messages. Returns the reason of a refusal.
std::string refusal_of_messages(std::string const& messages)
{
    sampling_request request;
    return sampling::read(request, R"({"messages":[)" + messages + R"(],"maxTokens":1})", {});
}

sampling_request request_with_tool()
{
    tool add;
    add.name = "add";
    add.input_schema = R"({"type":"object"})";
    sampling_request out;
    out.tools.push_back(std::move(add));
    return out;
}

constexpr auto before_tools = protocol_version::v2025_06_18;
constexpr protocol_version with_tools[] = {protocol_version::v2025_11_25, protocol_version::v2026_07_28};

} // namespace

BOOST_AUTO_TEST_CASE(every_member_of_a_request_is_written_and_read)
{
    auto from = request_with_tool();
    from.set_conversation({{"user", {text_content{"2+3?", {}, {}}}, {}}}, protocol_version::v2025_11_25);
    from.max_tokens = 5;
    from.system_prompt = "be brief";
    from.preferences = {{"small", "large"}, 0.25, 0.5, 1.0};
    from.temperature = 0.5;
    from.stop_sequences = {"end", "\n"};
    from.include_context = context_inclusion::all_servers;
    from.metadata = R"({"k":1})";
    from.tool_choice = tool_choice_mode::required;
    auto const params = sampling::params_of(from, protocol_version::v2025_11_25);
    BOOST_TEST(params ==
               R"({"messages":[{"role":"user","content":{"type":"text","text":"2+3?"}}],"maxTokens":5,)"
               R"("systemPrompt":"be brief","modelPreferences":{"hints":[{"name":"small"},{"name":"large"}],)"
               R"("costPriority":0.25,"speedPriority":0.5,"intelligencePriority":1},"temperature":0.5,)"
               R"("stopSequences":["end","\n"],"includeContext":"allServers","metadata":{"k":1},)"
               R"("tools":[{"name":"add","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}})");
    sampling_request to;
    to.stop_sequences = {"of an earlier request"};
    to.server = "s";
    BOOST_TEST(sampling::read(to, params, {.tools = true, .context = true}) == "");
    BOOST_TEST(to.server == "s");
    BOOST_TEST((to.conversation() == from.conversation()));
    BOOST_TEST(to.conversation().size() == 1u);
    BOOST_TEST((to.preferences == from.preferences));
    BOOST_TEST((to.temperature == 0.5));
    BOOST_TEST((to.stop_sequences == from.stop_sequences));
    BOOST_TEST((to.include_context == context_inclusion::all_servers));
    BOOST_TEST(to.metadata == R"({"k":1})");
    BOOST_TEST((to.tools == from.tools));
    BOOST_TEST((to.tool_choice == tool_choice_mode::required));
}

BOOST_AUTO_TEST_CASE(members_that_are_missing_have_no_value)
{
    sampling_request request;
    BOOST_TEST(sampling::read(request, R"({"messages":[],"tools":null,"toolChoice":null,"metadata":null})", {}) == "");
    BOOST_TEST(request.preferences.empty());
    BOOST_TEST(!request.temperature.has_value());
    BOOST_TEST(request.stop_sequences.empty());
    BOOST_TEST(request.metadata == "");
    BOOST_TEST(request.tools.empty());
    BOOST_TEST(!request.tool_choice.has_value());
    BOOST_TEST((request.include_context == context_inclusion::none));
}

BOOST_AUTO_TEST_CASE(undeclared_tools_are_refused_and_undeclared_context_is_not_included)
{
    constexpr auto undeclared =
        "sampling request has 'tools' or 'toolChoice', but the client does not declare 'sampling.tools'";
    for (auto const* members : {R"("tools":[])", R"("toolChoice":{"mode":"none"})"}) {
        BOOST_TEST(refusal_of(members) == undeclared);
        BOOST_TEST(refusal_of(members, {.context = true}) == undeclared);
        BOOST_TEST(refusal_of(members, {.tools = true}) == "");
    }
    constexpr auto params = R"({"messages":[],"includeContext":"thisServer"})";
    sampling_request request;
    BOOST_TEST(sampling::read(request, params, {.tools = true}) == "");
    BOOST_TEST((request.include_context == context_inclusion::none));
    BOOST_TEST(sampling::read(request, params, {.context = true}) == "");
    BOOST_TEST((request.include_context == context_inclusion::this_server));
}

BOOST_AUTO_TEST_CASE(tools_of_a_request_must_be_valid)
{
    constexpr sampling::options with{.tools = true};
    BOOST_TEST(refusal_of(R"("tools":{})", with) == "'tools' of the sampling request is not an array");
    BOOST_TEST(refusal_of(R"("toolChoice":{"mode":"some"})", with) ==
               "mode of 'toolChoice' is unknown, expected 'auto', 'required' or 'none'");
    sampling_request request;
    BOOST_TEST(sampling::read(request, R"({"messages":[],"toolChoice":{}})", with) == "");
    BOOST_TEST((request.tool_choice == tool_choice_mode::automatic));
}

BOOST_AUTO_TEST_CASE(declared_capability_contains_the_chosen_parts)
{
    BOOST_TEST(sampling::capability({}) == "{}");
    BOOST_TEST(sampling::capability({.tools = true}) == R"({"tools":{}})");
    BOOST_TEST(sampling::capability({.context = true}) == R"({"context":{}})");
    BOOST_TEST(sampling::capability({.tools = true, .context = true}) == R"({"tools":{},"context":{}})");
}

BOOST_AUTO_TEST_CASE(tool_calls_without_results_are_refused)
{
    std::string const call = R"({"role":"assistant","content":[{"type":"text","text":"a"},)"
                             R"({"type":"tool_use","id":"1","name":"n","input":{}},)"
                             R"({"type":"tool_use","id":"2","name":"n","input":{}}]})";
    std::string const first = R"({"type":"tool_result","toolUseId":"1","content":[]})";
    std::string const second = R"({"type":"tool_result","toolUseId":"2","content":[]})";
    std::string const text = R"({"type":"text","text":"b"})";
    auto const of_user = [](std::string const& content) { return R"(,{"role":"user","content":)" + content + "}"; };
    auto const both = of_user("[" + second + "," + first + "]");
    BOOST_TEST(refusal_of_messages(call + both) == "");
    BOOST_TEST(refusal_of_messages(call + both + "," + call + both + of_user(text)) == "");
    constexpr auto no_result = "tool call '1' has no tool result in the next message";
    BOOST_TEST(refusal_of_messages(call) == no_result);
    BOOST_TEST(refusal_of_messages(call + of_user(text) + both) == no_result);
    BOOST_TEST(refusal_of_messages(call + of_user(second) + of_user(first)) == no_result);
    constexpr auto mixed = "message with a tool result has other content";
    BOOST_TEST(refusal_of_messages(call + of_user("[" + first + "," + second + "," + text + "]")) == mixed);
    constexpr auto no_call = "tool result '1' has no tool call in the message before";
    BOOST_TEST(refusal_of_messages(R"({"role":"user","content":)" + first + "}") == no_call);
    BOOST_TEST(refusal_of_messages(call + of_user("[" + first + "," + first + "," + second + "]")) == no_call);
    BOOST_TEST(refusal_of_messages(call + R"(,{"role":"assistant","content":[)" + first + "," + second + "]}") ==
               "tool result is not in a message of the user");
}

BOOST_AUTO_TEST_CASE(conversation_has_typed_blocks_in_each_protocol_version)
{
    std::vector<sampling_message> const all{
        {"user", {text_content{"2+3?", {}, {}}}, R"({"k":1})"},
        {"assistant", {text_content{"wait", {}, {}}, tool_use_content{"1", "add", R"({"a":2})", {}}}, {}},
        {"user", {tool_result_content{"1", R"([{"type":"text","text":"5"}])", {}, false, {}}}, {}},
    };
    sampling_request request;
    for (auto const version : with_tools) {
        request.set_conversation(all, version);
        BOOST_TEST((request.conversation() == all));
    }
    request.set_conversation(all, before_tools);
    auto const old = request.conversation();
    BOOST_TEST_REQUIRE(old.size() == 4u);
    for (auto const& message : old) {
        BOOST_TEST_REQUIRE(message.content.size() == 1u);
        BOOST_TEST(std::holds_alternative<text_content>(message.content[0]));
        BOOST_TEST(message.meta == "");
    }
    BOOST_TEST(old[2].role == "assistant");
    BOOST_TEST(std::get<text_content>(old[2].content[0]).text == R"([call of the tool add: {"a":2}])");
    BOOST_TEST(read_sampling_messages(R"([1,{"role":"user","content":[],"_meta":null}])").size() == 1u);
    BOOST_TEST(read_sampling_messages(R"({"role":"user"})").empty());
}

BOOST_AUTO_TEST_CASE(blocks_of_a_result_are_written_and_read)
{
    sampling_result result;
    result.text = "hi";
    BOOST_TEST((result.blocks() == std::vector<content_block>{text_content{"hi", {}, {}}}));
    std::vector<content_block> const all{text_content{"wait", {}, {}}, tool_use_content{"1", "add", "{}", {}}};
    result.set_blocks(all);
    result.stop_reason = "toolUse";
    auto const read = sampling::read_result(sampling::write(result, {})).value();
    BOOST_TEST((read.blocks() == all));
    BOOST_TEST(read.text == "wait");
    BOOST_TEST(read.stop_reason == "toolUse");
    result.set_blocks({all[1]});
    BOOST_TEST(result.content == R"({"type":"tool_use","id":"1","name":"add","input":{}})");
}

BOOST_AUTO_TEST_CASE(tools_are_not_written_before_2025_11_25)
{
    auto request = request_with_tool();
    request.tool_choice = tool_choice_mode::automatic;
    BOOST_TEST(sampling::params_of(request, before_tools) == R"({"messages":[],"maxTokens":1000})");
    BOOST_TEST(!sampling::exists_in(before_tools, request));
    BOOST_TEST(sampling::exists_in(before_tools, {}));
    for (auto const version : with_tools)
        BOOST_TEST(sampling::exists_in(version, request));
    sampling_request choice, unread;
    choice.tool_choice = tool_choice_mode::none;
    BOOST_TEST(!sampling::exists_in(before_tools, choice));
    unread.raw = R"({"messages":[],"tools":[]})";
    BOOST_TEST(!sampling::exists_in(before_tools, unread));
}

BOOST_AUTO_TEST_CASE(needed_capability_follows_from_the_request)
{
    constexpr auto version = protocol_version::v2025_11_25;
    sampling_request plain, context, raw;
    auto tools = request_with_tool();
    context.include_context = context_inclusion::this_server;
    raw.raw = R"({"messages":[],"toolChoice":{},"includeContext":"allServers"})";
    auto const declared = [](std::string_view json) { return read_client_capabilities(json); };
    auto const none = declared("{}"), sampling_only = declared(R"({"sampling":{}})"),
               with_all = declared(R"({"sampling":{"tools":{},"context":{}}})");
    for (auto const* request : {&plain, &context, &tools, &raw}) {
        BOOST_TEST(!sampling::is_declared(none, *request, version));
        BOOST_TEST(sampling::is_declared(with_all, *request, version));
        BOOST_TEST(sampling::is_declared(sampling_only, *request, version) == (request == &plain));
        auto const required = declared(sampling::required(*request, version));
        BOOST_TEST(sampling::is_declared(required, *request, version));
    }
    BOOST_TEST(sampling::required(plain, version) == R"({"sampling":{}})");
    BOOST_TEST(sampling::required(tools, version) == R"({"sampling":{"tools":{}}})");
    BOOST_TEST(sampling::required(context, version) == R"({"sampling":{"context":{}}})");
    BOOST_TEST(sampling::required(raw, version) == R"({"sampling":{"tools":{},"context":{}}})");
    // The capability `context` does not exist in earlier versions, whose requests may include context.
    BOOST_TEST(sampling::is_declared(sampling_only, context, before_tools));
    BOOST_TEST(sampling::required(context, before_tools) == R"({"sampling":{}})");
}

BOOST_AUTO_TEST_SUITE_END()
