// error: linkspan: this type has no JSON representation: describe it with LINKSPAN_STRUCT
#include <linkspan.hpp>

struct operands {
    double a = 0, b = 0;
};

void misuse(linkspan::connector_base& hub)
{
    linkspan::typed_tool<"add", operands, double> const add;
    operands numbers;
    hub.on_server("a").async_call(add, numbers, [](linkspan::error_code, linkspan::typed_result<double>) {});
}
