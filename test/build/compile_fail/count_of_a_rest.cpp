// error: linkspan: a note counts the members of an object, and its member is none
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

struct labels {
    linkspan::rest<int> numbers;
};

LINKSPAN_STRUCT(labels, (numbers, max_properties{3}))

bool is_good(labels const& some, linkspan::mismatches& problems) { return linkspan::check(some, problems); }
