#ifndef LINKSPAN_CONFIG_IMPL_SERVER_ADDRESS_IPP
#define LINKSPAN_CONFIG_IMPL_SERVER_ADDRESS_IPP

// Reads servers that are given as a URL or a command line.

#include <linkspan/config/detail/server_address.hpp>
#include <linkspan/core/detail/http_text.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline int hex_digit(char c) noexcept
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

inline std::string without_escapes(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i != text.size(); ++i) {
        auto const high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        auto const low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

// Calls `take(key, value)` for each parameter of a query, with decoded values.
template<class Take>
void read_query(std::string_view query, Take take)
{
    while (!query.empty()) {
        auto const end = query.find('&');
        auto const part = query.substr(0, end);
        query = end == query.npos ? std::string_view() : query.substr(end + 1);
        auto const equals = part.find('=');
        if (equals == part.npos)
            throw std::invalid_argument("linkspan: server URL: expected name=value after '?'");
        take(part.substr(0, equals), without_escapes(part.substr(equals + 1)));
    }
}

inline std::string_view last_part(std::string_view path) noexcept
{
    auto const slash = path.rfind('/');
    return slash == path.npos ? path : path.substr(slash + 1);
}

inline std::pair<std::string_view, std::string_view> split_query(std::string_view text) noexcept
{
    auto const question = text.find('?');
    return question == text.npos ? std::pair(text, std::string_view())
                                 : std::pair(text.substr(0, question), text.substr(question + 1));
}

inline server_config command_server(std::string_view rest)
{
    auto const [program, query] = split_query(rest);
    server_config out;
    out.command = without_escapes(program);
    read_query(query, [&out](std::string_view key, std::string value) {
        if (key != "arg")
            throw std::invalid_argument("linkspan: server URL: expected only 'arg' as parameter of command://");
        out.args.push_back(std::move(value));
    });
    out.name = last_part(out.command);
    return out;
}

inline server_config unix_server(std::string_view rest)
{
    if (rest.starts_with("//"))
        rest.remove_prefix(2);
    auto const [socket, query] = split_query(rest);
    server_config out;
    out.unix_socket = without_escapes(socket);
    out.url = "http://localhost/mcp";
    read_query(query, [&out](std::string_view key, std::string const& value) {
        if (key != "path" || !value.starts_with('/'))
            throw std::invalid_argument(
                "linkspan: server URL: expected only 'path' as parameter of unix:, with a value that begins with '/'");
        out.url = "http://localhost" + value;
    });
    out.name = last_part(out.unix_socket);
    return out;
}

inline server_config http_server(std::string_view url)
{
    auto const rest = url.substr(url.find("://") + 3);
    server_config out;
    out.url = url;
    // Credentials in a URL are rejected by the transport; the name must not contain them.
    auto const authority = rest.substr(0, rest.find_first_of("/?#"));
    out.name = authority.substr(authority.rfind('@') + 1);
    if (split_query(url).first.ends_with("/sse"))
        out.framing = http_framing::sse;
    return out;
}

// Splits a command line into words. Quotes enclose whitespace; a backslash escapes a character, except in single
// quotes.
inline std::vector<std::string> split_words(std::string_view text)
{
    std::vector<std::string> out;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i != text.size(); ++i) {
        char const c = text[i];
        bool const is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (quote == 0 && is_blank) {
            in_word = false;
            continue;
        }
        if (!std::exchange(in_word, true))
            out.emplace_back();
        if (c == '\\' && quote != '\'' && i + 1 != text.size())
            out.back() += text[++i];
        else if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            out.back() += c;
    }
    if (quote != 0)
        throw std::invalid_argument("linkspan: server command: quote is not closed");
    return out;
}

} // namespace detail

LINKSPAN_DECL server_config detail::read_server_url(std::string_view url)
{
    constexpr std::string_view command = "command://", socket = "unix:";
    auto const has_scheme = [url](std::string_view scheme) {
        return detail::equal_ignoring_case(url.substr(0, scheme.size()), scheme);
    };
    auto const out = has_scheme(command)  ? detail::command_server(url.substr(command.size()))
                     : has_scheme(socket) ? detail::unix_server(url.substr(socket.size()))
                     : has_scheme("http://") || has_scheme("https://") ? detail::http_server(url)
                                                                       : server_config();
    if (out.name.empty() || url.find('\0') != url.npos)
        throw std::invalid_argument(
            "linkspan: server URL: expected http://, https://, unix: or command://, followed by a name");
    return out;
}

LINKSPAN_DECL server_config detail::read_server_text(std::string_view text)
{
    auto const blanks = std::string_view(" \t\r\n");
    auto const begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    text = text.substr(0, text.find_last_not_of(blanks) + 1);
    if (text.substr(0, text.find_first_of(" \t")).find("://") != text.npos ||
        detail::equal_ignoring_case(text.substr(0, 5), "unix:"))
        return detail::read_server_url(text);
    auto words = detail::split_words(text);
    if (text.find('\0') != text.npos)
        throw std::invalid_argument("linkspan: server command has a NUL byte");
    if (words.empty() || words.front().empty())
        throw std::invalid_argument("linkspan: server command is empty");
    server_config out;
    out.command = std::move(words.front());
    out.args.assign(std::make_move_iterator(words.begin() + 1), std::make_move_iterator(words.end()));
    out.name = detail::last_part(out.command);
    return out;
}

} // namespace linkspan

#endif
