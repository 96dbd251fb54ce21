#include "round_trip.hpp"

#include <linkspan/json_writer.hpp>
#include <linkspan/schema/json_number.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/sample.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {

namespace json = boost::json;

// What came back says nothing that was not there, and differs in nothing. Members that no struct has a place for may be
// missing, and so may `null` where absence is the same: whether all that is required is there, the schema tells.
bool is_part(json::value const& back, json::value const& original)
{
    if (auto const* const object = back.if_object()) {
        auto const* const whole = original.if_object();
        return whole && std::ranges::all_of(*object, [&](auto const& member) {
                   auto const* const same = whole->if_contains(member.key());
                   return same && is_part(member.value(), *same);
               });
    }
    if (auto const* const array = back.if_array()) {
        auto const* const whole = original.if_array();
        return whole && std::ranges::equal(*array, *whole, is_part);
    }
    if (back.is_number() && original.is_number()) // a `number` is a double, which rounds an integer that is too long
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

void bindings::hold_samples(std::string_view tool, std::string_view schema_text, through_struct pass)
{
    constexpr int samples = 10;
    auto schema = json::parse({schema_text.data(), schema_text.size()});
    // Arguments and structured results are objects, also where a schema does not say so.
    schema.as_object().emplace("type", "object");
    linkspan::schema_validator const check(schema);
    if (!check.ok()) // one of the hard cases refers to nothing
        return;
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
        // Boost 1.81 reads doubles inexactly, but equal texts alike.
        BOOST_TEST(is_part(back, json::parse(text)), tool << ": " << text << " became " << back_text);
        BOOST_TEST(check.accepts(back), tool << ": " << back_text << " is not valid");
    }
}
