#ifndef LINKSPAN_PROTOCOL_IMPL_URI_TEMPLATE_IPP
#define LINKSPAN_PROTOCOL_IMPL_URI_TEMPLATE_IPP

#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/protocol/uri_template.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::uri {

inline bool is_alphanumeric(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// RFC 3986, section 2.3.
inline bool is_unreserved(char c) noexcept
{
    return is_alphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos;
}

// RFC 3986, section 2.2.
inline bool is_reserved(char c) noexcept
{
    return std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos;
}

inline bool is_encoded(std::string_view text, std::size_t at) noexcept
{
    return text.size() - at >= 3 && text[at] == '%' && json_scan::detail::hex_digit(text[at + 1]) >= 0 &&
           json_scan::detail::hex_digit(text[at + 2]) >= 0;
}

// Appends a value with percent-encoding. `allows_all`: reserved characters and percent-encoded bytes are kept.
inline void append_encoded(std::string& out, std::string_view value, bool allows_all)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (std::size_t i = 0; i != value.size(); ++i) {
        auto const byte = static_cast<unsigned char>(value[i]);
        if (is_unreserved(value[i]) || (allows_all && (is_reserved(value[i]) || is_encoded(value, i))))
            out += value[i];
        else
            ((out += '%') += digits[byte >> 4]) += digits[byte & 15];
    }
}

