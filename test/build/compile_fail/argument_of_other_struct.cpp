// error: linkspan: arg: expected a member of a LINKSPAN_STRUCT with `tool` and `result_type`

#include <linkspan/describe/struct.hpp>
#include <linkspan/test/script/value_conditions.hpp>

#include <string>

struct place {
    std::string city;
};
LINKSPAN_STRUCT(place, (city))

void misuse() { linkspan::test::arg<&place::city>(linkspan::test::eq("Oslo")); }
