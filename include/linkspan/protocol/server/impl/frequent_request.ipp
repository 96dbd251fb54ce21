#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_FREQUENT_REQUEST_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_FREQUENT_REQUEST_IPP

#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/frequent_request.hpp>

#include <cstddef>
#include <cstring>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::request_reading {

namespace scan = json_scan::detail;

// Moves `p` behind a literal if the text has it there. The size is a constant, so that the comparison is inlined.
template<std::size_t Size>
LINKSPAN_ALWAYS_INLINE bool take(char const*& p, char const* end, char const (&literal)[Size]) noexcept
{
    constexpr auto length = Size - 1;
    if (static_cast<std::size_t>(end - p) < length || std::memcmp(p, literal, length) != 0)
        return false;
    p += length;
    return true;
}

// Skips a string, or a number that is followed by a comma or a brace. Returns null for other text.
inline char const* skip_token(char const* p, char const* end) noexcept
{
    auto const* const begin = p;
    while (p != end && scan::is_digit(*p))
        ++p;
    if (p == begin || (*begin == '0' && p - begin != 1) || p == end || (*p != ',' && *p != '}'))
        p = begin != end && (*begin == '"' || *begin == '-' || scan::is_digit(*begin)) ? scan::skip_scalar(begin, end)
                                                                                       : nullptr;
    return p != end ? p : nullptr;
}

// Skips the value of a member of the params.
LINKSPAN_ALWAYS_INLINE char const* skip_param(char const* p, char const* end) noexcept
{
    if (p == end || *p != '"')
        return scan::skip(p, end);
    auto const* const quote = scan::find_quote(p + 1, end);
    return quote ? quote + 1 : nullptr;
}

// Converts an id. Most ids are numbers with few digits, for which `json_scan::integer` would take twice as long.
inline std::optional<request_id> to_id(std::string_view raw) noexcept
{
    constexpr std::size_t max_digits = 18; // always fits into `request_id`
    request_id id = 0;
    bool is_plain = raw.size() <= max_digits;
    for (std::size_t i = 0; is_plain && i != raw.size(); ++i) {
        is_plain = scan::is_digit(raw[i]);
        id = id * 10 + (raw[i] - '0');
    }
    return is_plain ? id : json_scan::integer(json_scan::quoted(raw).value_or(raw));
}

// Reads the beginning of an object from the position after its brace. Returns the position of `split_meta::members`.
inline char const* read_progress_token(char const* p, char const* end, split_meta& out) noexcept
{
    auto const* const begin = p;
    if (!take(p, end, R"("progressToken":)"))
        return begin;
    auto const* const token = p;
    p = skip_token(p, end);
    if (!p || (*p != ',' && *p != '}'))
        return begin;
    out.progress_token = scan::between(token, p);
    return *p == ',' ? p + 1 : p;
}

// Reads the value of `_meta`. Returns the position after the value, or null.
inline char const* read_meta(char const* const value, char const* end, std::string_view known,
                             frequent_request& out) noexcept
{
    if (value == end || *value != '{')
        return nullptr;
    auto const* const members = read_progress_token(value + 1, end, out.meta);
    auto const left = static_cast<std::size_t>(end - members);
    bool const is_known =
        known.starts_with('"') && left >= known.size() && std::memcmp(members, known.data(), known.size()) == 0;
    auto const* const after = is_known ? members + known.size() : scan::skip(value, end);
    if (!after)
        return nullptr;
    out.has_known_meta = is_known;
    out.meta.members = scan::between(members, after);
    out.params.meta = scan::between(value, after);
    return after;
}

// Reads the members of the params from the position after the brace. Returns the position after the closing brace, or
// null.
inline char const* read_params(char const* p, char const* end, std::string_view known_meta,
                               frequent_request& out) noexcept
{
    if (p != end && *p == '}')
        return p + 1;
    for (;; ++p) {
        std::string_view* view = nullptr;
        if (take(p, end, R"("_meta":)")) {
            if (!out.params.meta.empty())
                return nullptr; // repeated
            if (p = read_meta(p, end, known_meta, out); !p)
                return nullptr;
        } else {
            if (take(p, end, R"("name":)")) {
                view = &out.params.name;
            } else if (take(p, end, R"("arguments":)")) {
                view = &out.params.arguments;
            } else {
                auto const* const key = p + 1;
                char const* quote = nullptr;
                if (p = scan::skip_key(p, end, &quote); !p)
                    return nullptr;
                view = out.params.find(scan::between(key, quote));
                if (view == &out.params.meta)
                    return nullptr; // with white space after the key
            }
            auto const* const value = p;
            if (p = skip_param(p, end); !p)
                return nullptr;
            if (view && view->empty()) // the first of repeated members, as `request_params::find` decides
                *view = scan::between(value, p);
        }
        if (p == end || *p != ',')
            return p != end && *p == '}' ? p + 1 : nullptr;
    }
}

} // namespace detail::request_reading

LINKSPAN_DECL split_meta split_meta::read(std::string_view meta) noexcept
{
    split_meta out;
    if (!meta.starts_with('{'))
        return out;
    auto const* const end = meta.data() + meta.size();
    auto const* const members = detail::request_reading::read_progress_token(meta.data() + 1, end, out);
    out.members = json_scan::detail::between(members, end);
    return out;
}

LINKSPAN_DECL bool read_frequent_request(std::string_view text, std::string_view known_meta,
                                         frequent_request& out) noexcept
{
    namespace scan = json_scan::detail;
    using detail::request_reading::take;
    if (!text.starts_with('{'))
        return false;
    auto& message = out.message;
    auto const* p = text.data();
    auto const* const end = p + text.size();
    do {
        ++p;
        if (take(p, end, R"("jsonrpc":"2.0")"))
            continue;
        if (message.raw_id.empty() && take(p, end, R"("id":)")) {
            auto const* const id = p;
            if (p = detail::request_reading::skip_token(p, end); !p)
                return false;
            message.raw_id = scan::between(id, p);
        } else if (message.method.empty() && take(p, end, R"("method":")")) {
            auto const* const method = p;
            if (!take(p, end, R"(tools/call")")) {
                auto const* const quote = scan::find_quote(p, end);
                if (!quote || scan::between(p, quote).find('\\') != std::string_view::npos)
                    return false;
                p = quote + 1;
            }
            message.method = scan::between(method, p - 1);
        } else if (message.params.empty() && take(p, end, R"("params":{)")) {
            auto const* const params = p - 1;
            if (p = detail::request_reading::read_params(p, end, known_meta, out); !p)
                return false;
            message.params = scan::between(params, p);
        } else {
            return false;
        }
    } while (p != end && *p == ',');
    if (p == end || *p != '}' || scan::skip_blanks(p + 1, end) != end)
        return false;
    if (message.raw_id.empty() || message.method.empty() || message.params.empty())
        return false;
    message.id = detail::request_reading::to_id(message.raw_id);
    message.what = envelope::kind::request;
    // The limit of the nesting includes the params, which were read without counting them. A text that exceeds the
    // limit has two brackets for each level.
    return message.params.size() < 2 * json_scan::max_depth || scan::skip(message.params.data(), end) != nullptr;
}

} // namespace linkspan

#endif
