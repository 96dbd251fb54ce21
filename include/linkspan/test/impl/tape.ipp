#ifndef LINKSPAN_TEST_IMPL_TAPE_IPP
#define LINKSPAN_TEST_IMPL_TAPE_IPP

#include <linkspan/bindgen/files.hpp>
#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/detail/secret_names.hpp>
#include <linkspan/test/detail/tape_requests.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

inline constexpr std::array<std::string_view, 3> tape_directions{"in", "out", "err"};

// Replaces the secrets in messages and other texts.
class redactor_of_tape {
public:
    redactor_of_tape(std::vector<std::string> const& secrets, bool by_name) : secrets_(secrets), by_name_(by_name) {}

    // Appends JSON text without its secrets, and returns whether it contained one. Values without a secret keep their
    // text, so that numbers lose no digits. `is_named`: whether the names of members are those of values; the members
    // of `properties` of a schema are not.
    bool append(std::string& to, std::string_view text, bool is_named = true) const
    {
        if (auto string = json_scan::string(text)) {
            bool const out = replace_text(*string);
            if (out)
                append_quoted(to, *string);
            else
                to += text;
            return out;
        }
        bool const is_object = text.starts_with('{');
        if (!is_object && !text.starts_with('[')) {
            to += text;
            return false;
        }
        bool out = false;
        to += text.front();
        json_scan::reader members(text);
        for (bool is_first = true; auto const one = members.next(); is_first = false) {
            to += is_first ? "" : ",";
            std::string name;
            if (is_object) {
                json_scan::append_unescaped(name, one->key);
                append_quoted(to, name);
                to += ':';
            }
            bool const has_value = std::string_view("\"{[").find(one->value.front()) != std::string_view::npos;
            bool const is_secret = is_object && by_name_ && is_named && has_value && suggests_secret(name);
            if (is_secret)
                append_quoted(to, redacted_text);
            out = is_secret || append(to, one->value, !is_schema_of_members(name)) || out;
        }
        to += is_object ? '}' : ']';
        return out;
    }

    // Replaces the secrets in a text that may contain JSON, and returns whether it contained one. JSON that cannot be
    // read, and may have a secret, is replaced.
    bool replace_text(std::string& text) const
    {
        bool out = false;
        for (auto const& secret : secrets_)
            // Each text contains an empty secret at each position.
            for (auto at = secret.empty() ? text.npos : text.find(secret); at != text.npos;
                 at = text.find(secret, at + redacted_text.size())) {
                text.replace(at, secret.size(), redacted_text);
                out = true;
            }
        auto const first = text.find_first_of("{["), last = text.find_last_of("}]");
        if (!by_name_ || first == text.npos)
            return out;
        auto const size = last == text.npos || last < first ? text.size() - first : last + 1 - first;
        auto const part = std::string_view(text).substr(first, size);
        error_code ec;
        linkspan::detail::parse_json(part, ec);
        if (ec && may_have_secret(part)) {
            text.replace(first, size, redacted_text);
            return true;
        }
        std::string replaced;
        if (ec || !append(replaced, part))
            return out;
        text.replace(first, size, replaced);
        return true;
    }

private:
    static bool is_schema_of_members(std::string_view name) noexcept
    {
        return name == "properties" || name == "$defs" || name == "definitions" || name == "patternProperties";
    }

    static bool may_have_secret(std::string_view text)
    {
        auto const lower = lower_case(text);
        return std::ranges::any_of(secret_names, [&](auto part) { return lower.find(part) != lower.npos; });
    }

    std::vector<std::string> const& secrets_; // set by the constructor
    bool by_name_;                            // set by the constructor
};

// Reads the lines of a tape.
class tape_reader {
public:
    tape_reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

    std::vector<tape_entry> read()
    {
        read_header(next_line());
        std::vector<tape_entry> out;
        while (!rest_.empty())
            out.push_back(read_entry(next_line()));
        return out;
    }

private:
    [[noreturn]] void fail(std::string_view expected, std::string_view found) const
    {
        throw tape_error(name_ + ":" + std::to_string(line_) + ": expected " + std::string(expected) + ", found " +
                         linkspan::detail::shortened_text(found));
    }

    boost::json::object next_line()
    {
        ++line_;
        if (rest_.empty())
            fail("a header", "an empty text");
        auto const end = rest_.find('\n');
        if (end == rest_.npos)
            fail("a line end; the tape is truncated", rest_);
        text_ = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        error_code ec;
        auto value = linkspan::detail::parse_json(text_, ec);
        if (ec || !value.is_object())
            fail("a JSON object", text_.empty() ? "an empty line" : text_);
        return std::move(value.get_object());
    }

