#include <linkspan/json/json_scan.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(json_scan_test)

namespace json_scan = linkspan::json_scan;
namespace data = boost::unit_test::data;
using namespace std::string_view_literals;

namespace {

// clang-format would write one value per line.
// clang-format off
constexpr std::string_view values[] = {
    "null", "true", "false", "0", "-0", "7", "-12", "1.5", "1e9", "1E+9", "1e-9", "-0.0e0", "-9223372036854775809",
    R"("")", R"("a")", R"("\"")", R"("\\")", R"("a\\\"b")", R"("{[,:]}")", "[]", "[ ]", "[1,2]", "[ 1 , [ ] , { } ]",
    "{}", "{ }", R"({"":0})", R"({"a":1,"b":[true,null],"a":{"c":{}}})", " \t\r\n{ \"a\" :\t1 } \n"};

constexpr std::string_view no_values[] = {
    "", " ", "nul", "nullx", "True", "truefalse", "NaN", "Infinity", "01", "-01", "-", "--1", "+1", ".5", "1.", "1.e3",
    "1e", "1e+", "0x10", "1 2", "1,", "'a'", R"(")", R"("a)", R"("a\")", R"("a"b)", "[", "]", "[1", "[1,", "[1,]",
    "[,1]", "[,]", "[1 2]", "[1:2]", "[1}", "{", "}", "{]", "{,}", "{1:2}", "{a:1}", R"({"a")", R"({"a"})",
    R"({"a":)", R"({"a":})", R"({"a" 1})", R"({"a":1)", R"({"a":1,)", R"({"a":1,})", R"({,"a":1})",
    R"({"a":1 "b":2})", R"({"a","b"})", R"({"a":1]})", "{}{}", "[] 1", "//\n1", "1\v"};
// clang-format on

constexpr std::string_view document =
    R"({"jsonrpc":"2.0","id":-12.5e+3,"list":[true,false,null,"a,b",{}],"nested":{"c":[[0]],"d":"}"}})";

bool is_parsed(std::string_view text)
{
    boost::system::error_code ec;
    boost::json::parse({text.data(), text.size()}, ec);
    return !ec;
}

std::string nested(std::size_t depth, std::string_view open, std::string_view close)
{
    std::string text;
    for (std::size_t i = 0; i != depth; ++i)
        text += open;
    text += '0';
    for (std::size_t i = 0; i != depth; ++i)
        text += close;
    return text;
}

std::string walk(std::string_view text)
{
    std::string out;
    json_scan::reader in(text);
    while (auto const it = in.next())
        ((((out += '[') += it->key) += '|') += it->value) += ']';
    return out += in.ok() ? "ok" : "cut";
}

// Reads a value with enter() and leave() for all nested objects and arrays.
bool read_all(json_scan::reader& in)
{
    while (in.next_key()) {
        auto inner = in.enter();
        if (!inner.is_object() && !inner.is_array())
            in.skip();
        else if (read_all(inner))
            in.leave(inner);
        else
            return false;
    }
    return !in.next_key();
}

bool is_walked(std::string_view text)
{
    json_scan::reader in(text);
    return read_all(in) && in.ok();
}

} // namespace

BOOST_DATA_TEST_CASE(valid_json_is_a_value, data::make(values))
{
    BOOST_TEST_REQUIRE(is_parsed(sample));
    BOOST_TEST(json_scan::is_value(sample));
}

BOOST_DATA_TEST_CASE(invalid_json_is_not_a_value, data::make(no_values))
{
    BOOST_TEST_REQUIRE(!is_parsed(sample));
    BOOST_TEST(!json_scan::is_value(sample));
}

BOOST_AUTO_TEST_CASE(proper_prefix_of_a_document_is_not_a_value)
{
    BOOST_TEST(json_scan::is_value(document));
    for (std::size_t size = 0; size != document.size(); ++size) {
        // A copy of exactly this size, so that AddressSanitizer detects a read beyond the end.
        std::string const cut(document.substr(0, size));
        BOOST_TEST_CONTEXT(cut) {
            BOOST_TEST(!json_scan::is_value(cut));
            BOOST_TEST(!is_walked(cut));
            BOOST_TEST(walk(cut).ends_with("cut"));
        }
    }
}

