#ifndef LINKSPAN_MODEL_IMPL_CALL_RESULT_IPP
#define LINKSPAN_MODEL_IMPL_CALL_RESULT_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/task.hpp>

#include <cstddef>
#include <optional>
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

// Calls `read` with the text of each text block of `content`: the characters between its quotes, or nothing if the text
// is not a string.
template<class Read>
void for_each_text(std::string_view result, Read read)
{
    json_scan::reader members(result);
    while (auto const key = members.next_key()) {
        if (*key != "content") {
            members.skip();
            continue;
        }
        auto blocks = members.enter();
        while (blocks.next_key()) {
            auto block = blocks.enter();
            if (!block.is_object()) {
                blocks.skip();
                continue;
            }
            auto const text = text_of_block(block);
            blocks.leave(block);
            if (!text.empty())
                read(json_scan::quoted(text));
        }
        return;
    }
}

LINKSPAN_DECL std::optional<std::string_view> plain_text_of_members(std::string_view members) noexcept
{
    namespace scan = json_scan::detail;
    auto const* const end = members.data() + members.size();
    auto const* const text = scan::skip_word(members.data(), end, R"("content":[{"type":"text","text":")");
    auto const* const quote = text ? scan::find_plain_end(text, end) : nullptr;
    if (!quote || !scan::skip_word(quote, end, R"("}])"))
        return std::nullopt;
    return scan::between(text, quote);
}

inline std::optional<std::string_view> plain_text_of(std::string_view result) noexcept
{
    return result.starts_with('{') ? plain_text_of_members(result.substr(1)) : std::nullopt;
}

LINKSPAN_DECL bool append_text_content(std::string& out, std::string_view result)
{
    if (auto const plain = plain_text_of(result)) {
        out += *plain;
        return is_json_text(*plain);
    }
    bool is_valid = true, is_first = true;
    for_each_text(result, [&](std::optional<std::string_view> text) {
        if (!std::exchange(is_first, false))
            out += '\n';
        if (text) {
            is_valid &= json_scan::append_unescaped(out, *text);
            is_valid &= is_json_text(*text);
        }
    });
    return is_valid;
}

// The first member of a name counts, as in `json_scan::member`.
LINKSPAN_DECL result_parts parts_of(std::string_view result) noexcept
{
    std::optional<std::string_view> structured, is_error;
    for (json_scan::reader members(result); auto const member = members.next();) {
        if (!structured && member->key == "structuredContent")
            structured = member->value;
        else if (!is_error && member->key == "isError")
            is_error = member->value;
    }
    return {structured.value_or(""), is_error == "true"};
}

} // namespace detail

LINKSPAN_DECL void call_result::trail(std::vector<attempt_record> attempts, std::string detail, std::string tool)
{
    trail_ = std::make_shared<record>(std::move(attempts), std::move(detail), std::move(tool));
}

LINKSPAN_DECL void call_result::explain(std::string detail, std::string tool)
{
    auto const kept = attempts();
    trail({kept.begin(), kept.end()}, std::move(detail), std::move(tool));
}

LINKSPAN_DECL bool call_result::is_error() const noexcept { return detail::parts_of(raw()).is_error; }

inline std::optional<std::string_view> call_result::find_plain_text() const noexcept
{
    if (text_offset_ != 0)
        return std::string_view(raw().data() + text_offset_, text_size_);
    return detail::plain_text_of(raw());
}

LINKSPAN_DECL std::vector<content_block> call_result::content() const
{
    return read_content(json_scan::member(raw(), "content"));
}

LINKSPAN_DECL std::optional<linkspan::task> call_result::task() const
{
    if (text_offset_ != 0 || text_size_ == no_task)
        return std::nullopt;
    return read_task(text_size_ == task_in_member ? json_scan::member(raw(), "task") : raw());
}

LINKSPAN_DECL std::string call_result::text() const
{
    if (auto const plain = find_plain_text())
        return std::string(*plain);
    std::string out;
    bool is_first = true;
    detail::for_each_text(raw(), [&](std::optional<std::string_view> text) {
        if (!std::exchange(is_first, false))
            out += '\n';
        if (text)
            json_scan::append_unescaped(out, *text);
    });
    return out;
}

LINKSPAN_DECL std::optional<std::string_view> call_result::text_view() const noexcept
{
    if (auto const plain = find_plain_text())
        return plain;
    std::optional<std::string_view> only = std::string_view();
    std::size_t blocks = 0;
    detail::for_each_text(raw(), [&](std::optional<std::string_view> text) {
        bool const is_plain = ++blocks == 1 && text && text->find('\\') == text->npos;
        only = is_plain ? text : std::nullopt;
    });
    return only;
}

LINKSPAN_DECL std::string_view call_result::structured() const noexcept { return detail::parts_of(raw()).structured; }

LINKSPAN_DECL std::string_view call_result::type() const noexcept
{
    return json_scan::quoted(json_scan::member(raw(), "resultType")).value_or("complete");
}

} // namespace linkspan

#endif
