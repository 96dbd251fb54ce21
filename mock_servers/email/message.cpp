#include "message.hpp"

#include <linkspan/core/detail/base64.hpp>
#include <linkspan/core/detail/sha256.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <string_view>

namespace mock_email {

namespace {

using linkspan::detail::sha256_text;
using linkspan::detail::to_base64;

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

bool is_control(char c) { return (c >= 0 && c < ' ') || c == 0x7f; }

// Returns bytes as base64 in lines of 76 characters.
std::string base64_lines(std::string_view bytes)
{
    constexpr std::size_t bytes_per_line = 57;
    std::string out;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes_per_line, bytes.size())))
        out += to_base64(bytes.substr(0, bytes_per_line)) + "\r\n";
    return out;
}

// Returns the length of the longest prefix of at most `max` bytes that does not divide a character of UTF-8.
std::size_t prefix_of(std::string_view text, std::size_t max)
{
    if (text.size() <= max)
        return text.size();
    auto end = max;
    while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return end == 0 ? max : end;
}

// Returns the text of a header, as encoded words unless it is short ASCII text.
std::string header_text(std::string_view text)
{
    constexpr std::size_t max_plain = 60, max_word = 45;
    if (text.size() <= max_plain && std::ranges::all_of(text, is_printable) && text.find("=?") == text.npos)
        return std::string(text);
    std::string out;
    while (!text.empty()) {
        auto const size = prefix_of(text, max_word);
        out += (out.empty() ? "=?utf-8?B?" : "\r\n =?utf-8?B?") + to_base64(text.substr(0, size)) + "?=";
        text.remove_prefix(size);
    }
    return out;
}

// Returns the parameter with the name of a file.
std::string filename(std::string_view name)
{
    std::string out = "filename*=utf-8''";
    for (char const c : name) {
        bool const is_safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                             c == '-' || c == '_';
        auto const byte = static_cast<unsigned char>(c);
        if (is_safe)
            out += c;
        else
            (out += '%') += {"0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
    return out;
}

std::string date_text(std::chrono::system_clock::time_point now)
{
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    auto const seconds = std::chrono::system_clock::to_time_t(now);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> rest{};
    std::strftime(rest.data(), rest.size(), "%Y %H:%M:%S +0000", &parts); // names of days depend on the locale
    return std::string(days[static_cast<std::size_t>(parts.tm_wday)]) + ", " + std::to_string(parts.tm_mday) + " " +
           months[static_cast<std::size_t>(parts.tm_mon)] + " " + rest.data();
}

// Returns a text whose lines end in CR LF.
std::string with_canonical_lines(std::string_view text)
{
    std::string out;
    for (char const c : text) {
        if (c == '\n' && !out.ends_with('\r'))
            out += '\r';
        out += c;
    }
    return out;
}

std::string addresses(std::vector<std::string> const& all)
{
    std::string out;
    for (auto const& address : all)
        out += (out.empty() ? "" : ",\r\n ") + address;
    return out;
}

std::string part(std::string_view boundary, std::string const& headers, std::string_view content)
{
    return "--" + std::string(boundary) + "\r\n" + headers + "Content-Transfer-Encoding: base64\r\n\r\n" +
           base64_lines(content);
}

} // namespace

std::string message_id(message const& what)
{
    // The length before each text makes the content unambiguous.
    std::string all;
    auto const add = [&all](std::string_view text) { (all += std::to_string(text.size()) + ':') += text; };
    add(what.key);
    add(what.from);
    add(std::to_string(what.to.size()));
    for (auto const& address : what.to)
        add(address);
    add(what.subject);
    add(what.body);
    for (auto const& file : what.attachments) {
        add(file.name);
        add(file.bytes);
    }
    auto const domain = what.from.substr(what.from.rfind('@') + 1);
    return "<" + sha256_text(all).substr(0, 32) + "@" + domain + ">";
}

std::string compose(message const& what, std::chrono::system_clock::time_point now)
{
    if (std::ranges::any_of(what.subject, is_control))
        throw email_error("The subject has a control character.");
    auto const id = message_id(what);
    // The boundary has characters that base64 does not have, so that no part contains it.
    auto const boundary = "=_" + id.substr(1, 32);
    std::string out =
        "From: " + what.from + "\r\nTo: " + addresses(what.to) + "\r\nSubject: " + header_text(what.subject) +
        "\r\nDate: " + date_text(now) + "\r\nMessage-ID: " + id +
        "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary=\"" + boundary + "\"\r\n\r\n";
    out += part(boundary, "Content-Type: text/plain; charset=utf-8\r\n", with_canonical_lines(what.body));
    for (auto const& file : what.attachments)
        out += part(boundary,
                    "Content-Type: " + file.type + "\r\nContent-Disposition: attachment;\r\n " + filename(file.name) +
                        "\r\n",
                    file.bytes);
    return out + "--" + boundary + "--\r\n";
}

} // namespace mock_email
