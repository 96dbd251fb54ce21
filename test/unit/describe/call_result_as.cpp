#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/model/call_error.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

BOOST_AUTO_TEST_SUITE(call_result_as_test)

using linkspan::call_result;
using linkspan::error;
namespace json = boost::json;

namespace {

struct forecast {
    double high = 0;
    std::string sky;
};

BOOST_DESCRIBE_STRUCT(forecast, (), (high, sky))

enum class sky { blue, grey };
BOOST_DESCRIBE_ENUM(sky, blue, grey)

struct report {
    std::vector<forecast> days;
    std::optional<std::string> note;
    int count = 0;
};

LINKSPAN_STRUCT(report, (days, min_items{1}), (note), (count, min{1}))

struct found {
    linkspan::literal<"found"> status;
    forecast what;
};

struct missing {
    linkspan::literal<"missing"> status;
};

LINKSPAN_STRUCT(found, (status), (what))
LINKSPAN_STRUCT(missing, (status))

call_result of(std::string_view members)
{
    auto const text = "{" + std::string(members) + "}";
    return call_result(linkspan::detail::shared_text(text), "server");
}

call_result structured(std::string_view value)
{
    return of(R"("content":[],"structuredContent":)" + std::string(value));
}

call_result text(std::string_view quoted)
{
    return of(R"("content":[{"type":"text","text":)" + std::string(quoted) + "}]");
}

template<class T>
linkspan::error_code failure(call_result const& result)
{
    auto const read = result.as<T>();
    return read ? linkspan::error_code() : read.error();
}

} // namespace

// Sources of a value: structured content, its only member "result", text as JSON, and text

