// error: linkspan: a note names a member that the struct does not describe
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>

#include <string>

struct forecast {
    std::string city;
    int days;
};

BOOST_DESCRIBE_STRUCT(forecast, (), (city))
LINKSPAN_NOTES(forecast, (days, "How many"))

static_assert(!linkspan::schema_text<forecast>.empty());
