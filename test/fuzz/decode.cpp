// Decodes arbitrary text as a struct with a member of each kind. Accepted text must be encoded and decoded to the same
// value.

#include <linkspan/describe/check.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/types.hpp>

#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace fuzzed {

enum class unit { celsius, fahrenheit };
LINKSPAN_ENUM(unit, (celsius), (fahrenheit, "Fahrenheit"))

struct circle {
    linkspan::literal<"circle"> kind;
    double radius;
};
LINKSPAN_STRUCT(circle, (kind), (radius, min{0}))

struct square {
    linkspan::literal<"square"> kind;
    float side;
};
LINKSPAN_STRUCT((square, closed), (kind), (side, above{0}))

struct node {
    std::string label;
    std::vector<node> children;
    std::optional<linkspan::box<node>> next;
    std::variant<std::string, std::vector<node>, std::map<std::string, node>> more;
};
LINKSPAN_STRUCT(node, (label, max_length{9}), (children), (next), (more))

struct everything {
    bool truth;
    std::int64_t number;
    std::uint8_t small;
    std::string text;
    std::optional<unit> scale;
    std::vector<std::string> texts;
    std::set<int> numbers;
    std::array<double, 2> pair;
    std::tuple<int, std::string> tuple;
    std::map<std::string, double> map;
    linkspan::nullable<std::string> nullable;
    linkspan::one_or_many<int> many;
    std::variant<circle, square, std::string, bool> shape;
    std::optional<node> tree;
    linkspan::constant<5> five;
    boost::json::value free;
    linkspan::rest<int> others;
};
LINKSPAN_STRUCT(everything, (truth), (number, multiple_of{2}), (small), (text, pattern{"^a+b?$"}), (scale),
                (texts, unique_items, max_items{3}), (numbers), (pair), (tuple), (map, min_properties{1}), (nullable),
                (many), (shape), (tree), (five), (free), (others))

} // namespace fuzzed

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size)
{
    auto const require = [](bool holds) {
        if (!holds)
            std::abort();
    };
    fuzzed::everything read{}, again{};
    linkspan::mismatches problems;
    if (!decode(read, std::string_view(reinterpret_cast<char const*>(bytes), size), problems)) {
        require(!problems.empty() && problems.size() <= linkspan::max_mismatches);
        return 0;
    }
    require(problems.empty() && check(read, problems));
    auto const text = linkspan::encode(read);
    require(decode(again, std::string_view(text), problems));
    require(linkspan::encode(again) == text);
    return 0;
}