    void check_members(boost::json::object const& in, std::vector<std::string_view> const& known) const
    {
        for (auto const& member : in)
            if (std::ranges::find(known, std::string_view(member.key())) == known.end())
                fail("no member '" + std::string(member.key()) + "'", text_);
    }

    void read_header(boost::json::object const& in) const
    {
        auto const* const version = in.if_contains("tape");
        if (!version || *version != 1)
            fail("a header of version 1, such as {\"tape\":1}", text_);
        check_members(in, {"tape", "carrier", "redacted"});
    }

    tape_entry read_entry(boost::json::object const& in) const
    {
        check_members(in, {"t", "dir", "msg"});
        auto const* const time = in.if_contains("t");
        constexpr double max_seconds = 3.2e9; // about 100 years
        if (!time || !time->is_number() || !(as_double(*time) >= 0 && as_double(*time) <= max_seconds))
            fail("a time 't' in seconds, not negative, of at most 100 years", text_);
        auto const* const direction = in.if_contains("dir");
        auto const known = direction && direction->is_string()
                               ? std::ranges::find(tape_directions, std::string_view(direction->get_string()))
                               : tape_directions.end();
        if (known == tape_directions.end())
            fail("a direction 'dir', \"in\", \"out\" or \"err\"", text_);
        auto const* const message = in.if_contains("msg");
        auto const way = static_cast<tape_direction>(known - tape_directions.begin());
        if (!message || (way == tape_direction::err && !message->is_string()))
            fail("a message 'msg'", text_);
        tape_entry out;
        out.time = std::chrono::duration_cast<duration>(std::chrono::duration<double>(as_double(*time)));
        out.direction = way;
        // the text of the line, so that the order of members and the form of numbers are those of the message
        out.message =
            message->is_string() ? std::string(message->get_string()) : std::string(json_scan::member(text_, "msg"));
        return out;
    }

    std::string_view rest_; // lines that were not read
    std::string name_;      // set by the constructor
    std::string_view text_; // of the current line
    std::size_t line_ = 0;  // number of the current line
};

} // namespace detail

LINKSPAN_DECL tape tape::parse(std::string_view text, std::string_view name)
{
    return tape(detail::tape_reader(text, name).read());
}

LINKSPAN_DECL tape tape::load(std::string const& path)
{
    std::error_code ec;
    auto const text = bindgen::read_file(path, ec);
    if (!text)
        throw tape_error(path + ": expected a file that can be read, found '" + ec.message() + "'");
    return parse(*text, path);
}

LINKSPAN_DECL tape_writer::tape_writer(std::ostream& to, options settings)
    : to_(to), with_(std::move(settings)), given_secrets_(with_.secrets.size())
{
    boost::json::object header{{"tape", 1}, {"carrier", with_.carrier}};
    if (with_.redacts) {
        auto& names = header["redacted"].emplace_array();
        for (auto const name : detail::secret_names)
            names.emplace_back(name);
    }
    std::string line;
    append_json(line, header);
    to_ << line << std::endl;
}

LINKSPAN_DECL void tape_writer::add_secret(std::string text)
{
    if (!with_.redacts || text.empty() || std::ranges::find(with_.secrets, text) != with_.secrets.end())
        return;
    if (with_.secrets.size() == given_secrets_ + max_added_secrets)
        with_.secrets.erase(with_.secrets.begin() + static_cast<std::ptrdiff_t>(given_secrets_));
    with_.secrets.push_back(std::move(text));
}

LINKSPAN_DECL void tape_writer::write(tape_entry const& entry)
{
    std::string line = R"({"t":)";
    append_number(line, std::chrono::duration<double>(entry.time).count());
    (line += R"(,"dir":")") += detail::tape_directions[static_cast<std::size_t>(entry.direction)];
    line += R"(","msg":)";
    detail::redactor_of_tape const redactor(with_.secrets, with_.redacts);
    error_code ec;
    linkspan::detail::parse_json(entry.message, ec);
    std::string replaced;
    if (ec || entry.direction == tape_direction::err) {
        auto text = entry.message;
        redactor.replace_text(text);
        append_quoted(line, linkspan::detail::to_utf8(std::move(text)));
    } else if (redactor.append(replaced, entry.message.substr(entry.message.find_first_not_of(" \t\r\n")))) {
        line += replaced;
    } else {
        auto const begin = line.size();
        line += entry.message;
        std::replace_if(
            line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(),
            [](char c) { return c == '\n' || c == '\r'; }, ' '); // between tokens of JSON only
    }
    to_ << line << '}' << std::endl;
}

} // namespace linkspan::test

#endif
