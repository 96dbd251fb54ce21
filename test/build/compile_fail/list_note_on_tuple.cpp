// error: linkspan: a list note (min_items, max_items, unique_items) requires a list member
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

struct position {
    std::tuple<double, double> degrees;
};

LINKSPAN_STRUCT(position, (degrees, unique_items))

bool is_good(position const& some, linkspan::mismatches& problems) { return linkspan::check(some, problems); }
