// error: linkspan: a struct must have at most one rest
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>

struct labels {
    linkspan::rest<int> numbers;
    linkspan::rest<std::string> texts;
};

LINKSPAN_STRUCT(labels, (numbers), (texts))

static_assert(!linkspan::schema_text<labels>.empty());
