#ifndef LINKSPAN_MODEL_IMPL_SAMPLING_RULES_IPP
#define LINKSPAN_MODEL_IMPL_SAMPLING_RULES_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/detail/sampling_rules.hpp>

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The tool calls and tool results of one message.
struct tool_blocks {
    std::set<std::string> calls;      // ids
    std::vector<std::string> results; // ids of the tool calls to which they belong
    std::size_t others = 0;           // number of the other blocks

    void add(std::string_view block)
    {
        auto const id = [block](std::string_view key) {
            return json_scan::string(json_scan::member(block, key)).value_or("");
        };
        auto const type = json_scan::quoted(json_scan::member(block, "type"));
        if (type == "tool_use")
            calls.insert(id("id"));
        else if (type == "tool_result")
            results.push_back(id("toolUseId"));
        else
            ++others;
    }
};

inline tool_blocks tool_blocks_of(std::string_view content)
{
    tool_blocks out;
    json_scan::reader blocks(content);
    if (blocks.is_object())
        out.add(content);
    else if (blocks.is_array())
        while (auto const block = blocks.next())
            out.add(block->value);
    return out;
}

LINKSPAN_DECL std::string violation_of_tool_rules(std::string_view messages)
{
    std::set<std::string> open; // tool calls of the message before
    for (json_scan::reader each(messages); auto const message = each.next();) {
        auto found = tool_blocks_of(json_scan::member(message->value, "content"));
        if (!found.results.empty() && (found.others != 0 || !found.calls.empty()))
            return "message with a tool result has other content";
        if (!found.results.empty() && json_scan::quoted(json_scan::member(message->value, "role")) != "user")
            return "tool result is not in a message of the user";
        for (auto const& id : found.results)
            if (open.erase(id) == 0)
                return "tool result '" + id + "' has no tool call in the message before";
        if (!open.empty())
            return "tool call '" + *open.begin() + "' has no tool result in the next message";
        open = std::move(found.calls);
    }
    return open.empty() ? std::string() : "tool call '" + *open.begin() + "' has no tool result in the next message";
}

} // namespace linkspan::detail

#endif
