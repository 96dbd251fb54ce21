// error: linkspan: two members of a struct have the same name in JSON
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>

struct forecast {
    int days;
    int count;
};

LINKSPAN_STRUCT(forecast, (days), (count, named{"days"}))

static_assert(!linkspan::schema_text<forecast>.empty());
