#include <linkspan/describe/check.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/struct.hpp>

#include <boost/json/serialize.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "support/both_sources.hpp"
#include "support/sanitizers.hpp"

using namespace linkspan::test;
namespace json = boost::json;
using linkspan::decode;
using linkspan::decode_limits;
using linkspan::mismatches;

namespace app_decode {

enum class unit { celsius, fahrenheit };
BOOST_DESCRIBE_ENUM(unit, celsius, fahrenheit)

struct date {
    int year = 0;

    bool operator==(date const&) const = default;
};

} // namespace app_decode

template<>
struct linkspan::json_as<app_decode::date> {
    using type = std::string;
    static std::string to(app_decode::date const& value) { return std::to_string(value.year); }
    static bool from(std::string const& text, app_decode::date& value)
    {
        if (text.size() != 4)
            return false;
        value.year = std::stoi(text);
        return true;
    }
    static constexpr std::string_view expected = "a date";
};

namespace app_decode {

struct point {
    double x = 0, y = 0;

    bool operator==(point const&) const = default;
};

BOOST_DESCRIBE_STRUCT(point, (), (x, y))

struct optionals {
    std::optional<int> number;
    linkspan::nullable<std::string> text;
    std::optional<point> where;
    std::optional<int> known = 3;

    bool operator==(optionals const&) const = default;
};

LINKSPAN_STRUCT(optionals, (number), (text), (where), (known))

struct outer {
    optionals of;

    bool operator==(outer const&) const = default;
};

BOOST_DESCRIBE_STRUCT(outer, (), (of))

struct defaults {
    int number = 0;
    std::string text;
    std::vector<int> list;
    linkspan::nullable<int> none;
    std::optional<int> left;

    bool operator==(defaults const&) const = default;
};

LINKSPAN_STRUCT(defaults, (number, default_value{-5}), (text, default_value{"a\"b"}),
                (list, default_value{linkspan::raw_json("[1,2]")}), (none, default_value{5}), (left, default_value{6}))

struct renamed {
    int value = 0;

    bool operator==(renamed const&) const = default;
};

LINKSPAN_STRUCT(renamed, (value, named{"x/~\"v"}))

struct closed_one {
    int x = 0;

    bool operator==(closed_one const&) const = default;
};

LINKSPAN_STRUCT((closed_one, closed), (x))

struct open_one {
    int x = 0;
    linkspan::rest<int> others;

    bool operator==(open_one const&) const = default;
};

LINKSPAN_STRUCT(open_one, (x), (others, min{1}))

struct chain {
    std::optional<linkspan::box<chain>> next;

    bool operator==(chain const&) const = default;
};

BOOST_DESCRIBE_STRUCT(chain, (), (next))

struct demanding {
    std::optional<int> days;
    linkspan::nullable<int> hours;

    bool operator==(demanding const&) const = default;
};

LINKSPAN_STRUCT(demanding, (days, required), (hours, required))

struct bounded {
    std::int64_t most = 0;
};

LINKSPAN_STRUCT(bounded, (most, max{9007199254740992}))

struct measured {
    float narrow = 1;
    double wide = 0;
};

LINKSPAN_STRUCT(measured, (narrow, above{0}, below{5}), (wide, multiple_of{3}))

// Bounds that no float represents exactly.
struct tenths {
    std::optional<float> above, most;
};

LINKSPAN_STRUCT(tenths, (above, above{0.1}), (most, max{0.1}))

struct labelled {
    std::vector<std::string> labels;

    bool operator==(labelled const&) const = default;
};

LINKSPAN_STRUCT(labelled, (labels, pattern{"[a-z]{1,200}$"}))

struct coded {
    std::vector<std::string> codes;
};

LINKSPAN_STRUCT(
    coded,
    (codes,
     pattern{"^(ba|bb|bc|bd|be|bf|bg|bh|bi|bj|bk|bl|bm|bn|bo|bp|bq|br|bs|ca|cb|cc|cd|ce|cf|cg|ch|ci|cj|ck|cl|cm|cn"
             "|co|cp|cq|cr|cs|da|db|dc|dd|de|df|dg|dh|di|dj|dk|dl|dm|dn|do|dp|dq|dr|ds|ea|eb|ec|ed|ee|ef|eg|eh|ei|"
             "ej|ek|el|em|en|eo|ep|eq|er|a)$"}))

struct either_items {
    std::vector<point> items;

    bool operator==(either_items const&) const = default;
};

struct either_number {
    std::optional<int> number;

    bool operator==(either_number const&) const = default;
};

LINKSPAN_STRUCT(either_items, (items))
LINKSPAN_STRUCT(either_number, (number))

struct deep_and_either {
    json::value deep;
    std::variant<either_items, either_number> either;

    bool operator==(deep_and_either const&) const = default;
};

LINKSPAN_STRUCT(deep_and_either, (deep), (either))

struct mistaken {
    std::string code;

    bool operator==(mistaken const&) const = default;
};

LINKSPAN_STRUCT(mistaken, (code, pattern{"[a-z"}))

struct tree {
    std::vector<tree> all;
};

BOOST_DESCRIBE_STRUCT(tree, (), (all))

} // namespace app_decode

