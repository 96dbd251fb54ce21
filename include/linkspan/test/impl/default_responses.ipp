#ifndef LINKSPAN_TEST_IMPL_DEFAULT_RESPONSES_IPP
#define LINKSPAN_TEST_IMPL_DEFAULT_RESPONSES_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/default_responses.hpp>
#include <linkspan/test/script/detail/declaration_text.hpp>

#include <algorithm>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL declared_tool* default_responses::find(std::string_view name) noexcept
{
    auto const found = std::ranges::find(tools, name, &declared_tool::name);
    return found == tools.end() ? nullptr : &*found;
}

LINKSPAN_DECL void default_responses::declare(tool_declaration const& what)
{
    declared_tool added{what, nullptr};
    auto* const known = find(what.name);
    if (known)
        *known = std::move(added);
    else
        tools.push_back(std::move(added));
}

LINKSPAN_DECL void default_responses::respond(exchange& request)
{
    if (request.method() == "tools/list")
        return list(request);
    bool const is_call = request.method() == "tools/call";
    auto const* const tool = is_call ? find(request.tool()) : nullptr;
    if (!tool && on_unknown)
        return on_unknown(request, [] {});
    if (!is_call)
        return request.refuse(-32601, "Method not found");
    if (!tool)
        return request.refuse(-32602, "Unknown tool: " + std::string(request.tool()));
    request.reply(tool->run ? tool->run(request.arguments()) : R"("content":[])");
}

// A regular cursor is the index of the first tool on the page.
LINKSPAN_DECL void default_responses::list(exchange& request) const
{
    auto const cursor = json_scan::member(request.params(), "cursor");
    auto const text = json_scan::quoted(cursor).value_or("");
    bool const is_of_fault = text.starts_with(fault_cursor);
    bool const is_endless = is_of_fault && text.substr(fault_cursor.size()) == "again";
    auto const size = page_size == 0 ? tools.size() : page_size;
    std::size_t first = 0;
    if (!cursor.empty() && cursor != "null" && !is_endless) {
        auto const count = static_cast<std::int64_t>(tools.size());
        auto const number = json_scan::integer(text.substr(is_of_fault ? fault_cursor.size() : 0)).value_or(count);
        auto const index = is_of_fault && number < 0 ? count + number : number;
        if (index < (is_of_fault ? 0 : 1) || index >= count)
            return request.refuse(-32602, "Invalid cursor");
        first = static_cast<std::size_t>(index);
    }
    auto const last = std::min(tools.size(), first + size);
    std::string members = R"("tools":[)";
    for (auto i = first; i != last; ++i) {
        members += i == first ? "" : ",";
        append_declaration(members, tools[i]);
    }
    members += ']';
    if (is_endless || last != tools.size())
        members.append(R"(,"nextCursor":")").append(is_endless ? text : std::to_string(last)).append(1, '"');
    request.reply(members);
}

} // namespace linkspan::test::detail

#endif
