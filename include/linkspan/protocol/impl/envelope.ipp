#ifndef LINKSPAN_PROTOCOL_IMPL_ENVELOPE_IPP
#define LINKSPAN_PROTOCOL_IMPL_ENVELOPE_IPP

#include <linkspan/json/detail/optional_escapes.hpp>
#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <cstddef>
#include <cstring>
#include <limits>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns whether a value may be an id: a string, a number, or null, which replaces an id that could not be read.
inline bool is_id(std::string_view value) noexcept
{
    auto const first = value.front();
    return first == '"' || first == '-' || (first >= '0' && first <= '9') || value == "null";
}

// Returns whether the client may have sent another id: the text is no JSON value, and the member does not end after
// `id`. A number at the end of a truncated text may lack digits, but a string is complete.
inline bool may_be_another(std::string_view id, std::string_view text) noexcept
{
    if (id.empty())
        return false;
    auto const rest = text.substr(static_cast<std::size_t>(id.data() - text.data()) + id.size());
    auto const next = rest.find_first_not_of(" \t\r\n");
    return next == rest.npos ? !json_scan::quoted(id) : rest[next] != ',' && rest[next] != '}';
}

inline std::optional<request_id> read_id(std::string_view raw) noexcept
{
    return json_scan::integer(json_scan::quoted(raw).value_or(raw));
}

inline void read_result(json_scan::reader& members, envelope& message) noexcept
{
    auto result = members.enter();
    if (!result.is_object()) {
        message.result = members.skip();
        return;
    }
    while (auto const member = result.next())
        if (member->key == "resultType")
            message.result_type = member->value;
    message.result = members.leave(result);
}

// Reads the beginning of a response in its most frequent form, {"jsonrpc":"2.0","id":N,"result":{...}}, up to the brace
// of the result. Returns the position after the brace, or null for each other text, valid or not.
inline char const* read_frequent_head(std::string_view text, envelope& message) noexcept
{
    namespace scan = json_scan::detail;
    constexpr std::ptrdiff_t max_digits = 18; // always fits into `request_id`
    auto const* const end = text.data() + text.size();
    auto const* const digits = scan::skip_word(text.data(), end, R"({"jsonrpc":"2.0","id":)");
    if (!digits)
        return nullptr;
    auto const* p = digits;
    request_id id = 0;
    for (; p != end && scan::is_digit(*p) && p - digits != max_digits; ++p)
        id = id * 10 + (*p - '0');
    if (p == digits || (*digits == '0' && p - digits != 1))
        return nullptr;
    message.raw_id = scan::between(digits, p);
    message.id = id;
    return scan::skip_word(p, end, R"(,"result":{)");
}

// Reads the content of a result that has one text without escapes, from the position after the brace of the result.
// Returns the position after the content, or `p` for other results.
inline char const* read_plain_text(char const* p, char const* end, envelope& message) noexcept
{
    auto const text = plain_text_of_members(json_scan::detail::between(p, end));
    if (!text)
        return p;
    message.plain_text = *text;
    return text->data() + text->size() + 3; // after `"}]`
}

// Reads the members of the result of a response in its most frequent form, from the position `p`, and the end of the
// message. `is_first`: no member precedes `p`. Returns false for each other text.
inline bool read_frequent_rest(char const* p, char const* end, bool is_first, envelope& message) noexcept
{
    namespace scan = json_scan::detail;
    auto const skip_comma = [&] {
        p = scan::skip_blanks(p, end);
        bool const found = p != end && *p == ',';
        if (found)
            p = scan::skip_blanks(p + 1, end);
        return found;
    };
    p = scan::skip_blanks(p, end);
    for (bool more = is_first ? p != end && *p != '}' : skip_comma(); more; more = skip_comma()) {
        auto const* const key = p + 1;
        char const* quote = nullptr;
        if (p = scan::skip_key(p, end, &quote); !p)
            return false;
        auto const* const value = p;
        if (p = p == end ? nullptr : scan::skip(p, end); !p)
            return false;
        if (scan::between(key, quote) == "resultType")
            message.result_type = scan::between(value, p);
    }
    if (end - p < 2 || p[0] != '}' || p[1] != '}' || scan::skip_blanks(p + 2, end) != end)
        return false;
    message.result = scan::between(message.result.data(), p + 1);
    message.what = envelope::kind::result;
    return true;
}

inline envelope::kind kind_of_message(envelope const& message) noexcept
{
    using kind = envelope::kind;
    bool const has_id = !message.raw_id.empty() && message.raw_id != "null";
    if (!message.method.empty())
        return !message.result.empty() || !message.error.empty() ? kind::invalid
               : has_id                                          ? kind::request
                                                                 : kind::notification;
    if (message.result.empty() == message.error.empty())
        return kind::invalid;
    return message.result.empty() ? kind::error : kind::result;
}

