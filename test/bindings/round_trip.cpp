#include "round_trip.hpp"

#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/sample.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace {

namespace json = boost::json;

using names = std::set<std::string_view>;

// Collects the names of all `properties` in a schema.
void gather_names(json::value const& schema, names& out)
{
    if (auto const* const array = schema.if_array())
        for (auto const& element : *array)
            gather_names(element, out);
    auto const* const object = schema.if_object();
    if (!object)
        return;
    for (auto const& member : *object) {
        if (auto const* const properties = member.key() == "properties" ? member.value().if_object() : nullptr)
            for (auto const& property : *properties)
                out.insert({property.key().data(), property.key().size()});
        gather_names(member.value(), out);
    }
}

// Compares a round-trip value with the original. Members without a place in the struct may be missing, as may `null`
// where absence is equivalent; the schema checks the required members.
bool is_same(json::value const& back, json::value const& original, names const& named)
{
    if (auto const* const object = back.if_object()) {
        auto const* const whole = original.if_object();
        return whole &&
               std::ranges::all_of(*object,
                                   [&](auto const& member) {
                                       auto const* const same = whole->if_contains(member.key());
                                       return same && is_same(member.value(), *same, named);
                                   }) &&
               std::ranges::all_of(*whole, [&](auto const& member) {
                   return object->contains(member.key()) || member.value().is_null() ||
                          !named.contains({member.key().data(), member.key().size()});
               });
    }
    if (auto const* const array = back.if_array()) {
        auto const* const whole = original.if_array();
        return whole && std::ranges::equal(*array, *whole, [&](auto const& one, auto const& other) {
                   return is_same(one, other, named);
               });
    }
    if (back.is_number() && original.is_number()) // a `number` is a double, which rounds long integers
        return linkspan::as_double(back) == linkspan::as_double(original);
    return back == original;
}

std::string text_of(json::value const& value)
{
    std::string out;
    linkspan::append_json(out, value);
    return out;
}

} // namespace

void bindings::check_samples(std::string_view tool, std::string_view schema_text, through_struct pass)
{
    constexpr int samples = 10;
    auto schema = json::parse({schema_text.data(), schema_text.size()});
    // Arguments and structured results are objects even if a schema does not require it.
    schema.as_object().emplace("type", "object");
    linkspan::schema_validator const check(schema);
    if (tool == "broken_parts") // the schema has an unresolvable reference
        return;
    BOOST_TEST_REQUIRE(check.ok(), tool << ": its schema is rejected");
    names named;
    gather_names(schema, named);
    linkspan::test::sampler values(schema, 1);
    for (int i = 0; i != samples; ++i) {
        auto const value = values.next();
        BOOST_TEST_REQUIRE(value.has_value(), tool << ": " << values.reason());
        auto const text = text_of(*value);
        std::string why;
        auto const back_text = pass(text, why);
        BOOST_TEST(why == "", tool << ": " << why << " in " << text);
        if (!why.empty())
            return;
        auto const back = json::parse(back_text);
        // Boost 1.81 parses doubles inexactly but deterministically.
        BOOST_TEST(is_same(back, json::parse(text), named), tool << ": " << text << " became " << back_text);
        BOOST_TEST(check.accepts(back), tool << ": " << back_text << " is not valid");
    }
}
