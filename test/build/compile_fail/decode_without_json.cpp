// error: linkspan: this type has no JSON representation: describe it with LINKSPAN_STRUCT
#include <linkspan/describe/decode.hpp>

struct date {
    int year;
};

bool misuse(date& out, linkspan::mismatches& problems) { return linkspan::decode(out, "{}", problems); }
