// error: linkspan: a numeric note (min, max, above, below, multiple_of) requires a member with numbers
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

struct question {
    std::string city;
};

LINKSPAN_STRUCT(question, (city, min{1}))

bool is_good(question const& value, linkspan::mismatches& problems) { return linkspan::check(value, problems); }
