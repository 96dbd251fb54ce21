#include <linkspan/protocol/uri_template.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(uri_template_test)

using linkspan::uri_template;
using values = uri_template::values;

namespace {

uri_template parse(std::string_view text)
{
    std::string problem;
    auto parsed = uri_template::parse(text, problem);
    BOOST_TEST_REQUIRE(parsed.has_value(), text << ": " << problem);
    return *parsed;
}

std::string problem_of(std::string_view text)
{
    std::string problem;
    BOOST_TEST(!uri_template::parse(text, problem).has_value(), text);
    return problem;
}

// Returns values as text such as "x=1 y=2", or "no match".
std::string text_of(std::optional<values> const& found)
{
    if (!found)
        return "no match";
    std::string out;
    for (auto const& [name, value] : *found)
        ((out += out.empty() ? "" : " ") += name + '=') += value;
    return out;
}

std::string match(std::string_view text, std::string_view uri) { return text_of(parse(text).match(uri)); }

// The variables of the examples of RFC 6570, section 3.2.
values const given{{"var", "value"},
                   {"hello", "Hello World!"},
                   {"path", "/foo/bar"},
                   {"empty", ""},
                   {"x", "1024"},
                   {"y", "768"},
                   {"half", "50%"},
                   {"base", "http://example.com/home/"},
                   {"who", "fred"},
                   {"dub", "me/too"},
                   {"v", "6"}};

struct row {
    char const* text;
    char const* expected;
};

// RFC 6570, sections 3.2.2 to 3.2.9, without the modifiers of level 4.
constexpr row rows[] = {
    {"{var}", "value"},
    {"{hello}", "Hello%20World%21"},
    {"{half}", "50%25"},
    {"O{empty}X", "OX"},
    {"O{undef}X", "OX"},
    {"{x,y}", "1024,768"},
    {"{x,hello,y}", "1024,Hello%20World%21,768"},
    {"?{x,empty}", "?1024,"},
    {"?{x,undef}", "?1024"},
    {"?{undef,y}", "?768"},
    {"{+var}", "value"},
    {"{+hello}", "Hello%20World!"},
    {"{+half}", "50%25"},
    {"{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"},
    {"{+base}index", "http://example.com/home/index"},
    {"O{+empty}X", "OX"},
    {"{+path}/here", "/foo/bar/here"},
    {"here?ref={+path}", "here?ref=/foo/bar"},
    {"{+x,hello,y}", "1024,Hello%20World!,768"},
    {"{#var}", "#value"},
    {"{#x,hello,y}", "#1024,Hello%20World!,768"},
    {"foo{#empty}", "foo#"},
    {"foo{#undef}", "foo"},
    {"X{.var}", "X.value"},
    {"X{.x,y}", "X.1024.768"},
    {"X{.empty}", "X."},
    {"X{.undef}", "X"},
    {"{/who}", "/fred"},
    {"{/half,who}", "/50%25/fred"},
    {"{/who,dub}", "/fred/me%2Ftoo"},
    {"{/var,empty}", "/value/"},
    {"{/var,undef}", "/value"},
    {"{;who}", ";who=fred"},
    {"{;empty}", ";empty"},
    {"{;v,empty,who}", ";v=6;empty;who=fred"},
    {"{;v,undef,who}", ";v=6;who=fred"},
    {"{;x,y,empty}", ";x=1024;y=768;empty"},
    {"{?who}", "?who=fred"},
    {"{?x,y}", "?x=1024&y=768"},
    {"{?x,y,empty}", "?x=1024&y=768&empty="},
    {"{?x,undef,y}", "?x=1024&y=768"},
    {"?fixed=yes{&x}", "?fixed=yes&x=1024"},
    {"{&x,y,empty}", "&x=1024&y=768&empty="},
};

} // namespace

BOOST_AUTO_TEST_CASE(templates_of_the_rfc_expand_to_the_texts_of_the_rfc)
{
    for (auto const& [text, expected] : rows)
        BOOST_TEST(parse(text).expand(given) == expected, text);
}

