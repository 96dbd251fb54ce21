#ifndef LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_MCP_IPP
#define LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_MCP_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/detail/default_responses.hpp>
#include <linkspan/test/fault/detail/edited_message.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns the steps that send a response whose result `edit` has changed. A response without a result gets one.
template<class Edit>
fault_steps with_result(faulty_message const& on, Edit edit)
{
    return edited(on.text, [&](boost::json::object& message) {
        message.erase("error");
        auto& result = message["result"];
        edit(result.is_object() ? result.get_object() : result.emplace_object());
    });
}

// As with_result(), but `edit` changes each object of the array `tools`, or only the first one.
template<class Edit>
fault_steps with_tools(faulty_message const& on, bool only_first, Edit edit)
{
    return with_result(on, [&](boost::json::object& result) {
        auto* const list = result["tools"].if_array();
        for (auto& tool : list ? *list : result["tools"].emplace_array())
            if (auto* const one = tool.if_object()) {
                edit(*one);
                if (only_first)
                    return;
            }
    });
}

// Returns a member of an object, which becomes an empty value of its type unless it has this type.
template<class Value>
Value& member(boost::json::object& of, std::string_view name)
{
    auto& found = of[name];
    if constexpr (std::same_as<Value, boost::json::object>)
        return found.is_object() ? found.get_object() : found.emplace_object();
    else
        return found.is_array() ? found.get_array() : found.emplace_array();
}

// Returns the steps that send `count` messages before the message. `%` in `pattern` is replaced by their number.
inline fault_steps after_many(faulty_message const& on, std::size_t count, std::string_view pattern)
{
    constexpr std::size_t max_count = 10'000; // all steps are in memory
    count = std::min(count, max_count);
    fault_steps out;
    auto const at = pattern.find('%');
    for (std::size_t i = 1; i <= count; ++i) {
        std::string text(pattern);
        if (at != pattern.npos)
            text.replace(at, 1, std::to_string(i));
        out.push_back(send_message(text));
    }
    out.push_back(send_message(on.text));
    return out;
}

// Returns the steps that send a list of tools whose input schemas have a property with a reference.
inline fault_steps with_reference(faulty_message const& on, std::string_view target)
{
    return with_tools(on, false, [target](boost::json::object& tool) {
        boost::json::object const reference{{"$ref", target}};
        tool["inputSchema"] = {{"type", "object"}, {"properties", boost::json::object{{"x", reference}}}};
    });
}

// Returns the steps that send a response with one protocol version only.
inline fault_steps with_version(faulty_message const& on, std::string_view version)
{
    return with_result(on, [&](boost::json::object& result) {
        if (on.method == "initialize")
            result["protocolVersion"] = version;
        else
            result["supportedVersions"] = boost::json::array{boost::json::string(version)};
    });
}

inline fault_steps failure_steps(faulty_message const& on, int code, std::string_view message)
{
    return {send_message(server_dialogue::failure(json_scan::member(on.text, "id"), code, message))};
}

inline std::string fault_cursor(std::string_view page)
{
    return std::string(default_responses::fault_cursor).append(page);
}

// Sets the `nextCursor` of a page to that of the page which begins `count` tools before the end of this page; the last
// page has none. A cursor that is not one of a scripted server is not changed.
inline void move_cursor(boost::json::object& page, std::size_t count)
{
    auto& cursor = page["nextCursor"];
    auto const moved = static_cast<std::int64_t>(count);
    auto const end = cursor.is_string() ? json_scan::integer(cursor.get_string()) : std::nullopt;
    if (cursor.is_null() || (end && *end >= moved))
        cursor = fault_cursor(std::to_string(end.value_or(0) - moved));
}

// Returns the steps that send a page which `edit(result, tools)` has changed. A response without tools is not changed.
template<class Edit>
fault_steps with_page(faulty_message const& on, Edit edit)
{
    return edited(on.text, [&](boost::json::object& message) {
        auto* const result = message.if_contains("result");
        auto* const tools = result && result->is_object() ? result->get_object().if_contains("tools") : nullptr;
        if (tools && tools->is_array() && !tools->get_array().empty())
            edit(result->get_object(), tools->get_array());
    });
}

// Returns the steps that send a page as if the list changed between the pages: the first tool is missing until the list
// is requested again, and the next page begins with the last tool of this page.
inline fault_steps between_changes(faulty_message const& on)
{
    auto out = with_page(on, [](boost::json::object& result, boost::json::array& tools) {
        tools.erase(tools.begin());
        move_cursor(result, 1);
    });
    out.insert(out.begin(), send_message(list_changed));
    return out;
}

