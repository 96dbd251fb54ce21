// error: linkspan: an object note (min_properties, max_properties) requires a member that is an object
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

struct labels {
    linkspan::rest<int> numbers;
};

LINKSPAN_STRUCT(labels, (numbers, max_properties{3}))

bool is_good(labels const& some, linkspan::mismatches& problems) { return linkspan::check(some, problems); }
