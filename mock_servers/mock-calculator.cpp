// mock-calculator [REVISION...]: an MCP server over standard streams that does sums; without arguments it speaks all
// revisions. `process_id` tells a test, or a tour, whom to kill.

#include <linkspan/test/calculator.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <string>
#include <string_view>
#include <unistd.h>

#include "revisions.hpp"

//[ program
int main(int argc, char** argv)
{
    linkspan::test::scripted_server server(revisions_from(argc, argv, 1));
    linkspan::test::make_calculator(server);
    server.tool("process_id", R"({"type":"object"})", [](std::string_view) {
        return R"("content":[{"type":"text","text":")" + std::to_string(::getpid()) + R"("}])";
    });
    linkspan::test::serve_stdio(server);
}
//]