namespace {

template<class T>
struct row {
    char const* text;
    T value;
};

template<class T>
void reads(std::initializer_list<row<T>> rows)
{
    for (auto const& [text, value] : rows)
        BOOST_TEST((read<T>(text) == value), text);
}

struct rejection {
    char const* text;
    char const* problems;
};

template<class T>
void rejects(std::initializer_list<rejection> rows)
{
    for (auto const& [text, problems] : rows)
        BOOST_TEST(problems_of<T>(text) == problems, text);
}

// Decodes from text only, for text that no parser accepts.
template<class T>
std::string problems_of_text(std::string_view text, decode_limits const& limits = {})
{
    T out{};
    mismatches all;
    bool const ok = decode(out, text, all, limits);
    BOOST_TEST(ok == all.empty(), text.substr(0, 100));
    return to_string(all);
}

} // namespace

BOOST_AUTO_TEST_SUITE(decode_test)

// Numbers

BOOST_AUTO_TEST_CASE(integers_of_64_bits_are_decoded_exactly)
{
    using limits = std::numeric_limits<std::int64_t>;
    reads<std::int64_t>({{"0", 0},
                         {"-0", 0},
                         {"9007199254740993", 9007199254740993},
                         {"-9007199254740993", -9007199254740993},
                         {"9223372036854775807", limits::max()},
                         {"-9223372036854775808", limits::min()}});
    reads<std::uint64_t>({{"18446744073709551615", std::numeric_limits<std::uint64_t>::max()},
                          {"9223372036854775808", std::uint64_t{1} << 63},
                          {"-0", 0}});
    reads<std::int8_t>({{"127", 127}, {"-128", -128}});
    reads<unsigned char>({{"255", 255}});
}

BOOST_AUTO_TEST_CASE(number_with_zero_fraction_is_decoded_as_integer)
{
    reads<int>({{"3.0", 3}, {"1e3", 1000}, {"1E+3", 1000}, {"-2.50e1", -25}, {"30e-1", 3}, {"0.0", 0}, {"-0.0", 0}});
    reads<std::int64_t>({{"9007199254740992.0", 9007199254740992},
                         {"-9.223372036854775808e18", std::numeric_limits<std::int64_t>::min()}});
    // Integers that a double cannot represent are exact; a parser that produces doubles would round them.
    std::int64_t out = 0;
    mismatches none;
    BOOST_TEST(decode(out, "9007199254740993.0", none));
    BOOST_TEST(out == 9007199254740993);
    BOOST_TEST(decode(out, "9223372036854775807.00", none));
    BOOST_TEST(out == std::numeric_limits<std::int64_t>::max());
    BOOST_TEST(decode(out, "9007199254740993e0", none));
    BOOST_TEST(out == 9007199254740993);
    BOOST_TEST(decode(out, "-12345678901234567.8E+1", none));
    BOOST_TEST(out == -123456789012345678);
    std::uint64_t large = 0;
    BOOST_TEST(decode(large, "1844674407370955161500e-2", none));
    BOOST_TEST(large == std::numeric_limits<std::uint64_t>::max());
    BOOST_TEST(decode(out, "-9223372036854775808000e-3", none));
    BOOST_TEST(out == std::numeric_limits<std::int64_t>::min());
    BOOST_TEST(decode(out, "900719925474099300.30e1", none));
    BOOST_TEST(out == 9007199254740993003);
    // A number with a fraction or more than 64 bits is the nearest double.
    double real = 0;
    for (auto const& [text, nearest] : {std::pair("9007199254740993.0001", 9007199254740994.0),
                                        {"9223372036854776832.0000001", 9223372036854777856.0},
                                        {"18446744073709551616e0", 0x1p64},
                                        {"-9223372036854777857e0", -9223372036854777856.0}}) {
        BOOST_TEST(decode(real, text, none), text);
        BOOST_TEST((real == nearest), text);
    }
    for (auto const* const none_of_64_bits :
         {"-9223372036854775809", "-92233720368547758090e-1", "9007199254740993.5", "9007199254740993.0001"})
        BOOST_TEST(problems_of_text<std::int64_t>(none_of_64_bits) != "", none_of_64_bits);
    json::value tree;
    BOOST_TEST(decode(tree, "9007199254740993e0", none));
    BOOST_TEST(tree.is_double()); // as with the parser of Boost.JSON
}

BOOST_AUTO_TEST_CASE(integer_out_of_range_of_its_type_is_rejected)
{
    rejects<std::int8_t>({{"128", "expected an integer from -128 to 127, found 128"},
                          {"-129", "expected an integer from -128 to 127, found -129"},
                          {"1e3", "expected an integer from -128 to 127, found 1000"},
                          {"1.5", "expected an integer, found 1.5"},
                          {"\"1\"", "expected an integer, found a string"},
                          {"true", "expected an integer, found a boolean"}});
    rejects<std::uint32_t>({{"-1", "expected an integer from 0 to 4294967295, found -1"},
                            {"4294967296", "expected an integer from 0 to 4294967295, found 4294967296"}});
    rejects<std::int64_t>(
        {{"9223372036854775808",
          "expected an integer from -9223372036854775808 to 9223372036854775807, found 9223372036854775808"},
         {"1e20", "expected an integer from -9223372036854775808 to 9223372036854775807, found 1e+20"}});
    rejects<std::uint64_t>({{"18446744073709551616", "expected an integer from 0 to 18446744073709551615, found "
                                                     "18446744073709551616"},
                            {"-1", "expected an integer from 0 to 18446744073709551615, found -1"}});
}