// Reads a message in any form.
inline envelope read_any_envelope(std::string_view text) noexcept
{
    envelope message;
    json_scan::reader members(text);
    if (members.is_array())
        message.what = envelope::kind::batch;
    if (!members.is_object())
        return message;
    bool valid = true;
    while (auto const key = members.next_key()) {
        if (*key == "result") {
            read_result(members, message);
            continue;
        }
        if (has_optional_escape(*key))
            message.has_escaped_names = true;
        auto const value = members.skip();
        if (*key == "id" && !value.empty() && is_id(value))
            message.raw_id = value;
        else if (*key == "id" || (*key == "jsonrpc" && value != "\"2.0\""))
            valid = false;
        else if (*key == "method")
            message.method = json_scan::quoted(value).value_or("");
        else if (*key == "params")
            message.params = value;
        else if (*key == "error" && value != "null") // some servers write it beside a result
            message.error = value;
    }
    if (!members.ok() && may_be_another(message.raw_id, text))
        message.raw_id = {};
    if (has_optional_escape(message.method))
        message.has_escaped_names = true;
    message.id = read_id(message.raw_id);
    message.what = valid && members.ok() ? kind_of_message(message) : envelope::kind::invalid;
    return message;
}

} // namespace detail

LINKSPAN_DECL envelope envelope_reader::read(std::string_view text) noexcept
{
    envelope message;
    auto const* const end = text.data() + text.size();
    auto const* const members = detail::read_frequent_head(text, message);
    if (!members)
        return detail::read_any_envelope(text);
    message.result = json_scan::detail::between(members - 1, end);
    auto const* const after_text = detail::read_plain_text(members, end, message);
    auto const rest = json_scan::detail::between(after_text, end);
    bool const has_text = after_text != members;
    if (has_text && read_tail(rest, message))
        return message;
    if (!detail::read_frequent_rest(after_text, end, !has_text, message))
        return detail::read_any_envelope(text);
    if (has_text)
        keep_tail(rest, message);
    return message;
}

inline bool envelope_reader::read_tail(std::string_view rest, envelope& message) const noexcept
{
    if (tail_size_ == 0 || rest != std::string_view(tail_.data(), tail_size_))
        return false;
    message.result_type = rest.substr(type_offset_, type_size_);
    message.result.remove_suffix(1); // the closing brace of the message
    message.what = envelope::kind::result;
    return true;
}

inline void envelope_reader::keep_tail(std::string_view rest, envelope const& message) noexcept
{
    // Whitespace after the message does not belong to the result, so that such a text is not kept.
    auto const* const end_of_result = message.result.data() + message.result.size();
    bool const is_kept = rest.size() <= max_tail && end_of_result + 1 == rest.data() + rest.size();
    tail_size_ = is_kept ? rest.size() : 0;
    if (!is_kept)
        return;
    std::memcpy(tail_.data(), rest.data(), rest.size());
    type_size_ = message.result_type.size();
    type_offset_ = type_size_ == 0 ? 0 : static_cast<std::size_t>(message.result_type.data() - rest.data());
}

LINKSPAN_DECL envelope read_envelope(std::string_view text) noexcept
{
    envelope_reader reader; // `envelope_reader()` would fill its memory with zeros
    return reader.read(text);
}

LINKSPAN_DECL bool has_escaped_names(std::string_view message) noexcept
{
    auto const read = read_envelope(message);
    if (read.what == envelope::kind::batch)
        for (json_scan::reader in(message); auto const one = in.next();)
            if (read_envelope(one->value).has_escaped_names)
                return true;
    return read.has_escaped_names;
}

// Decoded characters could continue an invalid escape, such as `\u0` before them, so that the text has another escape.
LINKSPAN_DECL std::optional<std::string> with_plain_names(std::string_view message)
{
    std::optional<std::string> out = detail::without_optional_escapes(message);
    if (has_escaped_names(*out))
        out.reset();
    return out;
}

LINKSPAN_DECL rpc_failure read_failure(std::string_view error) noexcept
{
    rpc_failure failure;
    json_scan::reader members(error);
    while (auto const member = members.next()) {
        if (member->key == "code") {
            auto const code = json_scan::integer(member->value).value_or(0);
            using limits = std::numeric_limits<int>;
            failure.code = code < limits::min() || code > limits::max() ? 0 : static_cast<int>(code);
        } else if (member->key == "message") {
            failure.message = member->value;
        } else if (member->key == "data") {
            failure.data = member->value;
        }
    }
    return failure;
}

} // namespace linkspan

#endif