BOOST_AUTO_TEST_CASE(scalar_or_array_result_is_unwrapped)
{
    BOOST_TEST(structured(R"({"result":5})").as<double>().value() == 5.0);
    BOOST_TEST(structured(R"({"result":5})").as<int>().value() == 5);
    BOOST_TEST(structured(R"({"result":true})").as<bool>().value());
    BOOST_TEST(structured(R"({"result":"five"})").as<std::string>().value() == "five");
    auto const list = structured(R"({"result":[1,2]})").as<std::vector<int>>().value();
    BOOST_TEST(list == (std::vector<int>{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(structured(R"({"result":[1,2]})").as<json::array>().value().size() == 2u);
    BOOST_TEST(structured("5").as<int>().value() == 5); // protocol version 2026-07-28 permits any value
}

BOOST_AUTO_TEST_CASE(object_result_is_never_unwrapped)
{
    BOOST_TEST(structured(R"({"result":10})").as<json::object>().value().at("result") == 10);
    BOOST_TEST(structured(R"({"result":10})").as<json::value>().value().at("result") == 10);
    BOOST_TEST((structured(R"({"result":10})").as<std::map<std::string, int>>().value().at("result") == 10));
    BOOST_TEST(structured(R"({"result":10})").raw().find(R"({"result":10})") != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(result_member_beside_other_members_is_not_unwrapped)
{
    BOOST_TEST(failure<int>(structured(R"({"result":5,"unit":"m"})")) == make_error_code(error::unexpected_result));
    BOOST_TEST(failure<int>(structured(R"({"value":5})")) == make_error_code(error::unexpected_result));
}

BOOST_AUTO_TEST_CASE(text_content_is_parsed_as_json)
{
    BOOST_TEST(text(R"("5")").as<double>().value() == 5.0);
    BOOST_TEST(text(R"("{\"high\":21,\"sky\":\"blue\"}")").as<forecast>().value().sky == "blue");
    BOOST_TEST(text(R"("[1,2,3]")").as<std::vector<int>>().value().size() == 3u);
}

BOOST_AUTO_TEST_CASE(text_content_is_returned_unchanged_as_string)
{
    BOOST_TEST(text(R"("5")").as<std::string>().value() == "5");
    BOOST_TEST(text(R"("hello")").as<std::string>().value() == "hello");
    BOOST_TEST(text(R"("hello")").as<json::value>().value() == "hello");
    BOOST_TEST(structured(R"({"a":1})").as<std::string>().value().empty());
    BOOST_TEST(failure<int>(text(R"("hello")")) == make_error_code(error::unexpected_result));
}

BOOST_AUTO_TEST_CASE(structured_content_takes_precedence_over_text)
{
    auto const both = of(R"("content":[{"type":"text","text":"6"}],"structuredContent":{"result":5})");
    BOOST_TEST(both.as<int>().value() == 5);
    BOOST_TEST(both.as<std::string>().value() == "6");
}

BOOST_AUTO_TEST_CASE(failed_tool_yields_tool_failed)
{
    auto const failed = of(R"("content":[{"type":"text","text":"5"}],"isError":true)");
    BOOST_TEST(failure<int>(failed) == make_error_code(error::tool_failed));
    BOOST_TEST(failure<std::string>(failed) == make_error_code(error::tool_failed));
    BOOST_CHECK_THROW(failed.as<int>().value(), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(error_of_conversion_states_what_was_found)
{
    auto const five = structured(R"({"result":5})");
    auto const read = five.as<bool>();
    BOOST_TEST_REQUIRE(!read);
    BOOST_TEST(read.error() == make_error_code(error::unexpected_result));
    BOOST_TEST(read.error().detail() == "expected a boolean, found a number");
    BOOST_TEST(text(R"("many")").as<int>().error().detail() == "expected an integer, found a string");
    BOOST_TEST(five.as<int>().error().detail().empty());
    BOOST_CHECK_EXCEPTION(five.as<bool>().value(), linkspan::protocol_error, [](auto const& thrown) {
        return thrown.code() == error::unexpected_result && thrown.detail() == "expected a boolean, found a number" &&
               std::string_view(thrown.what()) == thrown.code().message() + ": expected a boolean, found a number [" +
                                                      thrown.code().to_string() + "]";
    });
    boost::system::result<bool> const converted = five.as<bool>();
    BOOST_TEST(converted.error() == make_error_code(error::unexpected_result));
}

BOOST_AUTO_TEST_CASE(result_is_converted_to_described_struct)
{
    auto const read = structured(R"({"high":21.5,"sky":"blue"})").as<forecast>().value();
    BOOST_TEST(read.high == 21.5);
    BOOST_TEST(read.sky == "blue");
    BOOST_TEST(failure<forecast>(structured(R"({"high":"hot"})")) == make_error_code(error::unexpected_result));
}

BOOST_AUTO_TEST_CASE(mismatch_in_result_has_a_pointer)
{
    report out;
    linkspan::mismatches problems;
    auto const bad = structured(R"({"days":[{"high":1,"sky":"a"},{"high":"1"}],"count":0})");
    BOOST_TEST(read_result(out, bad, problems) == make_error_code(error::unexpected_result));
    BOOST_TEST(to_string(problems) == "/days/1/high: expected a number, found a string; "
                                      "/days/1/sky: expected a value, found nothing; "
                                      "/count: expected an integer from 1, found 0");
    BOOST_TEST(bad.raw().find("structuredContent") != std::string_view::npos);
    problems.clear();
    BOOST_TEST(read_result(out, text(R"("{\"days\":[],\"count\":1}")"), problems) ==
               make_error_code(error::unexpected_result));
    BOOST_TEST(to_string(problems) == "/days: expected at least 1 item, found 0");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_json_is_treated_as_string)
{
    report out;
    linkspan::mismatches problems;
    BOOST_TEST(read_result(out, text(R"("{\"days\":")"), problems) == make_error_code(error::unexpected_result));
    BOOST_TEST(to_string(problems) == "expected an object, found a string");
    problems.clear();
    BOOST_TEST(read_result(out, of(R"("content":[])"), problems) == make_error_code(error::unexpected_result));
    BOOST_TEST(to_string(problems) == "expected an object, found a string");
}

// A type that accepts strings reads a text as a string if the text is JSON of a kind that the type does not accept.
BOOST_AUTO_TEST_CASE(text_that_is_valid_json_can_be_read_as_string)
{
    using text_or_none = std::optional<std::string>;
    using text_or_object = std::variant<std::string, forecast>;
    BOOST_TEST((text(R"("404")").as<text_or_none>().value() == "404"));
    BOOST_TEST((text(R"("true")").as<text_or_none>().value() == "true"));
    BOOST_TEST(std::get<std::string>(text(R"("[1]")").as<text_or_object>().value()) == "[1]");
    BOOST_TEST((text(R"("null")").as<text_or_none>().value() == std::nullopt)); // null is a value of the type
    BOOST_TEST(failure<int>(text(R"("true")")) == make_error_code(error::unexpected_result));
    BOOST_TEST((failure<text_or_object>(text(R"("{\"high\":1}")")) == make_error_code(error::unexpected_result)));
}

BOOST_AUTO_TEST_CASE(null_structured_content_is_ignored_if_the_type_has_no_null)
{
    auto const null = of(R"("structuredContent":null,"content":[{"type":"text","text":"{\"high\":1,\"sky\":\"a\"}"}])");
    BOOST_TEST(null.as<forecast>().value().sky == "a");
    BOOST_TEST((null.as<std::optional<forecast>>().value().has_value() == false));
    BOOST_TEST(null.as<json::value>().value().is_null());
    BOOST_TEST(null.as<std::string>().value() == R"({"high":1,"sky":"a"})");
    BOOST_TEST(failure<int>(structured("null")) == make_error_code(error::unexpected_result));
    BOOST_TEST(of(R"("structuredContent":{"result":null},"content":[{"type":"text","text":"5"}])").as<int>().value() ==
               5);
}

BOOST_AUTO_TEST_CASE(text_with_invalid_escape_is_unexpected_result)
{
    for (auto const* const broken : {R"("pay 100\q00")", R"("{\"high\":1,\"sky\":\"\"}\q")", "\"\xff\"", "\"a\x01\""}) {
        std::string out;
        linkspan::mismatches problems;
        BOOST_TEST(read_result(out, text(broken), problems) == make_error_code(error::unexpected_result), broken);
        std::string const expected = "expected text content in valid UTF-8, found a string with an invalid escape, a "
                                     "control character or invalid UTF-8";
        BOOST_TEST(to_string(problems) == expected);
        BOOST_TEST(text(broken).as<int>().error().detail() == expected);
        BOOST_TEST(failure<forecast>(text(broken)) == make_error_code(error::unexpected_result), broken);
        BOOST_TEST(failure<json::value>(text(broken)) == make_error_code(error::unexpected_result), broken);
    }
}

BOOST_AUTO_TEST_CASE(full_list_of_mismatches_is_not_extended_by_invalid_text)
{
    std::string out;
    linkspan::mismatches problems(linkspan::max_mismatches);
    BOOST_TEST(read_result(out, text("\"\xff\""), problems) == make_error_code(error::unexpected_result));
    BOOST_TEST(problems.size() == linkspan::max_mismatches);
}

BOOST_AUTO_TEST_CASE(invalid_json_in_structured_content_is_reported)
{
    json::value any;
    json::object object;
    linkspan::mismatches problems;
    BOOST_TEST(read_result(any, structured(R"({"a":"\q"})"), problems) == make_error_code(error::unexpected_result));
    BOOST_TEST(to_string(problems) ==
               "/a: expected a string, found a string with an invalid escape, a control character or invalid UTF-8");
    problems.clear();
    BOOST_TEST(read_result(object, structured(R"({"a":1e999})"), problems) ==
               make_error_code(error::unexpected_result));
    BOOST_TEST(to_string(problems) == "/a: expected a number that a double can hold, found a larger number");
}

BOOST_AUTO_TEST_CASE(result_is_converted_to_variant)
{
    using outcome = std::variant<found, missing>;
    auto const one = structured(R"({"status":"found","what":{"high":1,"sky":"a"}})").as<outcome>().value();
    BOOST_TEST(std::get<found>(one).what.sky == "a");
    BOOST_TEST(text(R"("{\"status\":\"missing\"}")").as<outcome>().value().index() == 1u);
    using either = std::variant<std::string, forecast>;
    BOOST_TEST(std::get<std::string>(text(R"("it rains")").as<either>().value()) == "it rains");
    BOOST_TEST(std::get<forecast>(structured(R"({"high":1,"sky":"a"})").as<either>().value()).sky == "a");
}

BOOST_AUTO_TEST_CASE(result_of_any_type_except_object_is_unwrapped)
{
    BOOST_TEST((structured(R"({"result":"grey"})").as<sky>().value() == sky::grey));
    BOOST_TEST((text(R"("grey")").as<sky>().value() == sky::grey));
    BOOST_TEST((structured(R"({"result":null})").as<std::optional<int>>().value() == std::nullopt));
    BOOST_TEST((structured(R"({"result":["a"]})").as<linkspan::one_or_many<std::string>>().value().is_list()));
    BOOST_TEST((structured(R"({"result":[1,"a"]})").as<std::tuple<int, std::string>>().value() ==
                std::tuple(1, std::string("a"))));
    BOOST_TEST(failure<int>(structured(R"({"result":5,"result":6})")) == make_error_code(error::unexpected_result));
    BOOST_TEST(structured(R"({"result":9007199254740993})").as<std::int64_t>().value() == 9007199254740993);
}

BOOST_AUTO_TEST_SUITE_END()
