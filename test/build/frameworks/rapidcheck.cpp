// Properties of described structs. frameworks.cmake runs the program, and its failing properties, whose reports have
// the minimal values.

#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/rapidcheck.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

//[ rapidcheck
struct booking {
    std::string code, note;
    std::int64_t count = 0;
    std::optional<double> price;
    std::vector<std::int64_t> seats;
};
LINKSPAN_STRUCT(booking, (code, linkspan::note::pattern{"^[A-Z]{2}[0-9]+$"}), (note), (count, linkspan::note::min{5}),
                (price, linkspan::note::min{0.5}), (seats, linkspan::note::max_items{9}))
//]

// Returns the number of characters of a text in UTF-8.
std::ptrdiff_t length_of(std::string const& text)
{
    return std::ranges::count_if(text, [](char one) { return (static_cast<unsigned char>(one) & 0xC0U) != 0x80U; });
}

//[ rapidcheck_property
bool check_bookings()
{
    return rc::check("at most 10 seats, or a short note", [](booking const& value) {
        RC_ASSERT(value.count <= 10 || length_of(value.note) <= 3); // characters
    });
}
//]

// Each property is false for some values.
bool check_failing()
{
    bool is_true = check_bookings();
    is_true &= rc::check("low price", [](booking const& value) { RC_ASSERT(value.price.value_or(1) < 3); });
    is_true &= rc::check("few seats", [](booking const& value) { RC_ASSERT(value.seats.size() < 3); });
    is_true &= rc::check("short code", [](booking const& value) { RC_ASSERT(value.code.size() < 4); });
    is_true &= rc::check("no response is lost", [] {
        auto const plan = *linkspan::test::chaos_plans({"weather"});
        RC_ASSERT(std::ranges::count(plan.faults, linkspan::test::fault_kind::drop,
                                     &linkspan::test::chaos_fault::fault) == 0);
    });
    return is_true;
}

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "failing") == 0)
        return check_failing() ? 0 : 1;
    bool const is_true = rc::check("values satisfy the notes of their members", [](booking const& value) {
        RC_ASSERT(value.code.size() >= 3);
        RC_ASSERT(value.count >= 5);
        RC_ASSERT(value.price.value_or(1) >= 0.5);
        RC_ASSERT(value.seats.size() <= std::size_t(9));
    });
    return is_true ? 0 : 1;
}