// Without an operator for names, a variable without a value, or with an empty one, cannot be found again.
BOOST_AUTO_TEST_CASE(expanded_uri_matches_with_values_of_the_same_expansion)
{
    std::size_t count = 0;
    for (auto const& [text, expected] : rows) {
        std::string_view const view = text;
        bool const is_incomplete = view.find("undef") != view.npos || view.find("empty") != view.npos;
        if (is_incomplete && view.find("{?") == view.npos && view.find("{;") == view.npos &&
            view.find("{&") == view.npos)
            continue;
        auto const found = parse(text).match(expected);
        BOOST_TEST_REQUIRE(found.has_value(), text);
        BOOST_TEST(parse(text).expand(*found) == expected, text);
        ++count;
    }
    BOOST_TEST(count == 31u);
}

BOOST_AUTO_TEST_CASE(template_matches_uris_of_its_form_only)
{
    BOOST_TEST(match("test://template/{id}/data", "test://template/123/data") == "id=123");
    BOOST_TEST(match("test://template/{id}/data", "test://template/a%20b/data") == "id=a b");
    for (auto const* other : {"test://template//data", "test://template/1/2/data", "test://template/1/data/",
                              "test://other/1/data", "", "test://template/{id}/data"})
        BOOST_TEST(match("test://template/{id}/data", other) == "no match", other);
    BOOST_TEST(match("file:///{+path}", "file:///a/b/c.txt") == "path=a/b/c.txt");
    BOOST_TEST(match("file:///{+folder}/{name}", "file:///a/b/c.txt") == "folder=a/b name=c.txt");
    BOOST_TEST(match("db://{table}{?limit,offset}", "db://users?limit=5&offset=10") == "table=users limit=5 offset=10");
    BOOST_TEST(match("db://{table}{?limit,offset}", "db://users?offset=10") == "table=users offset=10");
    BOOST_TEST(match("db://{table}{?limit,offset}", "db://users") == "table=users");
    BOOST_TEST(match("db://{table}{?limit,offset}", "db://users?limit=") == "table=users limit=");
    BOOST_TEST(match("x{;a,b}", "x;a=1;b") == "a=1 b=");
    BOOST_TEST(match("fixed", "fixed") == "");
}

BOOST_AUTO_TEST_CASE(percent_encoded_bytes_are_not_divided)
{
    BOOST_TEST(match("{a}{+b}", "x%41") == "a=x b=A");
    BOOST_TEST(match("{a}41", "x%41") == "no match");
    BOOST_TEST(match("{a}", "100%") == "no match"); // an incomplete encoding
    BOOST_TEST(match("{a}", "gr\xc3\xbc\xc3\x9f") == "a=gr\xc3\xbc\xc3\x9f");
}

BOOST_AUTO_TEST_CASE(invalid_template_is_rejected_with_a_reason)
{
    BOOST_TEST(problem_of("") == "expected 1 to 2048 bytes, found 0");
    BOOST_TEST(problem_of(std::string(2049, 'x')) == "expected 1 to 2048 bytes, found 2049");
    BOOST_TEST(problem_of("a{b") == "expected '}' after position 1");
    BOOST_TEST(problem_of("a}b") == "expected '{' before the '}' at position 1");
    BOOST_TEST(problem_of("a{}b") == "expected a name of a variable, found ''");
    BOOST_TEST(problem_of("a{b,}") == "expected a name of a variable, found ''");
    BOOST_TEST(problem_of("a{b:3}") == "expected a name of a variable, found 'b:3'");
    BOOST_TEST(problem_of("a{b*}") == "expected a name of a variable, found 'b*'");
    BOOST_TEST(problem_of("a{b}{?b}") == "the variable 'b' occurs twice");
}

BOOST_AUTO_TEST_CASE(search_for_values_ends_for_ambiguous_templates)
{
    std::string text, uri(uri_template::max_size, 'a');
    for (int i = 0; i != 30; ++i)
        text += "{+v" + std::to_string(i) + "}";
    BOOST_TEST(!parse(text + "/end").match(uri).has_value());
    BOOST_TEST(parse(text).match(uri).has_value());
    BOOST_TEST(!parse(text).match(uri + 'a').has_value()); // longer than max_size
    BOOST_TEST(parse(text).names().size() == 30u);
}

BOOST_AUTO_TEST_SUITE_END()