inline std::string decoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_encoded(text, i)) {
            out += static_cast<char>(json_scan::detail::hex_digit(text[i + 1]) << 4 |
                                     json_scan::detail::hex_digit(text[i + 2]));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace detail::uri

// Adds the variables of an expression. Returns a problem, or an empty text.
LINKSPAN_DECL std::string uri_template::add_expression(std::string_view inner, std::vector<part>& parts)
{
    char const kind = inner.empty() ? '\0' : inner.front();
    bool const has_operator = std::string_view("+#./;?&").find(kind) != std::string_view::npos && kind != '\0';
    bool const is_named = kind == ';' || kind == '?' || kind == '&';
    auto const prefix = has_operator && kind != '+' ? std::string(1, kind) : std::string();
    auto const separator = kind == '?' ? std::string("&") : !prefix.empty() && kind != '#' ? prefix : std::string(",");
    inner.remove_prefix(has_operator ? 1 : 0);
    for (bool is_first = true, is_last = false; !is_last; is_first = false) {
        auto const comma = inner.find(',');
        is_last = comma == inner.npos;
        auto const name = inner.substr(0, comma);
        inner.remove_prefix(is_last ? inner.size() : comma + 1);
        auto const is_of_name = [](char c) {
            return detail::uri::is_alphanumeric(c) || c == '_' || c == '.' || c == '%';
        };
        if (name.empty() || !std::ranges::all_of(name, is_of_name))
            return "expected a name of a variable, found '" + std::string(name) + "'";
        if (std::ranges::find(parts, name, &part::name) != parts.end())
            return "the variable '" + std::string(name) + "' occurs twice";
        auto const key = is_named ? std::string(name) + (kind == ';' ? "" : "=") : std::string();
        parts.push_back(
            {prefix + key, std::string(name), is_first, is_named, kind == '+' || kind == '#', separator + key});
    }
    return {};
}

LINKSPAN_DECL std::optional<uri_template> uri_template::parse(std::string_view text, std::string& problem)
{
    if (text.empty() || text.size() > max_size) {
        problem = "expected 1 to " + std::to_string(max_size) + " bytes, found " + std::to_string(text.size());
        return std::nullopt;
    }
    uri_template out;
    out.text_ = text;
    for (std::size_t at = 0; at != text.size();) {
        auto const open = std::min(text.find('{', at), text.size());
        auto const literal = text.substr(at, open - at);
        if (literal.find('}') != literal.npos) {
            problem = "expected '{' before the '}' at position " + std::to_string(at + literal.find('}'));
            return std::nullopt;
        }
        if (!literal.empty())
            out.parts_.push_back({std::string(literal), {}});
        at = open;
        if (at == text.size())
            break;
        auto const close = text.find('}', at);
        if (close == text.npos) {
            problem = "expected '}' after position " + std::to_string(at);
            return std::nullopt;
        }
        problem = add_expression(text.substr(at + 1, close - at - 1), out.parts_);
        if (!problem.empty())
            return std::nullopt;
        at = close + 1;
    }
    return out;
}

LINKSPAN_DECL std::vector<std::string> uri_template::names() const
{
    std::vector<std::string> out;
    for (auto const& one : parts_)
        if (!one.name.empty())
            out.push_back(one.name);
    return out;
}

LINKSPAN_DECL std::string uri_template::expand(values const& given) const
{
    std::string out;
    bool has_value = false; // an earlier variable of the expression has a value
    for (auto const& one : parts_) {
        if (one.name.empty()) {
            out += one.text;
            continue;
        }
        has_value = has_value && !one.is_first;
        auto const found = std::ranges::find(given, one.name, &values::value_type::first);
        if (found == given.end())
            continue;
        out += has_value ? one.separator : one.text;
        // Operator ';': the value follows an equals sign, unless it is empty.
        if (one.is_named && !out.ends_with('=') && !found->second.empty())
            out += '=';
        detail::uri::append_encoded(out, found->second, one.allows_all);
        has_value = true;
    }
    return out;
}

// Search for the values. A pair of a part and a position at which the rest does not match is remembered, so that the
// search takes each pair once.
class uri_template::matcher {
public:
    matcher(std::vector<part> const& parts, std::string_view uri)
        : parts_(parts), uri_(uri), failed_(2 * (parts.size() + 1) * (uri.size() + 1))
    {}

    bool run() { return matches(0, 0, false); }

    // Returns the values after run() has returned true.
    values take()
    {
        std::ranges::reverse(found_);
        return std::move(found_);
    }

private:
    // Returns whether the parts from `index` match the URI from `at`. `has_value`: an earlier variable of the
    // expression has a value.
    bool matches(std::size_t index, std::size_t at, bool has_value)
    {
        if (index == parts_.size())
            return at == uri_.size();
        auto const& one = parts_[index];
        has_value = has_value && !one.is_first && !one.name.empty();
        auto const key = 2 * (index * (uri_.size() + 1) + at) + (has_value ? 1 : 0);
        if (failed_[key])
            return false;
        bool const is_match = one.name.empty() ? matches_literal(index, at) : matches_variable(index, at, has_value);
        failed_[key] = !is_match;
        return is_match;
    }

    bool matches_literal(std::size_t index, std::size_t at)
    {
        auto const& text = parts_[index].text;
        return uri_.substr(at).starts_with(text) && matches(index + 1, at + text.size(), false);
    }

    bool matches_variable(std::size_t index, std::size_t at, bool has_value)
    {
        auto const& one = parts_[index];
        std::string_view const before = has_value ? one.separator : one.text;
        if (uri_.substr(at).starts_with(before)) {
            auto begin = at + before.size();
            bool const needs_sign = one.is_named && !before.ends_with('=');
            bool const has_sign = needs_sign && begin != uri_.size() && uri_[begin] == '=';
            begin += has_sign ? 1 : 0;
            auto const longest = needs_sign && !has_sign ? begin : end_of_value(begin, one.allows_all);
            for (auto end = longest + 1; end-- > begin + (one.is_named ? 0 : 1);) {
                if (!is_boundary(begin, end) || !matches(index + 1, end, true))
                    continue;
                found_.emplace_back(one.name, detail::uri::decoded(uri_.substr(begin, end - begin)));
                return true;
            }
        }
        return one.is_named && matches(index + 1, at, has_value);
    }

    // Returns the end of the longest value that begins at a position.
    std::size_t end_of_value(std::size_t at, bool allows_all) const noexcept
    {
        while (at != uri_.size()) {
            if (detail::uri::is_encoded(uri_, at))
                at += 3;
            else if (detail::uri::is_unreserved(uri_[at]) || static_cast<signed char>(uri_[at]) < 0 ||
                     (allows_all && detail::uri::is_reserved(uri_[at])))
                ++at;
            else
                break;
        }
        return at;
    }

    // Returns whether a value may end at a position, which must not be inside a percent-encoded byte.
    bool is_boundary(std::size_t begin, std::size_t end) const noexcept
    {
        return !(end > begin && detail::uri::is_encoded(uri_, end - 1)) &&
               !(end > begin + 1 && detail::uri::is_encoded(uri_, end - 2));
    }

    std::vector<part> const& parts_; // set by the constructor; so is the next member
    std::string_view uri_;
    std::vector<bool> failed_; // by part, position and `has_value`; set by matches()
    values found_;             // in reverse order; added by matches_variable() when all later parts match
};

LINKSPAN_DECL std::optional<uri_template::values> uri_template::match(std::string_view uri) const
{
    if (uri.size() > max_size)
        return std::nullopt;
    matcher search(parts_, uri);
    return search.run() ? std::optional(search.take()) : std::nullopt;
}

} // namespace linkspan

#endif