// Faults of the opening and of lists of tools.
inline fault_steps listing_steps(fault_kind kind, faulty_message const& on)
{
    using boost::json::array;
    using boost::json::object;
    switch (kind) {
    case fault_kind::version_mismatch: return with_version(on, "1999-01-01");
    case fault_kind::downgrade: return with_version(on, "2024-11-05");
    case fault_kind::no_capabilities:
        return with_result(on, [](object& result) { result["capabilities"].emplace_object(); });
    case fault_kind::init_error: return failure_steps(on, -32603, "the server cannot be used");
    case fault_kind::init_hang:
    case fault_kind::ping_unanswered: return {};
    case fault_kind::init_twice: return send_both(on, on.text, on.text);
    case fault_kind::discover_32601:
    case fault_kind::capability_lie: return failure_steps(on, -32601, "Method not found");
    case fault_kind::discover_32602: return failure_steps(on, -32602, "Invalid params");
    case fault_kind::supported_versions_empty:
        return with_result(on, [](object& result) { result["supportedVersions"].emplace_array(); });
    case fault_kind::missing_input_schema:
        return with_tools(on, false, [](object& tool) { tool.erase("inputSchema"); });
    case fault_kind::root_not_object:
        return with_tools(on, false, [](object& tool) {
            tool["inputSchema"] = {{"$schema", "http://json-schema.org/draft-07/schema#"}};
        });
    case fault_kind::bad_schema: return with_reference(on, "#/$defs/absent");
    case fault_kind::schema_loop: return with_reference(on, "#/properties/x");
    case fault_kind::schema_external: return with_reference(on, "https://schemas.invalid/forecast.json");
    case fault_kind::duplicate_tool_names:
        return with_result(on, [](object& result) {
            auto* const tools = result["tools"].if_array();
            if (tools && !tools->empty())
                tools->push_back(boost::json::value(tools->front()));
        });
    case fault_kind::cursor_loop:
        return with_page(on, [](object& result, array&) { result["nextCursor"] = fault_cursor("again"); });
    case fault_kind::cursor_expired: return failure_steps(on, -32602, "Invalid cursor");
    case fault_kind::empty_page:
        return with_page(on, [](object& result, array& tools) {
            auto const count = tools.size();
            tools.clear();
            move_cursor(result, count);
        });
    case fault_kind::page_drift: return between_changes(on);
    case fault_kind::rename_tool:
        return with_tools(on, true, [](object& tool) { tool["name"] = "renamed_by_a_fault"; });
    case fault_kind::schema_drift:
        return with_tools(on, true, [](object& tool) {
            auto& schema = member<object>(tool, "inputSchema");
            member<object>(schema, "properties")["added_by_a_fault"] = object{{"type", "string"}};
            member<boost::json::array>(schema, "required").push_back("added_by_a_fault");
        });
    case fault_kind::ttl_zero: return with_result(on, [](object& result) { result["ttlMs"] = 0; });
    default: return {send_message(on.text)}; // the other kinds are not passed to this function
    }
}

// Returns the result of a call that requests input of the user.
inline fault_steps input_steps(faulty_message const& on, boost::json::value state)
{
    using boost::json::object;
    return with_result(on, [&](object& result) {
        object const schema{{"type", "object"}, {"properties", object{{"name", object{{"type", "string"}}}}}};
        object const form{{"mode", "form"}, {"message", "Name?"}, {"requestedSchema", schema}};
        result = {{"resultType", "input_required"},
                  {"inputRequests", object{{"name", object{{"method", "elicitation/create"}, {"params", form}}}}},
                  {"requestState", std::move(state)}};
    });
}

LINKSPAN_DECL fault_steps mcp_steps(fault_setting const& fault, faulty_message const& on)
{
    using boost::json::array;
    using boost::json::object;
    auto const amount = [&](std::size_t by_default) { return fault.amount != 0 ? fault.amount : by_default; };
    switch (fault.kind) {
    case fault_kind::list_changed_storm: return after_many(on, amount(100), list_changed);
    case fault_kind::sampling_flood:
        return after_many(on, amount(20),
                          R"({"jsonrpc":"2.0","id":"s%","method":"sampling/createMessage","params":{"messages":[],)"
                          R"("maxTokens":1}})");
    case fault_kind::elicit_unsupported:
        return after_many(on, 1,
                          R"({"jsonrpc":"2.0","id":"e%","method":"elicitation/create","params":{"message":"Name?",)"
                          R"("requestedSchema":{"type":"object","properties":{}}}})");
    case fault_kind::progress_unknown_token: return {send_message(stray_progress), send_message(on.text)};
    case fault_kind::progress_after_result: {
        auto const progress = R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
                              (on.token.empty() ? std::string("1") : std::string(on.token)) + R"(,"progress":1}})";
        if (uses_http(on.carrier))
            return send_events(on, message_event(on.text) + message_event(progress));
        return {send_message(on.text), send_message(progress)};
    }
    case fault_kind::structured_missing:
        return with_result(on, [](object& result) { result.erase("structuredContent"); });
    case fault_kind::structured_invalid:
        return with_result(on, [](object& result) { result["structuredContent"] = {{"added_by_a_fault", true}}; });
    case fault_kind::error_with_structured:
        return with_result(on, [](object& result) {
            result["isError"] = true;
            result["structuredContent"] = {{"added_by_a_fault", true}};
        });
    case fault_kind::unknown_content_type:
        return with_result(on, [](object& result) {
            object const block{{"type", "hologram"}, {"data", "x"}};
            result["content"] = array{block};
        });
    case fault_kind::input_endless: return input_steps(on, "again");
    case fault_kind::input_bad_state: return input_steps(on, 7);
    default: return listing_steps(fault.kind, on);
    }
}

} // namespace linkspan::test::detail

#endif
