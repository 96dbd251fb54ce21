// error: linkspan: a list note (min_items, max_items, unique_items) requires a list member
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

struct position {
    std::array<double, 2> degrees;
};

LINKSPAN_STRUCT(position, (degrees, min_items{1}))

bool is_good(position const& some, linkspan::mismatches& problems) { return linkspan::check(some, problems); }