BOOST_AUTO_TEST_CASE(text_with_one_changed_character_is_accepted_exactly_if_a_parser_accepts_it)
{
    constexpr auto alphabet = R"({}[],:" 01.-+eEtrufalsn)"sv;
    for (std::size_t at = 0; at != document.size(); ++at)
        for (char const c : alphabet) {
            std::string text(document);
            text[at] = c;
            BOOST_TEST_CONTEXT(text) {
                BOOST_TEST(json_scan::is_value(text) == is_parsed(text));
                BOOST_TEST(is_walked(text) == (is_parsed(text) && text.starts_with('{')));
            }
        }
}

BOOST_AUTO_TEST_CASE(value_nested_up_to_the_limit_is_accepted)
{
    constexpr std::size_t limit = json_scan::max_depth;
    constexpr std::pair<std::string_view, std::string_view> kinds[] = {{"[", "]"}, {R"({"a":)", "}"}, {"[ ", " ]"}};
    for (auto const& [open, close] : kinds) {
        BOOST_TEST(json_scan::is_value(nested(limit, open, close)));
        BOOST_TEST(!json_scan::is_value(nested(limit + 1, open, close)));
        BOOST_TEST(!json_scan::is_value(nested(100 * limit, open, close)));
    }
}

BOOST_AUTO_TEST_CASE(sibling_values_do_not_count_as_depth)
{
    std::string text = "[";
    for (unsigned i = 0; i != 2 * json_scan::max_depth; ++i)
        text += "{},[],";
    BOOST_TEST(json_scan::is_value(text += "0]"));
}

