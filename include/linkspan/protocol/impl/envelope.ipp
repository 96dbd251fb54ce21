#ifndef LINKSPAN_PROTOCOL_IMPL_ENVELOPE_IPP
#define LINKSPAN_PROTOCOL_IMPL_ENVELOPE_IPP

#include <linkspan/json/json_scan.hpp>
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

} // namespace detail

LINKSPAN_DECL envelope read_envelope(std::string_view text) noexcept
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
            detail::read_result(members, message);
            continue;
        }
        auto const value = members.skip();
        if (*key == "id" && !value.empty() && detail::is_id(value))
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
    if (!members.ok() && detail::may_be_truncated(message.raw_id, text))
        message.raw_id = {};
    message.id = detail::read_id(message.raw_id);
    message.what = valid && members.ok() ? detail::kind_of_message(message) : envelope::kind::invalid;
    return message;
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
