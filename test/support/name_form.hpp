#ifndef LINKSPAN_TEST_SUPPORT_NAME_FORM_HPP
#define LINKSPAN_TEST_SUPPORT_NAME_FORM_HPP

#include <linkspan/model/elicitation.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns a request of a server that asks the user for a name.
inline elicit_request name_form()
{
    elicit_request out;
    out.message = "Who?";
    out.requested_schema = R"({"type":"object","properties":{"name":{"type":"string"}}})";
    return out;
}

} // namespace linkspan::test

#endif
