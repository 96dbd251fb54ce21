#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "support/guarded_memory.hpp"

BOOST_AUTO_TEST_SUITE(json_writer_test)

namespace json = boost::json;
namespace data = boost::unit_test::data;
using linkspan::append_json;
using linkspan::append_number;
using linkspan::append_quoted;
using namespace std::string_view_literals;

namespace {

std::string written(json::value const& value)
{
    std::string out;
    append_json(out, value);
    return out;
}

std::string quoted(std::string_view text)
{
    std::string out;
    append_quoted(out, text);
    return out;
}

// Reference implementation of append_quoted, one character at a time.
std::string reference_quoted(std::string_view text)
{
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n' || c == '\r' || c == '\t')
            (out += '\\') += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
        else if (static_cast<unsigned char>(c) < 0x20)
            ((out += "\\u00") += c < 0x10 ? '0' : '1') += "0123456789abcdef"[c & 15];
        else
            out += c;
    }
    return out += '"';
}

class value_source {
public:
    json::value draw(unsigned depth = 4)
    {
        switch (below(depth == 0 ? 6 : 8)) {
        case 0: return nullptr;
        case 1: return below(2) == 0;
        case 2: return static_cast<std::int64_t>(random_());
        case 3: return random_();
        case 4: return static_cast<double>(static_cast<std::int64_t>(below(1'000)) * 2 - 999) / 8;
        case 5: return json::value(text());
        case 6: {
            json::array array;
            for (auto n = below(4); n > 0; --n)
                array.push_back(draw(depth - 1));
            return array;
        }
        default: {
            json::object object;
            for (auto n = below(4); n > 0; --n)
                object[text()] = draw(depth - 1);
            return object;
        }
        }
    }

private:
    // Standard distributions are not used, because their results differ between standard libraries.
    std::uint64_t below(std::uint64_t n) { return random_() % n; }

    json::string text()
    {
        constexpr std::string_view pieces[] = {"a", "\"", "\\", "\n", "\x01",      "\x7f",
                                               "/", "{",  "é",  "😀", "plain text"};
        json::string out;
        for (auto n = below(12); n > 0; --n) {
            auto const piece = pieces[below(std::size(pieces))];
            out.append(piece.begin(), piece.end());
        }
        return out;
    }

    std::mt19937_64 random_{20'260'728};
};

struct shortest {
    double number;
    std::string_view text;
};

std::ostream& operator<<(std::ostream& out, shortest const& s) { return out << s.text; }

constexpr shortest doubles[] = {
    {0.0, "0"},
    {-0.0, "-0"},
    {3.0, "3"},
    {3.25, "3.25"},
    {-0.1, "-0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1e100, "1e+100"},
    {1e-7, "1e-07"},
    {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
    {std::numeric_limits<double>::min(), "2.2250738585072014e-308"},
    {std::numeric_limits<double>::denorm_min(), "5e-324"},
    {std::numeric_limits<double>::infinity(), "null"},
    {-std::numeric_limits<double>::infinity(), "null"},
    {std::numeric_limits<double>::quiet_NaN(), "null"},
};

} // namespace

BOOST_DATA_TEST_CASE(double_is_written_in_shortest_form, data::make(doubles))
{
    BOOST_TEST(written(sample.number) == sample.text);
}

BOOST_AUTO_TEST_CASE(written_double_is_read_back_exactly)
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 20'000; ++round) {
        auto const number = std::bit_cast<double>(random());
        if (!std::isfinite(number))
            continue;
        auto const text = written(number);
        double back = 0;
        std::from_chars(text.data(), text.data() + text.size(), back);
        BOOST_TEST(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(number), text);
        BOOST_TEST(linkspan::json_scan::is_value(text), text);
    }
}

BOOST_AUTO_TEST_CASE(integers_are_written_with_all_digits)
{
    using limits = std::numeric_limits<std::int64_t>;
    BOOST_TEST(written(limits::min()) == "-9223372036854775808");
    BOOST_TEST(written(limits::max()) == "9223372036854775807");
    BOOST_TEST(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    std::string out = "id:";
    append_number(out, -32601);
    append_number(out, 0);
    append_number(out, limits::min());
    BOOST_TEST(out == "id:-326010-9223372036854775808");
}

BOOST_AUTO_TEST_CASE(value_is_written_in_member_order_without_whitespace)
{
    json::value const value = {{"z", {1, nullptr, true, json::array(), json::object()}}, {"", "x"}, {"a", {{"b", 2}}}};
    BOOST_TEST(written(value) == R"({"z":[1,null,true,[],{}],"":"x","a":{"b":2}})");
}

BOOST_AUTO_TEST_CASE(each_character_is_escaped_exactly_if_json_requires_it_at_each_position)
{
    support::guarded_memory const memory;
    for (std::size_t size = 1; size != 40; ++size)
        for (std::size_t at = 0; at != size; ++at)
            for (int code = 0; code != 256; ++code) {
                auto const c = static_cast<char>(code);
                std::string text(size, 'x');
                text[at] = c;
                std::string out;
                append_quoted(out, memory(text));
                bool const must_escape = code < 0x20 || c == '"' || c == '\\';
                BOOST_TEST((out.size() > size + 2) == must_escape);
                if (must_escape)
                    BOOST_TEST(linkspan::json_scan::string(out).value() == text);
                else
                    BOOST_TEST(out == '"' + text + '"');
            }
}

BOOST_AUTO_TEST_CASE(write_functions_append)
{
    std::string out = "{";
    append_json(out, json::object());
    append_json(out, json::object{{"{", 1}, {"a", "{"}, {"b", 2}});
    append_json(out, json::array{1});
    append_quoted(out, "b");
    BOOST_TEST(out == R"({{}{"{":1,"a":"{","b":2}[1]"b")");
}

BOOST_AUTO_TEST_CASE(only_control_characters_quotes_and_backslashes_are_escaped)
{
    for (int code = 0; code != 0x20; ++code) {
        std::string const text(1, static_cast<char>(code));
        auto const out = quoted(text);
        BOOST_TEST(out == reference_quoted(text));
        BOOST_TEST((json::parse(out) == json::value(text)));
    }
    for (auto const kept : {" ", "/", "'", "\x7f", "<", "é", "\xe2\x80\xa8", "😀"})
        BOOST_TEST(quoted(kept) == '"' + std::string(kept) + '"');
    BOOST_TEST(quoted("") == R"("")");
    BOOST_TEST(quoted(std::string_view()) == R"("")");
    BOOST_TEST(quoted("a\0b"sv) == R"("a\u0000b")");
}

BOOST_AUTO_TEST_CASE(escape_is_found_at_any_position)
{
    for (std::size_t size = 1; size != 26; ++size)
        for (std::size_t at = 0; at != size; ++at)
            for (char const special : "\"\\\n\r\t\0\x01\x1f"sv)
                for (char const other : "a \x7f\x80\xff!#[]"sv) {
                    std::string text(size, other);
                    text[at] = special;
                    BOOST_TEST(quoted(text) == reference_quoted(text));
                }
}

BOOST_AUTO_TEST_CASE(every_pair_of_bytes_is_quoted_correctly)
{
    for (int first = 0; first != 256; ++first)
        for (int second = 0; second != 256; ++second) {
            std::string text = "12345678abcdefgh";
            text[3] = static_cast<char>(first);
            text[4] = static_cast<char>(second);
            if (quoted(text) != reference_quoted(text))
                BOOST_ERROR("bytes " << first << " and " << second);
        }
}

BOOST_AUTO_TEST_CASE(long_text_with_sparse_escapes_is_quoted_completely)
{
    std::string text(100'000, 'x');
    for (std::size_t at = 0; at < text.size(); at += 997)
        text[at] = '"';
    BOOST_TEST((quoted(text) == reference_quoted(text)));
}

BOOST_AUTO_TEST_CASE(random_values_are_parsed_back_unchanged)
{
    value_source source;
    for (int round = 0; round < 3'000; ++round) {
        auto const value = source.draw();
        auto const text = written(value);
        BOOST_TEST_CONTEXT("round " << round << ": " << text) {
            BOOST_TEST((json::parse(text) == value));
            BOOST_TEST(linkspan::json_scan::is_value(text));
            BOOST_TEST((text.find('\n') == text.npos));
        }
    }
}

BOOST_AUTO_TEST_CASE(raw_json_returns_its_text) { BOOST_TEST(linkspan::raw_json("[1, 2]").text() == "[1, 2]"); }

BOOST_AUTO_TEST_SUITE_END()
