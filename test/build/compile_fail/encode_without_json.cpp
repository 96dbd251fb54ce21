// error: linkspan: this type has no JSON representation: describe it with LINKSPAN_STRUCT
#include <linkspan/describe/encode.hpp>

struct date {
    int year;
};

std::string misuse(date const& value) { return linkspan::encode(value); }