BOOST_AUTO_TEST_CASE(doubles_are_decoded_exactly)
{
    reads<double>({{"0.1", 0.1}, {"-37.5", -37.5}, {"1e22", 1e22}, {"7", 7}, {"18446744073709551615", 0x1p64}});
    for (double const number : {0.1, -37.7749, -914.0608003628307, 5e-324, 2.2250738585072014e-308,
                                1.7976931348623157e308, 123456789.12345679}) {
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", number);
        double out = 0;
        mismatches none;
        BOOST_TEST(decode(out, text, none), text);
        BOOST_TEST((out == number), text); // independently of the version of Boost.JSON
        json::value tree;
        BOOST_TEST(decode(tree, text, none), text);
        BOOST_TEST((tree.as_double() == number), text);
    }
    BOOST_TEST(std::signbit(read<double>("-0.0")));
    double zero = 1;
    mismatches none;
    BOOST_TEST(decode(zero, "-0", none));
    BOOST_TEST(std::signbit(zero));
    BOOST_TEST(read<float>("0.1") == 0.1F);
}

BOOST_AUTO_TEST_CASE(number_too_small_is_zero_and_number_too_large_is_rejected)
{
    std::string const zeros(400, '0');
    std::string const huge = "expected a number that a double can hold, found a larger number";
    auto const value_of = [](std::string const& text) {
        double out = 1;
        mismatches none;
        BOOST_TEST(decode(out, text, none), text);
        return out;
    };
    for (auto const& text :
         {"0." + zeros + "1", std::string("1e-400"), "-0." + zeros + "1", "1" + zeros + "e-1000", std::string("0e400"),
          "0." + zeros + "1e10", std::string("1e-99999999999999999999"), std::string("0e99999999999999999999")})
        BOOST_TEST((value_of(text) == 0), text);
    for (auto const& text : {std::string("1e400"), std::string("-1e400"), "1" + zeros, "1" + zeros + "e-1",
                             "1" + zeros + ".0", "0." + zeros + "1e1000", std::string("1e+99999999999999999999")})
        BOOST_TEST(problems_of_text<double>(text) == huge, text);
    BOOST_TEST(value_of("1" + zeros + "e-400") == 1);
    BOOST_TEST(value_of("0." + zeros + "1e401") == 1);
    BOOST_TEST(problems_of_text<float>("1e39") == "expected a number that a float can hold, found a larger number");
    BOOST_TEST(problems_of_text<json::value>("[1e400]") == "/0: " + huge);
}

// Strings

BOOST_AUTO_TEST_CASE(string_escapes_are_decoded)
{
    reads<std::string>({{R"("")", ""},
                        {R"("a\"\\\/\b\f\n\r\t")", "a\"\\/\b\f\n\r\t"},
                        {R"("\u0041\u00e9\u20AC")", "A\u00e9\u20ac"},
                        {R"("\ud83d\ude00")", "\U0001f600"},
                        {"\"\u20ac\U0001f600\"", "\u20ac\U0001f600"}});
    BOOST_TEST(read<std::string>(R"("a\u0000b")") == std::string("a\0b", 3));
}

BOOST_AUTO_TEST_CASE(lone_surrogate_is_replaced)
{
    for (auto const* const text : {R"("\ud83d")", R"("\ude00")", R"("\ud83d\n")", R"("\ude00\ud83d")"}) {
        std::string out;
        mismatches none;
        BOOST_TEST(decode(out, text, none), text);
        BOOST_TEST(out.starts_with("\ufffd"), text);
    }
}

// RFC 8259 forbids control characters and invalid UTF-8. They are found at each offset of a long text.
BOOST_AUTO_TEST_CASE(invalid_string_is_rejected_with_a_description)
{
    std::string const sentence =
        "expected a string, found a string with an invalid escape, a control character or invalid UTF-8";
    std::vector<std::string> texts = {R"("\x")",   R"("\u12")", R"("\u12g4")", R"("a\ ")",
                                      "\"a\x01\"", "\"\xff\"",  "\"\xc3\"",    "\"\xed\xa0\x80\""};
    for (std::size_t const before : {31U, 32U, 63U, 100U})
        for (auto const* const bad : {"\x1f", "\x80"})
            texts.push_back('"' + std::string(before, 'a') + bad + std::string(40, 'b') + '"');
    for (auto const& text : texts) {
        BOOST_TEST(problems_of_text<std::string>(text) == sentence, text);
        BOOST_TEST(problems_of_text<json::value>(text) == sentence, text);
        BOOST_TEST(problems_of_text<json::object>("{\"a\":[" + text + "]}") == "/a/0: " + sentence);
        BOOST_TEST(problems_of_text<app_decode::unit>(text) ==
                   R"(expected one of "celsius", "fahrenheit", found another string)");
    }
    // An invalid name makes the whole text invalid.
    for (auto const* const text : {R"({"a\x":1})", R"({"b":1,"\u00":2})", "{\"a\x02\":1}", "{\"a\xfe\":1}"}) {
        BOOST_TEST(problems_of_text<linkspan::rest<int>>(text).starts_with("expected JSON, found invalid text"));
        BOOST_TEST((problems_of_text<std::map<std::string, int>>(text).starts_with("expected JSON")));
        BOOST_TEST(problems_of_text<app_decode::optionals>(text).starts_with("expected JSON"));
        BOOST_TEST(problems_of_text<json::value>(text).starts_with("expected JSON"));
    }
}

