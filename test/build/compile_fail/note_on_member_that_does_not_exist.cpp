// error: linkspan: forecast has no member 'town' to describe or annotate
#include <linkspan/describe/struct.hpp>

#include <string>

struct forecast {
    std::string city;
};

BOOST_DESCRIBE_STRUCT(forecast, (), (city))
LINKSPAN_NOTES(forecast, (town, "Where it is"))
