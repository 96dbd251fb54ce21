#ifndef LINKSPAN_PROTOCOL_IMPL_ENVELOPE_IPP
#define LINKSPAN_PROTOCOL_IMPL_ENVELOPE_IPP

#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <limits>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns whether a value may be an id: a string, a number, or null, which replaces an id that could not be read.
inline bool is_id(std::string_view value) noexcept
{
    auto const first = value.front();
    return first == '"' || first == '-' || (first >= '0' && first <= '9') || value == "null";
}

// Returns whether `id` may be incomplete: a number at the end of a truncated text may lack digits.
inline bool may_be_truncated(std::string_view id, std::string_view text) noexcept
{
    return !json_scan::quoted(id) && id.data() + id.size() == text.data() + text.size();
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

// Reads a response in its most frequent form, {"jsonrpc":"2.0","id":N,"result":{...}}, in one pass. Returns false for
// each other text, valid or not; `message` then has unspecified views.
inline bool read_frequent_result(std::string_view text, envelope& message) noexcept
{
    using namespace std::string_view_literals;
    namespace scan = json_scan::detail;
    constexpr auto head = R"({"jsonrpc":"2.0","id":)"sv, middle = R"(,"result":{)"sv;
    constexpr std::ptrdiff_t max_digits = 18; // always fits into `request_id`
    if (!text.starts_with(head))
        return false;
    auto const* const end = text.data() + text.size();
    auto const* const digits = text.data() + head.size();
    auto const* p = digits;
    request_id id = 0;
    for (; p != end && scan::is_digit(*p) && p - digits != max_digits; ++p)
        id = id * 10 + (*p - '0');
    if (p == digits || (*digits == '0' && p - digits != 1) || !scan::between(p, end).starts_with(middle))
        return false;
    message.raw_id = scan::between(digits, p);
    message.id = id;
    p += middle.size();
    auto const* const result = p - 1;
    auto const skip_comma = [&] {
        p = scan::skip_blanks(p, end);
        bool const found = p != end && *p == ',';
        if (found)
            p = scan::skip_blanks(p + 1, end);
        return found;
    };
    bool more;
    if (auto const text = plain_text_of_members(scan::between(p, end))) {
        message.plain_text = *text;
        p = text->data() + text->size() + 3; // after `"}]`
        more = skip_comma();
    } else {
        p = scan::skip_blanks(p, end);
        more = p != end && *p != '}';
    }
    for (; more; more = skip_comma()) {
        auto const* const key = p + 1;
        char const* quote = nullptr;
        if (p = scan::skip_key(p, end, &quote); !p)
            return false;
        auto const* const value = p;
        if (p = p == end ? nullptr : scan::skip(p, end); !p)
            return false;
        if (scan::between(key, quote) == "resultType"sv)
            message.result_type = scan::between(value, p);
    }
    if (end - p < 2 || p[0] != '}' || p[1] != '}' || scan::skip_blanks(p + 2, end) != end)
        return false;
    message.result = scan::between(result, p + 1);
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
    if (!members.ok() && may_be_truncated(message.raw_id, text))
        message.raw_id = {};
    message.id = read_id(message.raw_id);
    message.what = valid && members.ok() ? kind_of_message(message) : envelope::kind::invalid;
    return message;
}

} // namespace detail

LINKSPAN_DECL envelope read_envelope(std::string_view text) noexcept
{
    envelope message;
    return detail::read_frequent_result(text, message) ? message : detail::read_any_envelope(text);
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