// A json::value with invalid UTF-8, which parsers do not produce.
BOOST_AUTO_TEST_CASE(json_value_with_invalid_utf8_is_rejected)
{
    mismatches all;
    std::string out;
    BOOST_TEST(!decode(out, json::value("a\xff"), all));
    BOOST_TEST(all.at(0).expected == "a string");
}

BOOST_AUTO_TEST_CASE(string_with_any_unicode_character_is_decoded)
{
    for (std::size_t const before : {0U, 30U, 31U, 32U, 62U})
        for (std::string const some : {"\x7f", "\u00e9", "\u20ac", "\U0001f600", "\U0010ffff"}) {
            auto const text = std::string(before, 'a') + some + std::string(33, 'b') + some;
            BOOST_TEST(read<std::string>('"' + text + '"') == text);
        }
}

BOOST_AUTO_TEST_CASE(member_names_with_escapes_are_decoded)
{
    reads<app_decode::point>({{R"({"\u0078":1,"\u0079":2})", {1, 2}}});
    reads<app_decode::renamed>({{R"({"x/~\"v":7})", {7}}, {R"({"x\/\u007e\"v":7})", {7}}});
    rejects<app_decode::renamed>({{R"({"x/~\"v":"a"})", "/x~1~0\"v: expected an integer, found a string"}});
    reads<std::map<std::string, int>>({{R"({"a\nb":1})", {{"a\nb", 1}}}});
    reads<json::value>({{R"({"a\nb":1})", json::object{{"a\nb", 1}}}});
}

// All kinds of types

BOOST_AUTO_TEST_CASE(scalars_are_decoded)
{
    reads<bool>({{"true", true}, {" \t\r\nfalse \n", false}});
    reads<app_decode::unit>(
        {{R"("fahrenheit")", app_decode::unit::fahrenheit}, {R"("\u0063elsius")", app_decode::unit::celsius}});
    reads<linkspan::null_type>({{"null", {}}});
    reads<linkspan::literal<"x">>({{R"("x")", {}}});
    reads<linkspan::constant<5>>({{"5", {}}, {"5.0", {}}});
    reads<linkspan::constant<true>>({{"true", {}}});
    reads<app_decode::date>({{R"("2024")", {2024}}});
}

BOOST_AUTO_TEST_CASE(scalar_of_wrong_kind_is_rejected)
{
    rejects<bool>({{"1", "expected a boolean, found a number"}, {"null", "expected a boolean, found null"}});
    rejects<std::string>({{"[]", "expected a string, found an array"}});
    rejects<double>({{"{}", "expected a number, found an object"}});
    rejects<app_decode::unit>({{R"("kelvin")", R"(expected one of "celsius", "fahrenheit", found another string)"},
                               {"1", R"(expected one of "celsius", "fahrenheit", found a number)"}});
    rejects<linkspan::null_type>({{"0", "expected null, found a number"}});
    rejects<linkspan::literal<"x">>(
        {{R"("y")", R"(expected "x", found another string)"}, {"1", R"(expected "x", found a number)"}});
    rejects<linkspan::constant<5>>(
        {{"6", "expected 5, found another value"}, {R"("5")", "expected 5, found a string"}});
    rejects<linkspan::constant<0>>({{"null", "expected 0, found null"}});
    rejects<linkspan::constant<true>>({{"false", "expected true, found another value"}});
    rejects<app_decode::date>(
        {{R"("24")", "expected a date, found another value"}, {"1", "expected a string, found a number"}});
}

BOOST_AUTO_TEST_CASE(lists_are_decoded)
{
    reads<std::vector<int>>({{"[]", {}}, {" [ 1 , 2 ] ", {1, 2}}});
    reads<std::vector<bool>>({{"[true,false]", {true, false}}});
    reads<std::set<std::string>>({{R"(["b","a"])", {"a", "b"}}});
    reads<std::array<int, 2>>({{"[1,2]", {1, 2}}});
    reads<std::tuple<int, std::string, bool>>({{R"([1,"a",true])", {1, "a", true}}});
    reads<std::pair<double, std::vector<int>>>({{"[0.5,[1]]", {0.5, {1}}}});
    reads<std::vector<std::optional<int>>>({{"[1,null]", {1, std::nullopt}}});
    reads<linkspan::one_or_many<int>>({{"1", 1}, {"[1]", std::vector<int>{1}}, {"[]", std::vector<int>()}});
    reads<json::array>({{R"([1,"a",[null]])", json::array{1, "a", json::array{nullptr}}}});
}

