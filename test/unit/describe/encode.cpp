#include <linkspan/describe/check.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

#include "support/every_kind.hpp"
#include "support/random_value.hpp"

BOOST_AUTO_TEST_SUITE(encode_test)

namespace json = boost::json;
using linkspan::encode;
using linkspan::mismatches;
using linkspan::test::random_values;

namespace {

// Reads numbers exactly: the parser of Boost.JSON before 1.85 rounds about one in eight doubles incorrectly.
json::value parse(std::string_view text)
{
    json::value out;
    mismatches problems;
    BOOST_TEST(linkspan::decode(out, text, problems), text << to_string(problems));
    return out;
}

// Returns the members in which two values differ, as JSON.
template<class T>
std::string differences(T const& a, T const& b)
{
    std::string out;
    linkspan::detail::for_each_member<T>([&]<std::size_t Index>() {
        constexpr auto member = linkspan::detail::member_pointer<T, Index>;
        if (!(a.*member == b.*member))
            ((out += ' ') += encode(a.*member)) += " is not " + encode(b.*member);
    });
    return out;
}

struct optionals {
    std::optional<int> a;
    linkspan::nullable<int> b;
    std::optional<std::string> c;
    linkspan::rest<int> others;
};

BOOST_DESCRIBE_STRUCT(optionals, (), (a, b, c, others))

struct nothing {};

LINKSPAN_STRUCT(nothing)

} // namespace

