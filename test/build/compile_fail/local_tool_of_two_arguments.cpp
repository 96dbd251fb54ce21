// error: linkspan: the function of a tool must have at most one parameter, a described struct
#include <linkspan/describe/local_tool.hpp>

linkspan::local_tool misuse()
{
    return {"add", "Adds", [](int a, int b) { return a + b; }};
}