BOOST_AUTO_TEST_CASE(mismatch_in_list_has_a_pointer)
{
    rejects<std::vector<int>>({{"{}", "expected an array, found an object"},
                               {R"([1,"a",2.5])", "/1: expected an integer, found a string; /2: expected an integer, "
                                                  "found 2.5"}});
    rejects<std::vector<std::vector<bool>>>({{"[[true],[1]]", "/1/0: expected a boolean, found a number"}});
    rejects<std::set<int>>(
        {{"[1,2,1,1.0]", "/2: expected an item that differs from all earlier items, found an equal item; "
                         "/3: expected an item that differs from all earlier items, found an equal item"}});
    rejects<std::array<int, 2>>({{"[1]", "expected an array of 2, found an array of 1"},
                                 {"[1,2,3]", "expected an array of 2, found an array of 3"},
                                 {"1", "expected an array of 2, found a number"}});
    rejects<std::tuple<int, bool>>(
        {{"[1,2]", "/1: expected a boolean, found a number"}, {"[1]", "expected an array of 2, found an array of 1"}});
    rejects<linkspan::one_or_many<int>>({{R"("a")", "expected a number or an array, found a string"},
                                         {R"(["a"])", "/0: expected an integer, found a string"}});
    rejects<json::array>({{"{}", "expected an array, found an object"}});
}

BOOST_AUTO_TEST_CASE(objects_are_decoded)
{
    reads<app_decode::point>({{R"({"y":2,"x":1})", {1, 2}}, {R"({"x":1,"more":[{"x":2}],"y":2})", {1, 2}}});
    reads<std::map<std::string, int>>({{"{}", {}}, {R"({"b":2,"a":1})", {{"a", 1}, {"b", 2}}}});
    reads<std::unordered_map<std::string, bool>>({{R"({"a":true})", {{"a", true}}}});
    reads<app_decode::open_one>({{R"({"a":1,"x":2,"b":3})", {2, [] {
                                                                 linkspan::rest<int> others;
                                                                 others["a"] = 1;
                                                                 others["b"] = 3;
                                                                 return others;
                                                             }()}}});
    reads<json::object>({{R"({"a":{"b":[1]}})", json::object{{"a", json::object{{"b", json::array{1}}}}}}});
    reads<json::value>(
        {{"null", nullptr}, {"18446744073709551615", 18446744073709551615U}, {"1.0", 1.0}, {"1e2", 100.0}});
}

BOOST_AUTO_TEST_CASE(mismatch_in_object_has_a_pointer)
{
    rejects<app_decode::point>(
        {{"[]", "expected an object, found an array"},
         {R"({"x":1})", "/y: expected a value, found nothing"},
         {R"({"y":null})", "/y: expected a number, found null; /x: expected a value, found nothing"}});
    rejects<std::map<std::string, int>>({{R"({"a/b":"1"})", "/a~1b: expected an integer, found a string"}});
    rejects<app_decode::open_one>({{R"({"x":1,"y":0})", "/y: expected an integer from 1, found 0"},
                                   {R"({"x":1,"y":"a"})", "/y: expected an integer from 1, found a string"}});
    rejects<app_decode::closed_one>(
        {{R"({"y":1,"x":1,"z":null})", "/y: expected no member of this name (known: 'x'), found a number; "
                                       "/z: expected no member of this name (known: 'x'), found null"}});
    rejects<json::object>({{"null", "expected an object, found null"}});
}

BOOST_AUTO_TEST_CASE(absent_optional_member_is_accepted)
{
    reads<app_decode::optionals>({{"{}", {{}, {}, {}, 3}},
                                  {R"({"number":null,"text":null,"where":null,"known":null})", {{}, nullptr, {}, {}}},
                                  {R"({"number":1,"text":"","where":{"x":1,"y":2},"known":4})",
                                   {1, std::string(), app_decode::point{1, 2}, 4}}});
    rejects<app_decode::optionals>({{R"({"number":"1"})", "/number: expected an integer, found a string"},
                                    {R"({"text":1})", "/text: expected a string, found a number"},
                                    {R"({"where":{"x":1}})", "/where/y: expected a value, found nothing"}});
}

// As in the schema, null is not an integer, but is a value of a nullable integer.
BOOST_AUTO_TEST_CASE(required_optional_member_rejects_null)
{
    reads<app_decode::demanding>({{R"({"days":1,"hours":null})", {1, nullptr}}});
    rejects<app_decode::demanding>(
        {{R"({"days":null,"hours":null})", "/days: expected a value, found null"},
         {"{}", "/days: expected a value, found nothing; /hours: expected a value, found nothing"}});
}

BOOST_AUTO_TEST_CASE(absent_member_gets_its_default)
{
    reads<app_decode::defaults>(
        {{"{}", {-5, "a\"b", {1, 2}, {}, {}}},
         {R"({"number":1,"text":"","list":[],"none":null,"left":2})", {1, "", {}, nullptr, 2}}});
    rejects<app_decode::defaults>({{R"({"number":null})", "/number: expected an integer, found null"}});
}

