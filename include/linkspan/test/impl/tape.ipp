#ifndef LINKSPAN_TEST_IMPL_TAPE_IPP
#define LINKSPAN_TEST_IMPL_TAPE_IPP

#include <linkspan/bindgen/files.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/detail/tape_requests.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

inline constexpr std::array<std::string_view, 3> tape_directions{"in", "out", "err"};

// Returns whether the name of a member suggests that its value is a secret.
inline bool suggests_secret(std::string_view name)
{
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "progresstoken")
        return false;
    for (auto const* const part : {"token", "secret", "password", "authorization", "cookie", "credential"})
        if (lower.find(part) != lower.npos)
            return true;
    // `key` is a word of its own: key, api_key, apiKey, but neither keyboard nor monkey
    auto const at = lower.rfind("key");
    return at != lower.npos && at + 3 == lower.size() &&
           (at == 0 || name[at] == 'K' || !std::isalnum(static_cast<unsigned char>(name[at - 1])));
}

// Replaces the secrets in a value, and in texts that are JSON. Returns whether there was one.
inline bool redact_members(boost::json::value& in)
{
    bool out = false;
    if (auto* const text = in.if_string()) {
        error_code ec;
        bool const may_be_json = text->starts_with('{') || text->starts_with('[');
        auto inner = may_be_json ? linkspan::detail::parse_json(*text, ec) : boost::json::value();
        out = may_be_json && !ec && redact_members(inner);
        if (out)
            in = boost::json::string(json_text(inner));
    } else if (auto* const object = in.if_object()) {
        for (auto& member : *object)
            if (member.value().is_string() && suggests_secret(member.key())) {
                member.value() = redacted_text;
                out = true;
            } else {
                out = redact_members(member.value()) || out;
            }
    } else if (auto* const array = in.if_array()) {
        for (auto& element : *array)
            out = redact_members(element) || out;
    }
    return out;
}

// Reads the lines of a tape.
class tape_reader {
public:
    tape_reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

    std::vector<tape_entry> read()
    {
        if (rest_.empty())
            fail("a header", "an empty text");
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
        auto const end = rest_.find('\n');
        if (end == rest_.npos)
            fail("a line end; the tape is truncated", rest_);
        text_ = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        error_code ec;
        auto value = linkspan::detail::parse_json(text_, ec);
        if (ec || !value.is_object())
            fail("a JSON object", text_);
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
        if (!time || !time->is_number() || as_double(*time) < 0)
            fail("a time 't' in seconds, not negative", text_);
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
    auto const text = bindgen::read_file(path);
    if (!text)
        throw tape_error(path + ": expected a file that can be read, of at most 256 MiB");
    return parse(*text, path);
}

LINKSPAN_DECL tape_writer::tape_writer(std::ostream& to, options with) : to_(to), with_(std::move(with))
{
    boost::json::object header{{"tape", 1}, {"carrier", with_.carrier}};
    if (with_.redacts)
        header["redacted"] = {"token", "secret", "password", "authorization", "cookie", "credential", "key"};
    std::string line;
    append_json(line, header);
    to_ << line << std::endl;
}

LINKSPAN_DECL void tape_writer::write(tape_entry const& entry)
{
    std::string line = R"({"t":)";
    append_number(line, std::chrono::duration<double>(entry.time).count());
    (line += R"(,"dir":")") += detail::tape_directions[static_cast<std::size_t>(entry.direction)];
    line += R"(","msg":)";
    error_code ec;
    auto value = linkspan::detail::parse_json(entry.message, ec);
    bool const is_json = !ec && entry.direction != tape_direction::err;
    if (!is_json)
        append_quoted(line, entry.message);
    else if (with_.redacts && detail::redact_members(value))
        append_json(line, value);
    else
        line += entry.message;
    for (auto const& secret : with_.secrets)
        for (auto at = line.find(secret); at != line.npos; at = line.find(secret, at + 3))
            line.replace(at, secret.size(), "***");
    to_ << line << '}' << std::endl;
}

} // namespace linkspan::test

#endif
