// error: linkspan: an object note (min_properties, max_properties) requires a member that is an object
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/struct.hpp>

struct place {
    std::optional<std::string> city;
};

LINKSPAN_STRUCT(place, (city))

struct journey {
    place to;
};

LINKSPAN_STRUCT(journey, (to, min_properties{1}))

bool is_good(journey const& some, linkspan::mismatches& problems) { return linkspan::check(some, problems); }