BOOST_AUTO_TEST_CASE(skip_value_returns_the_remaining_text)
{
    BOOST_TEST(json_scan::skip_value(R"( {"a":[1]} ,2)").value() == " ,2");
    BOOST_TEST(json_scan::skip_value("12,3").value() == ",3");
    BOOST_TEST(json_scan::skip_value(R"("a\"b"c)").value() == "c");
    BOOST_TEST(json_scan::skip_value("0").value() == "");
    BOOST_TEST(!json_scan::skip_value(" ,0"));
    BOOST_TEST(!json_scan::skip_value(std::string_view()));
}

BOOST_AUTO_TEST_CASE(reader_returns_members_and_elements_as_written)
{
    BOOST_TEST(walk(R"( { "a" : 1 , "b\n":[ 1, {} ] ,"":"x" } )") == R"([a|1][b\n|[ 1, {} ]][|"x"]ok)");
    BOOST_TEST(walk(R"([ 1 ,"a,b", [ ] ])") == R"([|1][|"a,b"][|[ ]]ok)");
    BOOST_TEST(walk("{}") == "ok");
    BOOST_TEST(walk(" [ ] ") == "ok");
}

BOOST_AUTO_TEST_CASE(reader_of_malformed_text_stops_and_is_not_ok)
{
    BOOST_TEST(walk(R"({"a":1,"b":)") == "[a|1]cut");
    BOOST_TEST(walk(R"({"a":1,})") == "[a|1]cut");
    BOOST_TEST(walk(R"({"a":1]})") == "[a|1]cut");
    BOOST_TEST(walk("[1 2]") == "[|1]cut");
    BOOST_TEST(walk("[1],") == "[|1]cut");
    for (auto const scalar : {"", " ", "1", R"("a")", "null", "}", "]"})
        BOOST_TEST(walk(scalar) == "cut");
}

BOOST_AUTO_TEST_CASE(reader_at_its_end_returns_no_further_items)
{
    json_scan::reader in("[1]");
    BOOST_TEST(in.is_array());
    BOOST_TEST(!in.is_object());
    BOOST_TEST(!in.ok());
    BOOST_TEST(in.next().has_value());
    BOOST_TEST(!in.next().has_value());
    BOOST_TEST(!in.next().has_value());
    BOOST_TEST(in.ok());
}

BOOST_AUTO_TEST_CASE(members_without_braces_are_read_up_to_malformed_text)
{
    auto const read = [](std::string_view members) {
        std::string out;
        for (auto in = json_scan::reader::of_members(members); auto const it = in.next();)
            ((((out += '[') += it->key) += '|') += it->value) += ']';
        return out;
    };
    BOOST_TEST(read({}).empty());
    BOOST_TEST(read("").empty());
    BOOST_TEST(read(R"("a":1)") == "[a|1]");
    BOOST_TEST(read(R"( "a" : [1, {}] , "b":{"c":2} )") == R"([a|[1, {}]][b|{"c":2}])");
    BOOST_TEST(read(R"("a":1,)") == "[a|1]");
    BOOST_TEST(read(R"("a":1},"b":2)") == "[a|1]");
    BOOST_TEST(read(R"("a":1,"b":)") == "[a|1]");
    BOOST_TEST(read(R"({"a":1})").empty());
}

BOOST_AUTO_TEST_CASE(reader_can_enter_and_leave_a_nested_value)
{
    json_scan::reader in(R"({"a":1,"b" : { "c" : [2] } ,"d":[3,{}]})");
    BOOST_TEST(in.next_key().value() == "a");
    BOOST_TEST(in.skip() == "1");
    BOOST_TEST(in.next_key().value() == "b");
    auto inner = in.enter();
    BOOST_TEST(inner.is_object());
    BOOST_TEST(inner.next()->value == "[2]");
    BOOST_TEST(!inner.next().has_value());
    BOOST_TEST(in.leave(inner) == R"({ "c" : [2] })");
    auto const last = in.next();
    BOOST_TEST(last->key == "d");
    BOOST_TEST(last->value == "[3,{}]");
    BOOST_TEST(!in.next_key().has_value());
    BOOST_TEST(in.ok());
}

BOOST_AUTO_TEST_CASE(leaving_a_nested_value_before_its_end_is_an_error)
{
    for (auto const text : {R"({"a":[1,2]})", R"({"a":[1)", R"({"a":[1 2]})"}) {
        json_scan::reader in(text);
        in.next_key();
        auto inner = in.enter();
        BOOST_TEST(inner.next().has_value());
        BOOST_TEST(in.leave(inner) == "");
        BOOST_TEST(!in.next_key().has_value());
        BOOST_TEST(!in.ok());
    }
}

BOOST_AUTO_TEST_CASE(known_value_can_be_skipped_without_scanning)
{
    json_scan::reader earlier(R"({"a" : { "b":[1] } ,"c":2})");
    auto again = earlier;
    auto const known = earlier.next()->value;
    BOOST_TEST(again.next_key().value() == "a");
    again.skip_known(known);
    BOOST_TEST(!again.in_item());
    BOOST_TEST(again.next()->value == "2");
    BOOST_TEST(!again.next().has_value());
    BOOST_TEST(again.ok());
}

BOOST_AUTO_TEST_CASE(skip_without_a_current_item_is_an_error)
{
    json_scan::reader in("[1,2]");
    BOOST_TEST(in.skip() == "");
    BOOST_TEST(!in.ok());
    json_scan::reader malformed(R"({"a":01})");
    malformed.next_key();
    malformed.skip();
    BOOST_TEST(!malformed.next_key().has_value());
    BOOST_TEST(!malformed.ok());
}

BOOST_AUTO_TEST_CASE(member_is_found_by_its_key_as_written)
{
    constexpr auto object = R"({"b":{"a":0},"a": [1] ,"ab":2,"\u0061":3,"c":""})"sv;
    BOOST_TEST(json_scan::member(object, "a") == "[1]");
    BOOST_TEST(json_scan::member(object, "b") == R"({"a":0})");
    BOOST_TEST(json_scan::member(object, R"(\u0061)") == "3");
    BOOST_TEST(json_scan::member(object, "c") == R"("")");
    BOOST_TEST(json_scan::member(object, "d") == "");
    for (auto const other : {"", "[1]", R"(["a"])", R"("a")", "null"})
        BOOST_TEST(json_scan::member(other, "") == "");
}

BOOST_AUTO_TEST_CASE(integer_has_64_bits_and_no_fraction)
{
    using limits = std::numeric_limits<std::int64_t>;
    BOOST_TEST(json_scan::integer("0").value() == 0);
    BOOST_TEST(json_scan::integer("-32601").value() == -32601);
    BOOST_TEST(json_scan::integer("9223372036854775807").value() == limits::max());
    BOOST_TEST(json_scan::integer("-9223372036854775808").value() == limits::min());
    for (auto const other : {"", "-", "9223372036854775808", "-9223372036854775809", "1.0", "1e2", "+1", " 1", "1 ",
                             R"("1")", "null", "true", "[1]"})
        BOOST_TEST(!json_scan::integer(other), other);
}

BOOST_AUTO_TEST_SUITE_END()
