#include <linkspan/model/elicitation.hpp>

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(elicitation_test)

using namespace linkspan;

namespace {

constexpr auto schema = R"({"type":"object","properties":{
    "name":{"type":"string","default":"Ada"},"age":{"type":"integer","default":36},"ok":{"type":"boolean"},
    "tags":{"type":"array","default":["a"]},"odd":{"default":oops},"qu\"ote":{"default":null}}})";

std::string read(std::string_view params, bool form = true, bool url = false)
{
    elicit_request out;
    auto refusal = elicitation::read(out, params, {.form = form, .url = url});
    return refusal.empty() ? (out.mode == elicit_mode::url ? "url " + out.url : "form " + out.message) : refusal;
}

std::string filled(boost::json::object content, std::string_view by)
{
    fill_defaults(content, by);
    return boost::json::serialize(content);
}

} // namespace

BOOST_AUTO_TEST_CASE(undeclared_elicitation_mode_is_refused)
{
    constexpr auto form = R"({"message":"Who?"})";
    constexpr auto named = R"({"mode":"form","message":"Who?"})";
    constexpr auto page = R"({"mode":"url","message":"Go","url":"https://a.example/","elicitationId":"7"})";
    constexpr auto undeclared = "elicitation mode is not declared by the client";
    BOOST_TEST(read(form) == "form Who?");
    BOOST_TEST(read(named) == "form Who?");
    BOOST_TEST(read(page) == undeclared);
    BOOST_TEST(read(page, true, true) == "url https://a.example/");
    BOOST_TEST(read(page, false, true) == "url https://a.example/");
    BOOST_TEST(read(form, false, true) == undeclared);
    BOOST_TEST(read(R"({"mode":"voice"})", true, true) == "elicitation mode is unknown, expected 'form' or 'url'");
}

BOOST_AUTO_TEST_CASE(elicitation_capability_lists_declared_modes)
{
    BOOST_TEST(elicitation::capability({}) == R"({"form":{}})");
    BOOST_TEST(elicitation::capability({.form = true, .url = true}) == R"({"form":{},"url":{}})");
    BOOST_TEST(elicitation::capability({.form = false, .url = true}) == R"({"url":{}})");
}

BOOST_AUTO_TEST_CASE(missing_form_fields_get_their_defaults)
{
    constexpr auto valid = R"({"properties":{"name":{"default":"Ada"},"age":{"default":36},"tags":{"default":["a"]},
        "ok":{"type":"boolean"},"q\"":{"default":null}}})";
    BOOST_TEST(filled({}, valid) == R"({"name":"Ada","age":36,"tags":["a"],"q\"":null})");
    BOOST_TEST(filled({{"name", "Bob"}, {"age", nullptr}}, valid) ==
               R"({"name":"Bob","age":null,"tags":["a"],"q\"":null})");
    BOOST_TEST(filled({{"x", 1}}, "") == R"({"x":1})");
    BOOST_TEST(filled({}, "[]") == "{}");
    BOOST_TEST(filled({}, schema) == "{}"); // the schema is not JSON
}

BOOST_AUTO_TEST_CASE(only_an_accepted_form_has_content)
{
    constexpr auto by = R"({"properties":{"n":{"default":1}}})";
    BOOST_TEST(elicitation::write({elicit_action::accept, {}}, by) == R"({"action":"accept","content":{"n":1}})");
    BOOST_TEST(elicitation::write({elicit_action::accept, {{"n", 2}}}, by) ==
               R"({"action":"accept","content":{"n":2}})");
    BOOST_TEST(elicitation::write({elicit_action::accept, {}}, "") == R"({"action":"accept"})");
    BOOST_TEST(elicitation::write({elicit_action::decline, {{"n", 2}}}, by) == R"({"action":"decline"})");
    BOOST_TEST(elicitation::write({elicit_action::cancel, {}}, by) == R"({"action":"cancel"})");
}

BOOST_AUTO_TEST_CASE(content_that_is_not_an_object_makes_the_result_of_an_accepted_form_invalid)
{
    for (std::string const content : {"7", "[]", "null", R"("a")"})
        BOOST_TEST(!elicitation::read_result(R"({"action":"accept","content":)" + content + "}"), content);
    auto const accepted = elicitation::read_result(R"({"action":"accept","content":{"a":7}})");
    BOOST_TEST_REQUIRE(accepted.has_value());
    BOOST_TEST(accepted->content.at("a").as_int64() == 7);
    auto const without = elicitation::read_result(R"({"action":"accept"})");
    BOOST_TEST_REQUIRE(without.has_value());
    BOOST_TEST(without->content.empty());
    auto const declined = elicitation::read_result(R"({"action":"decline","content":7})");
    BOOST_TEST_REQUIRE(declined.has_value());
    BOOST_TEST(declined->content.empty());
}

BOOST_AUTO_TEST_CASE(form_exists_since_2025_06_18_and_page_since_2025_11_25)
{
    elicit_request form, page;
    page.mode = elicit_mode::url;
    for (auto const& version : protocol_versions) {
        BOOST_TEST(elicitation::exists_in(version.id, form) == (version.id >= protocol_version::v2025_06_18),
                   version.text);
        BOOST_TEST(elicitation::exists_in(version.id, page) == (version.id >= protocol_version::v2025_11_25),
                   version.text);
    }
}

BOOST_AUTO_TEST_CASE(content_of_a_result_is_read_with_the_maximum_depth_of_messages)
{
    auto const nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    auto const read = elicitation::read_result(R"({"action":"accept","content":{"a":)" + nested(40) + "}}");
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->content.at("a").is_array());
}

BOOST_AUTO_TEST_SUITE_END()
