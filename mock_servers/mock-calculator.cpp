// mock-calculator [REVISION...]: an MCP server over standard streams that does sums; without arguments it speaks all
// revisions. `process_id` tells a test, or a tour, whom to kill.

#include <linkspan/revision.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <iostream>
#include <unistd.h>
#include <vector>

//[ program
int main(int argc, char** argv)
{
    std::vector<linkspan::revision> speaks;
    for (int i = 1; i < argc; ++i) {
        auto const named = linkspan::revision_from(argv[i]);
        if (!named) {
            std::cerr << "mock-calculator: '" << argv[i] << "' is no revision of MCP\n";
            return 2;
        }
        speaks.push_back(*named);
    }
    if (speaks.empty())
        for (auto const& known : linkspan::revisions)
            speaks.push_back(known.id);

    linkspan::test::scripted_server server(speaks);
    linkspan::test::make_calculator(server);
    server.tool("process_id", R"({"type":"object"})",
                [](std::string_view) { return linkspan::test::detail::number_result(::getpid()); });
    linkspan::test::serve_stdio(server);
}
//]