BOOST_AUTO_TEST_CASE(last_of_repeated_members_is_used)
{
    reads<app_decode::point>({{R"({"x":1,"y":2,"x":3})", {3, 2}}});
    reads<app_decode::optionals>({{R"({"where":{"x":1,"y":2},"number":1,"where":null,"number":2})", {2, {}, {}, 3}}});
    reads<std::map<std::string, int>>({{R"({"a":1,"a":2})", {{"a", 2}}}});
    reads<json::value>({{R"({"a":{"b":1},"a":{}})", json::object{{"a", json::object()}}}});
    // The last member replaces the first completely.
    reads<std::map<std::string, app_decode::optionals>>({{R"({"a":{"number":1},"a":{}})", {{"a", {}}}}});
    reads<app_decode::outer>({{R"({"of":{"number":1},"of":{}})", {}}});
}

// Text that is not JSON

BOOST_AUTO_TEST_CASE(invalid_json_is_rejected_with_byte_position)
{
    rejection const rows[] = {{"", "0"},
                              {" ", "1"},
                              {"{", "1"},
                              {"{\"x\"", "1"},
                              {"{\"x\":", "5"},
                              {"{\"x\":1", "6"},
                              {"{\"x\":1,", "6"},
                              {"{\"x\":1,}", "6"},
                              {"{\"x\":1 2}", "6"},
                              {"{,}", "1"},
                              {"{x:1}", "1"},
                              {"{\"x\":01}", "6"},
                              {"{\"x\":1}}", "7"},
                              {"{\"x\":1} {}", "7"},
                              {"nul", "0"},
                              {"{\"x\":tru}", "5"},
                              {"{\"x\":+1}", "5"},
                              {"{\"x\":.5}", "5"},
                              {"{\"x\":1.}", "5"},
                              {"{\"x\":-}", "5"},
                              {"{\"x\":1e}", "5"},
                              {"{\"x\":NaN}", "5"},
                              {"{\"a\":[1,]}", "5"},
                              {"{'x':1}", "1"},
                              {"\xef\xbb\xbf{}", "0"},
                              {"{\"x\":\"a}", "5"},
                              {"{\"x\":1]", "6"},
                              {"[1", "0"}};
    for (auto const& [text, at] : rows)
        BOOST_TEST(problems_of_text<app_decode::point>(text) ==
                       "expected JSON, found invalid text at byte " + std::string(at),
                   text);
    for (auto const* const text : {"[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "[]]", "[1]x", "[\"a]"}) {
        BOOST_TEST(problems_of_text<std::vector<int>>(text).starts_with("expected JSON"), text);
        BOOST_TEST(problems_of_text<std::set<std::string>>(text).starts_with("expected JSON"), text);
        BOOST_TEST((problems_of_text<std::array<int, 1>>(text).starts_with("expected JSON")), text);
        BOOST_TEST((problems_of_text<std::tuple<int>>(text).starts_with("expected JSON")), text);
        BOOST_TEST(problems_of_text<linkspan::one_or_many<int>>(text).starts_with("expected JSON"), text);
        BOOST_TEST(problems_of_text<json::value>(text).starts_with("expected JSON"), text);
        BOOST_TEST(problems_of_text<app_decode::unit>(text).starts_with("expected JSON"), text);
        BOOST_TEST((problems_of_text<std::variant<int, std::string>>(text).starts_with("expected JSON")), text);
    }
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_of_a_document_is_rejected)
{
    std::string_view const text = R"({"number":12,"text":"a\u0041","where":{"x":1.5,"y":[1]},"other":[{"a":null}]})";
    for (std::size_t size = 0; size != text.size(); ++size)
        BOOST_TEST(problems_of_text<app_decode::optionals>(text.substr(0, size)).starts_with("expected JSON"), size);
}

BOOST_AUTO_TEST_CASE(invalid_json_replaces_all_other_problems)
{
    BOOST_TEST(problems_of_text<std::vector<int>>(R"(["a","b")") == "expected JSON, found invalid text at byte 8");
    mismatches all{{"/before", "a", "b"}};
    std::vector<int> out;
    BOOST_TEST(!decode(out, R"(["a")", all));
    BOOST_TEST(all.size() == 2u);
    BOOST_TEST(all.front().pointer == "/before");
}

// Limits

BOOST_AUTO_TEST_CASE(text_larger_than_max_size_is_rejected)
{
    decode_limits limits;
    limits.max_size = 5;
    BOOST_TEST(problems_of_text<std::vector<int>>("[1,2]", limits) == "");
    BOOST_TEST(problems_of_text<std::vector<int>>("[1,23]", limits) == "expected at most 5 bytes, found 6");
}

