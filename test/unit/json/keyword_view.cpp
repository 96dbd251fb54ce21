#include <linkspan/json/detail/keyword_view.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(keyword_view_test)

namespace json = boost::json;
using linkspan::detail::keyword_value;
using linkspan::detail::keyword_view;
using linkspan::detail::kind_of_value;
using linkspan::detail::kinds_of_type;
using linkspan::detail::value_kinds;

BOOST_AUTO_TEST_CASE(missing_keyword_has_no_value_of_any_type)
{
    json::object const schema;
    auto const none = keyword_view(schema)["type"];
    BOOST_TEST(!none);
    BOOST_TEST(!none.get());
    BOOST_TEST(!none.text().has_value());
    BOOST_TEST(!none.array());
    BOOST_TEST(!none.object());
    BOOST_TEST(!none.boolean().has_value());
    BOOST_TEST(!none.is(true));
    BOOST_TEST(!none.is(false));
    BOOST_TEST(!none.number());
    BOOST_TEST(!none.count().has_value());
    BOOST_TEST(none.kinds() == 0);
    none.for_texts([](std::string_view) { BOOST_ERROR("no text expected"); });
    none.for_one_or_each([](keyword_value) { BOOST_ERROR("no value expected"); });
}

BOOST_AUTO_TEST_CASE(keyword_has_a_value_of_its_own_type_only)
{
    auto const schema = json::parse(R"({"s":"x","a":[1],"o":{"k":2},"t":true,"f":false,"n":1.5,"c":3.0,"z":null})");
    keyword_view const at(schema.get_object());
    for (std::string_view const name : {"s", "a", "o", "t", "f", "n", "c", "z"}) {
        auto const value = at[name];
        BOOST_TEST(static_cast<bool>(value), name);
        BOOST_TEST(value.text().has_value() == (name == "s"), name);
        BOOST_TEST((value.array() != nullptr) == (name == "a"), name);
        BOOST_TEST((value.object() != nullptr) == (name == "o"), name);
        BOOST_TEST(value.is(true) == (name == "t"), name);
        BOOST_TEST(value.is(false) == (name == "f"), name);
        BOOST_TEST((value.number() != nullptr) == (name == "n" || name == "c"), name);
        BOOST_TEST(value.count().has_value() == (name == "c"), name);
    }
    BOOST_TEST(*at["s"].text() == "x");
    BOOST_TEST(*at["c"].count() == 3u);
    BOOST_TEST((*at["n"] == json::value(1.5)));
    BOOST_TEST(at["z"]->is_null());
}

BOOST_AUTO_TEST_CASE(texts_of_a_list_are_visited_in_their_order)
{
    auto const schema = json::parse(R"({"required":["b",1,"a",["c"],"b"],"other":"b"})");
    keyword_view const at(schema.get_object());
    std::string out;
    at["required"].for_texts([&](std::string_view text) { (out += text) += ' '; });
    at["other"].for_texts([&](std::string_view text) { (out += text) += ' '; });
    BOOST_TEST(out == "b a b ");
}

BOOST_AUTO_TEST_CASE(type_is_a_name_or_a_list_of_names)
{
    auto const kinds = [](std::string_view type) {
        auto const schema = json::parse(R"({"type":)" + std::string(type) + "}");
        return keyword_view(schema.get_object())["type"].kinds();
    };
    BOOST_TEST(kinds(R"("string")") == value_kinds::string);
    BOOST_TEST(kinds(R"("number")") == (value_kinds::integer | value_kinds::fraction));
    BOOST_TEST(kinds(R"(["null","object","odd",7])") == (value_kinds::null | value_kinds::object));
    BOOST_TEST(kinds("[]") == 0);
    BOOST_TEST(kinds(R"("odd")") == 0);
    BOOST_TEST(kinds("7") == 0);
}

BOOST_AUTO_TEST_CASE(kind_of_a_value_is_a_kind_of_its_type)
{
    BOOST_TEST(kind_of_value(nullptr) == kinds_of_type("null"));
    BOOST_TEST(kind_of_value(true) == kinds_of_type("boolean"));
    BOOST_TEST(kind_of_value(1) == kinds_of_type("integer"));
    BOOST_TEST(kind_of_value(1u) == kinds_of_type("integer"));
    BOOST_TEST(kind_of_value(1.0) == kinds_of_type("integer"));
    BOOST_TEST(kind_of_value(1.5) == value_kinds::fraction);
    BOOST_TEST(kind_of_value("x") == kinds_of_type("string"));
    BOOST_TEST(kind_of_value(json::array()) == kinds_of_type("array"));
    BOOST_TEST(kind_of_value(json::object()) == kinds_of_type("object"));
    BOOST_TEST(kinds_of_type("Object") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
