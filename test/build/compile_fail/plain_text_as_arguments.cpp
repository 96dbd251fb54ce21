// error: linkspan: a plain string does not convert to arguments
#include <linkspan/connector.hpp>

void misuse(linkspan::connector_base& hub)
{
    hub.async_call("add", R"({"a": 2})", [](linkspan::error_code, linkspan::call_result const&) {});
}
