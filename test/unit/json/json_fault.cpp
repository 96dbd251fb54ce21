#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/arguments.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(json_fault_test)

using linkspan::arguments;
using linkspan::raw_json;
using linkspan::detail::find_fault;
using linkspan::detail::json_fault;
using linkspan::detail::problem_of_arguments;
namespace data = boost::unit_test::data;
using namespace std::string_view_literals;

namespace {

using kind = json_fault::kind;

struct fault_row {
    std::string_view text;
    kind what;
    std::size_t at;
    std::string_view pointer;
};

std::ostream& operator<<(std::ostream& out, fault_row const& row) { return out << row.text; }

constexpr fault_row faults[] = {
    {"", kind::empty, 0, ""},
    {" \n", kind::empty, 0, ""},
    {"{", kind::truncated, 1, ""},
    {R"({"a)", kind::truncated, 1, ""},
    {R"({"a")", kind::truncated, 4, ""},
    {R"({"a":)", kind::truncated, 5, "/a"},
    {R"({"a":tr)", kind::truncated, 7, "/a"},
    {R"({"a":-)", kind::truncated, 6, "/a"},
    {R"({"a":1.)", kind::truncated, 7, "/a"},
    {R"({"a":1e+)", kind::truncated, 8, "/a"},
    {R"({"a":"x\")", kind::truncated, 9, "/a"},
    {R"({"a":[0,{"b/c":[)", kind::truncated, 16, "/a/1/b~1c/0"},
    {R"({"a":{}, )", kind::truncated, 9, ""},
    {R"({"a":tru})", kind::malformed, 8, "/a"},
    {R"({"a":True})", kind::malformed, 5, "/a"},
    {R"({"a":01})", kind::malformed, 6, ""},
    {R"({"a":-})", kind::malformed, 6, "/a"},
    {R"({"a":1,})", kind::malformed, 7, ""},
    {R"({"a":[1,]})", kind::malformed, 8, "/a/1"},
    {R"({"a" 1})", kind::malformed, 5, ""},
    {R"({a:1})", kind::malformed, 1, ""},
    {R"({"a":1])", kind::malformed, 6, ""},
    {R"({} {})", kind::trailing, 3, ""},
    {R"({}x)", kind::trailing, 2, ""},
    {R"(1 2)", kind::trailing, 2, ""},
    {"{\"a\":\"line\nbreak\"}", kind::bad_string, 5, "/a"},
    {R"({"a":"\x"})", kind::bad_string, 5, "/a"},
    {R"({"a":"\u12g4"})", kind::bad_string, 5, "/a"},
    {"{\"a\":\"\xff\"}", kind::bad_string, 5, "/a"},
    {"{\"\xc3\":1}", kind::bad_string, 1, ""},
    {R"({"a":1,"a":1})", kind::repeated_key, 7, "/a"},
    {R"({"a":1,"\u0061":1})", kind::repeated_key, 7, "/a"},
    {R"([{"x":{"y":0,"n":[],"y":0}}])", kind::repeated_key, 20, "/0/x/y"},
    {R"({"":0,"":0})", kind::repeated_key, 6, "/"},
};

constexpr std::string_view sound[] = {"1",
                                      "-0.5e+7",
                                      "null",
                                      R"("a\n\u00e9\ud83d\ude00")",
                                      "[]",
                                      "{}",
                                      " { } ",
                                      "\t[\r\n1 , {} ]\n",
                                      R"({"a":{"a":{"a":[{"a":1},{"a":2}]}},"b":{"a":1}})",
                                      R"({"a":1,"A":1,"a ":1,"":1})"};

std::string object_of(std::size_t keys)
{
    std::string out = "{";
    for (std::size_t i = 0; i != keys; ++i)
        out += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":{\"inner\":0}";
    return out + '}';
}

} // namespace

BOOST_DATA_TEST_CASE(first_fault_of_invalid_text_is_found, data::make(faults))
{
    auto const fault = find_fault(sample.text);
    BOOST_TEST((fault.what == sample.what));
    BOOST_TEST(fault.at == sample.at);
    BOOST_TEST(fault.pointer == sample.pointer);
}

BOOST_DATA_TEST_CASE(valid_text_has_no_fault, data::make(sound)) { BOOST_TEST(!find_fault(sample)); }

