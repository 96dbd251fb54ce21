#include <linkspan/describe/check.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/notes.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/test/sample.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

BOOST_AUTO_TEST_SUITE(sample_value_test)

using linkspan::test::sample;
using namespace linkspan;

namespace sample_value_types {

enum class unit { celsius, kelvin };

BOOST_DESCRIBE_ENUM(unit, celsius, kelvin)

struct circle {
    double radius = 0;
};

struct square {
    int side = 0;
};

LINKSPAN_STRUCT(circle, (radius, min{0.5}, max{2}))
LINKSPAN_STRUCT(square, (side, min{-3}, max{3}))

struct request {
    std::string code;
    unit in = unit::celsius;
    std::optional<int> days;
    std::vector<std::string> tags;
    std::map<std::string, std::int8_t> counts;
    std::variant<circle, square> shape;
    int any = 0;
};

LINKSPAN_STRUCT(request, (code, pattern{"^[A-Z]{2}[0-9]+$"}), (in), (days, min{1}, max{14}),
                (tags, min_items{1}, max_items{3}), (counts), (shape), (any))

struct contradiction {
    int none = 0;
};

LINKSPAN_STRUCT(contradiction, (none, min{3}, max{1}))

} // namespace sample_value_types

using namespace sample_value_types;

BOOST_AUTO_TEST_CASE(values_satisfy_the_notes_of_the_type)
{
    for (std::uint64_t seed = 0; seed != 200; ++seed) {
        auto const value = sample<request>(seed);
        mismatches problems;
        BOOST_TEST(check(value, problems), seed << ": " << to_string(problems));
        BOOST_TEST(value.code.size() >= 3u);
        BOOST_TEST((!value.days || (*value.days >= 1 && *value.days <= 14)));
        BOOST_TEST(!value.tags.empty());
        BOOST_TEST(value.tags.size() <= 3u);
    }
}

BOOST_AUTO_TEST_CASE(values_vary_in_each_member)
{
    std::set<std::string> codes;
    std::set<unit> units;
    std::set<std::size_t> sizes, shapes;
    std::set<int> numbers;
    bool with_days = false, without_days = false, with_counts = false;
    for (std::uint64_t seed = 0; seed != 200; ++seed) {
        auto const value = sample<request>(seed);
        codes.insert(value.code);
        units.insert(value.in);
        sizes.insert(value.tags.size());
        shapes.insert(value.shape.index());
        numbers.insert(value.any);
        (value.days ? with_days : without_days) = true;
        with_counts = with_counts || !value.counts.empty();
    }
    BOOST_TEST(codes.size() > 20u);
    BOOST_TEST(units.size() == 2u);
    BOOST_TEST(sizes.size() == 3u);
    BOOST_TEST(shapes.size() == 2u);
    BOOST_TEST(numbers.size() > 5u);
    BOOST_TEST(with_days);
    BOOST_TEST(without_days);
    BOOST_TEST(with_counts);
}

BOOST_AUTO_TEST_CASE(equal_seeds_have_equal_values)
{
    std::set<std::string> values;
    for (std::uint64_t seed = 0; seed != 50; ++seed) {
        auto const value = encode(sample<request>(seed));
        BOOST_TEST(value == encode(sample<request>(seed)));
        values.insert(value);
    }
    BOOST_TEST(values.size() > 40u);
}

BOOST_AUTO_TEST_CASE(seed_zero_has_only_required_members)
{
    BOOST_TEST(!sample<request>(0).days);
    BOOST_TEST(sample<request>(0).counts.empty());
}

BOOST_AUTO_TEST_CASE(type_without_values_is_an_error_with_the_cause)
{
    BOOST_CHECK_EXCEPTION(sample<contradiction>(1), std::runtime_error, [](std::runtime_error const& thrown) {
        return std::string_view(thrown.what()).starts_with("linkspan: no sample: ") &&
               std::string_view(thrown.what()).size() > 22;
    });
}

BOOST_AUTO_TEST_SUITE_END()
