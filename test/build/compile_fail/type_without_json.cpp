// error: linkspan: this type has no JSON representation: describe it with LINKSPAN_STRUCT
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>

struct date {
    int year;
};

struct forecast {
    date day;
};

LINKSPAN_STRUCT(forecast, (day))

static_assert(!linkspan::schema_text<forecast>.empty());