BOOST_AUTO_TEST_CASE(numbers_are_encoded_in_shortest_form)
{
    BOOST_TEST(encode(0.1) == "0.1");
    BOOST_TEST(encode(-37.7749) == "-37.7749");
    BOOST_TEST(encode(1e22) == "1e+22");
    BOOST_TEST(encode(5e-324) == "5e-324");
    BOOST_TEST(encode(3.0) == "3");
    BOOST_TEST(encode(0.1F) == "0.1");
    BOOST_TEST(encode(16777216.0F) == "16777216");
    BOOST_TEST(encode(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    BOOST_TEST(encode(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    BOOST_TEST(encode(std::int8_t{-128}) == "-128");
    BOOST_TEST(encode(static_cast<unsigned char>(200)) == "200");
}

BOOST_AUTO_TEST_CASE(value_without_json_representation_is_encoded_as_null)
{
    BOOST_TEST(encode(std::numeric_limits<double>::quiet_NaN()) == "null");
    BOOST_TEST(encode(-std::numeric_limits<float>::infinity()) == "null");
    BOOST_TEST(encode(static_cast<app_every_kind::unit>(9)) == "null");
}

BOOST_AUTO_TEST_CASE(strings_are_escaped_when_encoded)
{
    BOOST_TEST(encode(std::string("a\"\\/\b\n\r\t\x1f\x7f\u20ac")) ==
               "\"a\\\"\\\\/\\u0008\\n\\r\\t\\u001f\x7f\u20ac\"");
    BOOST_TEST(encode(std::string("a\0b", 3)) == "\"a\\u0000b\"");
    BOOST_TEST((encode(std::map<std::string, int>{{"a\"\n", 1}}) == R"({"a\"\n":1})"));
    BOOST_TEST(encode(app_every_kind::square{}) == R"({"a \"side\"\n":0,"kind":"square"})");
    BOOST_TEST(encode(app_every_kind::unit::fahrenheit) == R"("deg \"F\"")");
    BOOST_TEST(encode(app_every_kind::unit::none) == R"("")");
}

BOOST_AUTO_TEST_CASE(empty_optional_member_is_omitted)
{
    optionals value;
    BOOST_TEST(encode(value) == "{}");
    value.b = nullptr;
    BOOST_TEST(encode(value) == R"({"b":null})");
    value.a = 1;
    value.c = "";
    value.others["z"] = 2;
    BOOST_TEST(encode(value) == R"({"a":1,"b":null,"c":"","z":2})");
    value.a.reset();
    value.b.reset();
    BOOST_TEST(encode(value) == R"({"c":"","z":2})");
    BOOST_TEST(encode(nothing()) == "{}");
}

BOOST_AUTO_TEST_CASE(empty_optional_element_is_encoded_as_null)
{
    BOOST_TEST((encode(std::vector<std::optional<int>>{1, std::nullopt}) == "[1,null]"));
    BOOST_TEST((encode(std::map<std::string, linkspan::nullable<int>>{{"a", {}}}) == R"({"a":null})"));
}

BOOST_AUTO_TEST_CASE(every_kind_of_type_is_encoded)
{
    app_every_kind::every_kind value;
    value.tuple = {1, "a", true};
    value.gone = app_every_kind::circle{{}, 2};
    value.some = std::vector<std::string>{"a"};
    value.any = json::array{1, 0.5, nullptr};
    BOOST_TEST(
        encode(value) ==
        R"({"flag":false,"tiny":0,"integer":0,"natural":0,"number":0,"single":0,"text":"","in":"celsius",)"
        R"("nothing":null,"tag":"x\"y","five":-5,"yes":true,"who":"#","any":[1,0.5,null],"object":{},"array":[],)"
        R"("gone":{"kind":"circle","radius":2},"boxed":0,"list":[],"bits":[],"gaps":[],"set":[],)"
        R"("three":[0,0,0],"tuple":[1,"a",true],"pair":[{"kind":"circle","radius":0},)"
        R"({"kind":"circle","radius":0}],"map":{},"nodes":{},"some":["a"],)"
        R"("shape":{"kind":"circle","radius":0},"either":null,"tree":{"label":"","children":[]}})");
}

BOOST_AUTO_TEST_CASE(encode_appends_to_existing_text)
{
    for (std::string const before : {"{", "[", "{\"a\":", ""}) {
        auto out = before;
        encode(out, optionals{1, {}, {}, {}});
        encode(out, std::vector<int>{1, 2});
        BOOST_TEST(out == before + R"({"a":1}[1,2])");
    }
}

// For random values: the text is valid against the schema in both dialects, and is read as an equal value.
BOOST_AUTO_TEST_CASE(encoded_value_matches_its_schema_and_is_decoded_unchanged)
{
    linkspan::schema_validator const newer(linkspan::schema_of<app_every_kind::every_kind>());
    linkspan::schema_validator const older(
        linkspan::schema_of<app_every_kind::every_kind, linkspan::schema_dialect::draft_7>());
    BOOST_REQUIRE(newer.ok() && older.ok());
    random_values random(1);
    for (int i = 0; i != 500; ++i) {
        auto value = random.make<app_every_kind::every_kind>();
        value.who.value = static_cast<unsigned>(i % 7);
        mismatches problems;
        BOOST_TEST(linkspan::check(value, problems), to_string(problems));
        auto const text = encode(value);
        app_every_kind::every_kind read;
        BOOST_TEST(linkspan::decode(read, text, problems), text << to_string(problems));
        BOOST_TEST(differences(read, value) == "");
        auto const tree = parse(text);
        for (auto const& error : newer.validate(tree).errors)
            BOOST_ERROR(to_string(error));
        BOOST_TEST(older.accepts(tree));
        app_every_kind::every_kind again;
        BOOST_TEST(linkspan::decode(again, tree, problems), to_string(problems));
        BOOST_TEST(differences(again, value) == "");
    }
}

// For random values with notes: check(), the schema in both dialects and decode() agree.
BOOST_AUTO_TEST_CASE(check_schema_and_decode_agree_on_all_notes)
{
    linkspan::schema_validator const newer(linkspan::schema_of<app_every_kind::bounded>());
    linkspan::schema_validator const older(
        linkspan::schema_of<app_every_kind::bounded, linkspan::schema_dialect::draft_7>());
    BOOST_REQUIRE(newer.ok() && older.ok());
    random_values random(2);
    std::size_t good = 0, bad = 0;
    for (int i = 0; i != 4'000; ++i) {
        app_every_kind::bounded value; // satisfies its notes
        auto const other = random.make<app_every_kind::bounded>();
        auto const mixed = random.below(21), second = random.below(21);
        linkspan::detail::for_each_member<app_every_kind::bounded>([&]<std::size_t Index>() {
            if (Index == mixed || Index == second)
                value.*linkspan::detail::member_pointer<app_every_kind::bounded, Index> =
                    other.*linkspan::detail::member_pointer<app_every_kind::bounded, Index>;
        });
        mismatches of_check, of_reader;
        bool const is_valid = linkspan::check(value, of_check);
        ++(is_valid ? good : bad);
        auto const text = encode(value);
        auto const tree = parse(text);
        BOOST_TEST(newer.accepts(tree) == is_valid, text << to_string(of_check));
        BOOST_TEST(older.accepts(tree) == is_valid, text);
        app_every_kind::bounded read;
        BOOST_TEST(linkspan::decode(read, text, of_reader) == is_valid, text << to_string(of_reader));
        BOOST_TEST((is_valid ? differences(read, value) : "") == "");
    }
    BOOST_TEST(good > 500u); // ensures that valid values were tested
    BOOST_TEST(bad > 500u);
}

BOOST_AUTO_TEST_SUITE_END()
