// error: linkspan: the function of a tool takes one described struct, or nothing
#include <linkspan/describe/local_tool.hpp>

linkspan::local_tool misuse()
{
    return {"add", "Adds", [](int a, int b) { return a + b; }};
}
