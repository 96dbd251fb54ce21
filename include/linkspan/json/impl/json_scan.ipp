#ifndef LINKSPAN_JSON_IMPL_JSON_SCAN_IPP
#define LINKSPAN_JSON_IMPL_JSON_SCAN_IPP

#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::json_scan {
LINKSPAN_DECL std::optional<std::string_view> skip_value(std::string_view text) noexcept
{
    auto const* const end = text.data() + text.size();
    auto const* const p = detail::skip(detail::skip_blanks(text.data(), end), end);
    return p ? std::optional(detail::between(p, end)) : std::nullopt;
}

LINKSPAN_DECL bool is_value(std::string_view text) noexcept
{
    auto const rest = skip_value(text);
    return rest && rest->find_first_not_of(" \t\n\r") == rest->npos;
}

LINKSPAN_DECL reader::reader(std::string_view text) noexcept : reader(text.data(), text.data() + text.size()) {}

LINKSPAN_DECL reader::reader(char const* at, char const* end) noexcept : at_(detail::skip_blanks(at, end)), end_(end)
{
    if (at_ != end_ && (*at_ == '{' || *at_ == '['))
        close_ = *at_++ == '{' ? '}' : ']';
    else
        state_ = state::failed;
}

LINKSPAN_DECL reader reader::at_value(std::string_view text) noexcept
{
    reader out(text);
    out.at_ = detail::skip_blanks(text.data(), out.end_);
    out.close_ = 0;
    out.state_ = state::in_item;
    return out;
}

LINKSPAN_DECL reader reader::of_members(std::string_view members) noexcept
{
    reader out(members);
    out.at_ = members.data();
    out.close_ = '}';
    out.state_ = state::first;
    return out;
}

LINKSPAN_DECL std::optional<item> reader::next() noexcept
{
    auto const key = next_key();
    if (!key)
        return std::nullopt;
    auto const value = skip();
    return value.empty() ? std::nullopt : std::optional(item{*key, value});
}

LINKSPAN_DECL std::optional<std::string_view> reader::next_key() noexcept
{
    if (state_ != state::first && state_ != state::more)
        return std::nullopt;
    auto const* p = detail::skip_blanks(at_, end_);
    if (p != end_ && *p == close_) {
        at_ = p + 1;
        state_ = state::done;
        return std::nullopt;
    }
    auto const was_first = std::exchange(state_, state::failed) == state::first; // until the key has been read
    if (!was_first) {
        if (p == end_ || *p != ',')
            return std::nullopt;
        p = detail::skip_blanks(p + 1, end_);
    }
    std::string_view key;
    if (close_ == '}') {
        auto const* const opening = p;
        char const* quote = nullptr;
        if (!(p = detail::skip_key(p, end_, &quote)))
            return std::nullopt;
        key = detail::between(opening + 1, quote);
    }
    at_ = p;
    state_ = state::in_item;
    return key;
}

LINKSPAN_DECL bool reader::next_key_is(std::string_view key) noexcept
{
    auto const* p = detail::skip_blanks(at_, end_);
    if (state_ == state::more) {
        if (p == end_ || *p != ',')
            return false;
        p = detail::skip_blanks(p + 1, end_);
    } else if (state_ != state::first) {
        return false;
    }
    auto const* const value = detail::skip_word(p, end_, key);
    if (!value)
        return false;
    at_ = detail::skip_blanks(value, end_);
    state_ = state::in_item;
    return true;
}

LINKSPAN_DECL std::string_view reader::skip() noexcept
{
    if (std::exchange(state_, state::failed) != state::in_item)
        return {};
    auto const* const value = at_;
    auto const* const p = detail::skip(at_, end_);
    if (!p)
        return {};
    at_ = p;
    state_ = state::more;
    return detail::between(value, p);
}

LINKSPAN_DECL std::optional<string_token> reader::skip_string() noexcept
{
    if (peek() != '"')
        return std::nullopt;
    auto const* const begin = at_ + 1;
    auto const* const quote = detail::find_quote(begin, end_);
    state_ = quote ? state::more : state::failed;
    if (!quote)
        return std::nullopt;
    at_ = quote + 1;
    auto const inner = detail::between(begin, quote);
    return string_token{inner, detail::has_slash(inner)};
}

LINKSPAN_DECL std::string_view reader::leave(reader const& inner) noexcept
{
    auto const* const value = at_;
    bool const whole = state_ == state::in_item && inner.state_ == state::done;
    state_ = whole ? state::more : state::failed;
    at_ = inner.at_;
    return whole ? detail::between(value, at_) : std::string_view();
}

LINKSPAN_DECL bool reader::ok() const noexcept
{
    return state_ == (close_ == 0 ? state::more : state::done) && detail::skip_blanks(at_, end_) == end_;
}

LINKSPAN_DECL std::string_view member(std::string_view object, std::string_view key) noexcept
{
    reader in(object);
    if (in.is_object())
        while (auto const found = in.next())
            if (found->key == key)
                return found->value;
    return {};
}

LINKSPAN_DECL std::optional<double> number(std::string_view value) noexcept
{
    double read = 0;
    auto const* const end = value.data() + value.size();
    auto const [stop, failure] = std::from_chars(value.data(), end, read);
    return failure == std::errc() && stop == end ? std::optional(read) : std::nullopt;
}

LINKSPAN_DECL std::optional<std::int64_t> integer(std::string_view value) noexcept
{
    std::int64_t number = 0;
    auto const* const end = value.data() + value.size();
    auto const [stop, failure] = std::from_chars(value.data(), end, number);
    return failure == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

LINKSPAN_DECL bool append_string(std::string& out, std::string_view value)
{
    auto const inner = quoted(value);
    return inner && append_unescaped(out, *inner);
}

LINKSPAN_DECL bool append_unescaped(std::string& out, std::string_view inner)
{
    out.reserve(out.size() + inner.size());
    for (auto text = inner;;) {
        auto const slash = std::min(text.find('\\'), text.size());
        out.append(text.substr(0, slash));
        if (slash == text.size())
            return true;
        text.remove_prefix(slash + 1);
        if (text.empty())
            return false;
        auto const escape = text.front();
        text.remove_prefix(1);
        switch (escape) {
        case '"':
        case '\\':
        case '/': out += escape; break;
        case 'b': out += '\b'; break;
        case 'f': out += '\f'; break;
        case 'n': out += '\n'; break;
        case 'r': out += '\r'; break;
        case 't': out += '\t'; break;
        case 'u': {
            auto const taken = detail::append_unicode_escape(out, text);
            if (taken == 0)
                return false;
            text.remove_prefix(taken);
            break;
        }
        default: return false;
        }
    }
}

} // namespace linkspan::json_scan

#endif
