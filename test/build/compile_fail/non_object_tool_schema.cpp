// error: linkspan: the schema of a tool must describe an object: use a struct, a map, or a variant of structs
#include <linkspan/describe/schema_of.hpp>

static_assert(!linkspan::schema_text<std::vector<int>>.empty());
