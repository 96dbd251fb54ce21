// error: linkspan: this type has no JSON representation
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>

struct grade {
    char letter;
};

LINKSPAN_STRUCT(grade, (letter))

static_assert(!linkspan::schema_text<grade>.empty());
