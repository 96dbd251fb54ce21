#ifndef LINKSPAN_TEST_SCRIPT_IMPL_FOUND_TEXT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_FOUND_TEXT_IPP

#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/script/detail/found_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The size of a text from which a message shows a part only. Larger than that of `shortened_text`, so that the end of
// the text is replaced there.
inline constexpr std::size_t max_shown_bytes = 256;

// Appends the begin of the JSON text of a value: all of it, or at least `max_shown_bytes` bytes. Each level of the
// recursion adds a byte.
inline void append_begin(std::string& out, boost::json::value const& value)
{
    auto const is_full = [&out] { return out.size() > max_shown_bytes; };
    if (auto const* const text = value.if_string()) {
        append_quoted(out, linkspan::detail::utf8_prefix({text->data(), text->size()}, max_shown_bytes));
    } else if (auto const* const array = value.if_array()) {
        out += '[';
        for (auto one = array->begin(); one != array->end() && !is_full(); ++one) {
            out += one == array->begin() ? "" : ",";
            append_begin(out, *one);
        }
        out += ']';
    } else if (auto const* const object = value.if_object()) {
        out += '{';
        for (auto one = object->begin(); one != object->end() && !is_full(); ++one) {
            out += one == object->begin() ? "" : ",";
            append_quoted(out, linkspan::detail::utf8_prefix({one->key().data(), one->key().size()}, max_shown_bytes));
            out += ':';
            append_begin(out, one->value());
        }
        out += '}';
    } else {
        append_json(out, value);
    }
}

LINKSPAN_DECL std::string short_json(boost::json::value const& value)
{
    std::string out;
    append_begin(out, value);
    return linkspan::detail::shortened_text(out);
}

LINKSPAN_DECL std::string short_json(std::string_view text)
{
    std::string out;
    append_quoted(out, linkspan::detail::utf8_prefix(text, max_shown_bytes));
    return linkspan::detail::shortened_text(out);
}

LINKSPAN_DECL std::string quoted_text(std::string_view name)
{
    return "'" + linkspan::detail::shortened_text(name) + "'";
}

// Returns the member that a reference token of a JSON Pointer refers to; null: there is none.
inline boost::json::value const* member_of(boost::json::object const& object, std::string_view token)
{
    std::string key;
    for (std::size_t i = 0; i != token.size(); ++i)
        if (bool const is_escaped = token[i] == '~' && i + 1 != token.size(); is_escaped)
            key += token[++i] == '1' ? '/' : '~';
        else
            key += token[i];
    if (auto const* const found = object.if_contains(key); found || !token.ends_with("..."))
        return found;
    auto const found = std::ranges::find_if(
        object, [&](auto const& member) { return linkspan::detail::shortened_key(member.key()) == token; });
    return found == object.end() ? nullptr : &found->value();
}

LINKSPAN_DECL boost::json::value const* value_at(boost::json::value const& document, std::string_view pointer)
{
    auto const* at = pointer.empty() || pointer.front() == '/' ? &document : nullptr; // null: in another document
    while (at && !pointer.empty()) {
        auto const token = pointer.substr(1, pointer.find('/', 1) - 1);
        pointer.remove_prefix(token.size() + 1);
        auto const* const array = at->if_array();
        auto const* const object = at->if_object();
        at = object ? member_of(*object, token) : nullptr;
        std::size_t index = 0;
        if (array && std::from_chars(token.data(), token.data() + token.size(), index).ec == std::errc())
            at = array->if_contains(index);
    }
    return at;
}

LINKSPAN_DECL std::string join_problems(std::string_view name, std::vector<diagnostic> const& problems)
{
    std::string out;
    for (auto const& one : problems)
        (((out += out.empty() ? "" : "\n") += name) += ": ") += to_string(one);
    return out;
}

} // namespace linkspan::test::detail

#endif