BOOST_AUTO_TEST_CASE(repeated_key_is_found_in_object_of_any_size)
{
    for (std::size_t const keys : {2U, 16U, 17U, 18U, 63U, 64U, 65U, 200U}) {
        auto const text = object_of(keys);
        BOOST_TEST(!find_fault(text), keys);
        for (auto const repeated : {std::size_t{0}, keys / 2, keys - 1}) {
            auto const key = "k" + std::to_string(repeated);
            auto const wrong = text.substr(0, text.size() - 1) + ",\"" + key + "\":1}";
            auto const fault = find_fault(wrong);
            BOOST_TEST((fault.what == kind::repeated_key), wrong);
            BOOST_TEST(fault.pointer == '/' + key);
        }
    }
}

BOOST_AUTO_TEST_CASE(text_nested_deeper_than_the_limit_has_a_fault)
{
    std::string const open(linkspan::json_scan::max_depth, '['), close(linkspan::json_scan::max_depth, ']');
    BOOST_TEST(!find_fault(open + close));
    BOOST_TEST((find_fault('[' + open + close + ']').what == kind::too_deep));
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_of_an_object_is_truncated_or_empty)
{
    auto const whole = R"( {"a":[true,null,-1.5e2,{"b":"x\"\u0041"}],"c":{},"d":""})"sv;
    BOOST_TEST(!find_fault(whole));
    for (std::size_t size = 0; size != whole.size(); ++size) {
        auto const fault = find_fault(whole.substr(0, size));
        BOOST_TEST((fault.what == kind::truncated || fault.what == kind::empty), whole.substr(0, size));
    }
}

// Checks each text that differs in one character from a valid text. Boost.JSON accepts repeated keys.
BOOST_AUTO_TEST_CASE(text_has_a_fault_exactly_if_boost_json_rejects_it)
{
    auto const whole = R"({"a":[true,null,-1.5e+2,{"b":"x\"\u0041\\"}],"cc":{"d":false},"":[[],{}]} )"sv;
    for (std::size_t at = 0; at != whole.size(); ++at)
        for (char const c : "{}[]:,\"\\ tfnu0-.eE+1ab\n\x01"sv) {
            std::string text(whole);
            text[at] = c;
            boost::system::error_code ec;
            auto const value = boost::json::parse(text, ec);
            auto const fault = find_fault(text);
            BOOST_TEST((fault.what == kind::repeated_key || static_cast<bool>(fault) == ec.failed()), text);
        }
}

BOOST_AUTO_TEST_CASE(problem_of_arguments_has_position_and_pointer)
{
    BOOST_TEST(problem_of_arguments(R"({"a":1})") == "");
    BOOST_TEST(problem_of_arguments("") == "arguments are empty, expected a JSON object");
    BOOST_TEST(problem_of_arguments(R"({"a":{"b":1)") ==
               "arguments are truncated and so not valid JSON: the text ends after 11 bytes, inside '/a'");
    BOOST_TEST(problem_of_arguments(R"({"a":tru})") ==
               "arguments are not valid JSON: unexpected '}' at byte 9, inside '/a'");
    BOOST_TEST(problem_of_arguments(R"({"a":{"b":1,"b":2}})") == "arguments are ambiguous: duplicate key '/a/b'");
    BOOST_TEST(problem_of_arguments("{}{}") ==
               "arguments are followed by other text at byte 3, expected one JSON object");
    BOOST_TEST(problem_of_arguments("[1]") == "arguments must be an object, not an array");
    BOOST_TEST(problem_of_arguments(R"("{}")") == "arguments must be an object, not a string");
    BOOST_TEST(problem_of_arguments("null") == "arguments must be an object, not null");
    BOOST_TEST(problem_of_arguments("true") == "arguments must be an object, not a boolean");
    BOOST_TEST(problem_of_arguments("7") == "arguments must be an object, not a number");
}

BOOST_AUTO_TEST_CASE(long_keys_are_truncated_in_problem_text)
{
    std::string const key(5000, 'k');
    auto const sentence = problem_of_arguments("{\"" + key + "\":1,\"" + key + "\":2}");
    BOOST_TEST(sentence.size() < 300U);
}

BOOST_AUTO_TEST_CASE(unchecked_arguments_are_not_validated)
{
    auto const any = arguments::unchecked("{\"a\":1,\"a\":2}");
    BOOST_TEST(any.problem() == "");
    BOOST_TEST(any.text() == "{\"a\":1,\"a\":2}");
}

BOOST_AUTO_TEST_SUITE_END()