BOOST_AUTO_TEST_CASE(value_nested_deeper_than_the_limit_is_rejected)
{
    auto const links = [](std::size_t count) { return nested(R"({"next":)", count - 1, "{}", "}"); };
    auto const trees = [](std::size_t count) { return nested(R"({"all":[)", count, "", "]}"); };
    app_decode::chain chain;
    BOOST_TEST(problems_of(links(512), chain) == ""); // optionals and boxes are not levels
    BOOST_TEST(
        problems_of(links(513), chain).ends_with("expected fewer nested values, found more levels than the limit"));
    BOOST_TEST(problems_of<app_decode::tree>(trees(256)) == "");
    BOOST_TEST(problems_of<app_decode::tree>(trees(257)).find("fewer nested values") != std::string::npos);
    decode_limits limits;
    limits.max_depth = 2;
    std::vector<std::vector<int>> list;
    BOOST_TEST(problems_of("[[1]]", list, limits) == "");
    limits.max_depth = 1;
    BOOST_TEST(problems_of("[[1]]", list, limits) ==
               "/0: expected fewer nested values, found more levels than the limit");
    json::value tree;
    BOOST_TEST(problems_of(R"({"a":1})", tree, limits) == "");
    BOOST_TEST(problems_of(R"({"a":[]})", tree, limits) ==
               "/a: expected fewer nested values, found more levels than the limit");
    BOOST_TEST(problems_of<json::value>(nested("[", 512, "", "]")) == "");
    BOOST_TEST(problems_of<json::value>(nested("[", 513, "", "]")) != "");
    // The limit also applies to values that are skipped.
    BOOST_TEST(problems_of_text<app_decode::chain>(R"({"other":)" + nested("[", 100'000, "", "]") + "}") != "");
}

// For each `{}`, a list stores an element of the full size.
BOOST_AUTO_TEST_CASE(elements_beyond_max_memory_are_rejected)
{
    decode_limits limits;
    limits.max_memory = 3 * sizeof(app_decode::optionals);
    std::string const sentence = "expected fewer elements, found more than max_memory bytes";
    std::vector<app_decode::optionals> list;
    BOOST_TEST(problems_of("[{},{},{}]", list, limits) == "");
    BOOST_TEST(problems_of("[{},{},{},{}]", list, limits) == "/3: " + sentence);
    std::map<std::string, app_decode::optionals> map;
    BOOST_TEST(problems_of(R"({"a":{}})", map, limits) == "");
    BOOST_TEST(problems_of(R"({"a":{},"b":{},"c":{}})", map, limits) == "/c: " + sentence);
    std::set<int> set;
    limits.max_memory = 2 * sizeof(int);
    BOOST_TEST(problems_of("[1,2,3]", set, limits) == "/2: " + sentence);
    app_decode::chain chain;
    limits.max_memory = sizeof(app_decode::chain);
    BOOST_TEST(problems_of(R"({"next":{"next":{}}})", chain, limits) == "/next/next: " + sentence);
    json::value tree;
    limits.max_memory = 2 * sizeof(json::value);
    BOOST_TEST(problems_of("[1,[2]]", tree, limits) == "/1/0: " + sentence);
    limits.max_memory = sizeof(json::key_value_pair) + 1;
    BOOST_TEST(problems_of(R"({"a":1,"b":2})", tree, limits) == "/b: " + sentence);
}

// After a limit is reached, the matching alternative is unknown.
BOOST_AUTO_TEST_CASE(exceeded_limit_does_not_select_another_alternative)
{
    using either = std::variant<app_decode::either_items, app_decode::either_number>;
    auto const* const text = R"({"items":[{"x":1,"y":1},{"x":1,"y":1}]})";
    either out;
    BOOST_TEST(problems_of(text, out) == "");
    BOOST_TEST(out.index() == 0u);
    decode_limits limits;
    limits.max_memory = sizeof(app_decode::point);
    BOOST_TEST(problems_of(text, out, limits) == "/items/1: expected fewer elements, found more than max_memory bytes");
    limits = {};
    limits.max_depth = 2;
    BOOST_TEST(problems_of(text, out, limits).starts_with("/items/0: expected fewer nested values"));
    // A limit that was reached in another member does not affect the variant.
    app_decode::deep_and_either deep;
    BOOST_TEST(problems_of(R"({"deep":[[[]]],"either":{"number":1}})", deep, limits) ==
               "/deep/0: expected fewer nested values, found more levels than the limit");
}

BOOST_AUTO_TEST_CASE(exceeded_pattern_steps_do_not_select_another_alternative)
{
#if LINKSPAN_TEST_WITH_ADDRESS_SANITIZER
    std::cout << "skipped: thirty million steps take minutes under the address sanitizer\n";
#else
    using labels_or_number = std::variant<app_decode::labelled, app_decode::either_number>;
    std::string hostile = R"({"labels":["")";
    for (int i = 0; i != 40; ++i)
        hostile += ",\"" + std::string(14'000, 'a') + '"';
    BOOST_TEST(problems_of_text<labels_or_number>(hostile + "]}").find("too many steps") != std::string::npos);
#endif
}

BOOST_AUTO_TEST_CASE(decode_reports_at_most_32_problems)
{
    mismatches all;
    std::vector<int> out;
    std::string text = "[true";
    for (int i = 0; i != 100; ++i)
        text += ",true";
    BOOST_TEST(!decode(out, text + "]", all));
    BOOST_TEST(all.size() == linkspan::max_mismatches);
    BOOST_TEST(all.back().pointer == "/31");
    BOOST_TEST(out.size() == 32U); // further elements are not read
    all.clear();
    std::map<std::string, int> map;
    text = R"({"0":"a")";
    for (int i = 1; i != 100; ++i)
        text += ",\"" + std::to_string(i) + R"(":"a")";
    BOOST_TEST(!decode(map, text + "}", all));
    BOOST_TEST(all.size() == linkspan::max_mismatches);
    BOOST_TEST(map.size() == 32U);
    BOOST_TEST(!decode(out, "no JSON", all));
    decode_limits small;
    small.max_size = 1;
    BOOST_TEST(!decode(out, "[1]", all, small));
    BOOST_TEST(all.size() == linkspan::max_mismatches);
}

// 9007199254740993.0 is read as an integer, not as the nearest double.
BOOST_AUTO_TEST_CASE(bounds_apply_to_written_and_stored_value)
{
    BOOST_TEST(problems_of_text<app_decode::bounded>(R"({"most":9007199254740992.0})") == "");
    BOOST_TEST(problems_of_text<app_decode::bounded>(R"({"most":9007199254740993.0})") ==
               "/most: expected an integer up to 9007199254740992, found 9007199254740993");
    // The numbers in the text are above 0, below 5 and a multiple of 3; the rounded values are not.
    BOOST_TEST(problems_of<app_decode::measured>(R"({"narrow":1e-60,"wide":9007199254740993})") ==
               "/narrow: expected a number above 0 below 5, found 0; "
               "/wide: expected a number that is a multiple of 3, found 9007199254740992");
    BOOST_TEST(problems_of<app_decode::measured>(R"({"narrow":4.99999999999,"wide":3})") ==
               "/narrow: expected a number above 0 below 5, found 5");
    BOOST_TEST(problems_of<app_decode::measured>(R"({"narrow":0.1,"wide":9007199254740990})") == "");
}

// A value that decode() accepts satisfies check(), also after rounding.
BOOST_AUTO_TEST_CASE(decoded_value_passes_check)
{
    for (auto const* const text :
         {R"({"above":0.1})", R"({"above":0.10000000149011612})", R"({"above":0.1000000089406967})", R"({"most":0.1})",
          R"({"most":0.10000000149011612})", R"({"most":0.1000000089406967})"}) {
        app_decode::tenths out;
        mismatches all, of_check;
        bool const is_read = decode(out, text, all);
        BOOST_TEST(is_read == check(out, of_check), text);
        BOOST_TEST(to_string(all) == to_string(of_check));
    }
    auto const near = [](double bound, int step) {
        auto at = bound;
        for (int i = 0; i != std::abs(step); ++i)
            at = std::nextafter(at, step < 0 ? -10.0 : 10.0);
        char text[64];
        std::snprintf(text, sizeof text, R"({"narrow":%.25g,"wide":0})", at);
        return std::string(text);
    };
    for (double const bound : {0.0, 5.0, 1e-45, 1.5e-45})
        for (int step = -3; step <= 3; ++step) {
            app_decode::measured out;
            mismatches all;
            auto const text = near(bound, step);
            BOOST_TEST((!decode(out, text, all) || check(out, all)), text << ": " << to_string(all));
        }
}

BOOST_AUTO_TEST_CASE(pattern_searches_share_one_limit_of_steps)
{
    auto const list_of = [](std::size_t count) {
        std::string text = R"({"labels":["z")";
        for (std::size_t i = 1; i != count; ++i)
            text += ",\"" + std::string(14'000, 'a') + '"';
        return text + "]}";
    };
    BOOST_TEST(problems_of<app_decode::labelled>(list_of(2)) == "");
    auto const hostile = list_of(40);
    BOOST_TEST(problems_of_text<app_decode::labelled>(hostile).ends_with(
        "expected a string that matches [a-z]{1,200}$, found a string that takes too many steps to search"));
    app_decode::coded const given{std::vector<std::string>(300'000, "a")}; // about 150 steps each
    mismatches all;
    BOOST_TEST(check(given, all)); // many short texts are within the limit
}

// A pattern is compiled at run time, so that its error is found by the first use.
BOOST_AUTO_TEST_CASE(invalid_pattern_is_reported)
{
    auto const* const sentence = "/code: expected a string that matches [a-z, found an invalid or unsupported pattern";
    BOOST_TEST(problems_of<app_decode::mistaken>(R"({"code":"a"})") == sentence);
    mismatches all;
    BOOST_TEST(!check(app_decode::mistaken{"a"}, all));
    BOOST_TEST(to_string(all) == sentence);
}

BOOST_AUTO_TEST_CASE(long_names_are_truncated_in_messages)
{
    std::string const name = std::string(127, 'a') + "\u20ac" + std::string(100'000, 'b');
    BOOST_TEST(problems_of<app_decode::closed_one>("{\"x\":1,\"" + name + "\":1}") ==
               "/" + std::string(127, 'a') + "...: expected no member of this name (known: 'x'), found a number");
}

BOOST_AUTO_TEST_CASE(mismatch_has_pointer_expected_and_found_text)
{
    mismatches all;
    std::map<std::string, std::vector<app_decode::point>> out;
    BOOST_TEST(!decode(out, R"({"a":[{"x":1,"y":1},{"x":"1","y":1}]})", all));
    BOOST_REQUIRE(all.size() == 1u);
    BOOST_TEST((all[0] == linkspan::mismatch{"/a/1/x", "a number", "a string"}));
}

BOOST_AUTO_TEST_SUITE_END()
