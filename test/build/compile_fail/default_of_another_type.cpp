// error: linkspan: the default value of a member must have the type of the member
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/struct.hpp>

struct question {
    int days = 0;
};

LINKSPAN_STRUCT(question, (days, default_value{"3"}))

bool read(question& out, std::string_view text, linkspan::mismatches& problems)
{
    return linkspan::decode(out, text, problems);
}
