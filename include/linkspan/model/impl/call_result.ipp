#ifndef LINKSPAN_MODEL_IMPL_CALL_RESULT_IPP
#define LINKSPAN_MODEL_IMPL_CALL_RESULT_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/call_result.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the text of a content block as JSON, with its quotes; empty if the block is of another type.
inline std::string_view text_of_block(json_scan::reader& block) noexcept
{
    std::string_view type, text;
    while (auto const member = block.next()) {
        if (member->key == "type")
            type = member->value;
        else if (member->key == "text")
            text = member->value;
    }
    return type == "\"text\"" ? text : std::string_view();
}

LINKSPAN_DECL bool append_text_content(std::string& out, std::string_view result)
{
    bool is_valid = true;
    json_scan::reader members(result);
    while (auto const key = members.next_key()) {
        if (*key != "content") {
            members.skip();
            continue;
        }
        auto blocks = members.enter();
        for (bool first = true; blocks.next_key();) {
            auto block = blocks.enter();
            if (!block.is_object()) {
                blocks.skip();
                continue;
            }
            auto const text = text_of_block(block);
            blocks.leave(block);
            if (text.empty())
                continue;
            if (!std::exchange(first, false))
                out += '\n';
            if (auto const inner = json_scan::quoted(text)) {
                is_valid &= json_scan::append_unescaped(out, *inner);
                is_valid &= is_json_text(*inner);
            }
        }
        break;
    }
    return is_valid;
}

} // namespace detail

LINKSPAN_DECL void call_result::trail(std::vector<attempt_record> attempts, std::string detail, std::string tool)
{
    trail_ = std::make_shared<record>(std::move(attempts), std::move(detail), std::move(tool));
}

LINKSPAN_DECL bool call_result::is_error() const noexcept { return json_scan::member(raw(), "isError") == "true"; }

LINKSPAN_DECL std::string call_result::text() const
{
    std::string out;
    detail::append_text_content(out, raw());
    return out;
}

LINKSPAN_DECL std::string_view call_result::structured() const noexcept
{
    return json_scan::member(raw(), "structuredContent");
}

LINKSPAN_DECL std::string_view call_result::type() const noexcept
{
    return json_scan::quoted(json_scan::member(raw(), "resultType")).value_or("complete");
}

} // namespace linkspan

#endif
