// linkspan-mock --script FILE [OPTION...]: an MCP server whose tools and behaviour are those of a script in the format
// linkspan-mock/1, over standard streams or HTTP. See usage() for the options; doc/mock-script.md describes the format.

#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/serve_http.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace linkspan::test;

namespace {

constexpr std::string_view usage = R"(usage: linkspan-mock --script FILE [OPTION...]

Serves the MCP server that the script describes, to the client that started this process.

  --http         serves HTTP on a free port of 127.0.0.1 instead, and writes the URL to stdout
  --seed NUMBER  replaces the seed of the script
  --check        only checks the script
  --schema       writes the JSON Schema of the format to stdout; no script is needed
  --help         writes this text

Exit status: 0 after the end of the client, 2 for a wrong command line or script, another one if the script says so.
)";

struct options {
    std::string script;
    std::optional<std::uint64_t> seed;
    bool http = false, check = false, schema = false, help = false;
};

options read_options(std::vector<std::string> const& words)
{
    options out;
    for (std::size_t i = 0; i != words.size(); ++i) {
        auto const& word = words[i];
        auto const value = [&]() -> std::string const& {
            if (++i == words.size())
                throw std::invalid_argument("option '" + word + "': expected a value");
            return words[i];
        };
        if (word == "--script") {
            out.script = value();
        } else if (word == "--seed") {
            auto const& digits = value();
            auto const* const end = digits.data() + digits.size();
            std::uint64_t seed = 0;
            if (auto const read = std::from_chars(digits.data(), end, seed);
                read.ec != std::errc() || read.ptr != end || digits.empty())
                throw std::invalid_argument("option '--seed': expected a number from 0 to 18446744073709551615, "
                                            "found '" +
                                            digits + "'");
            out.seed = seed;
        } else if (word == "--http") {
            out.http = true;
        } else if (word == "--check") {
            out.check = true;
        } else if (word == "--schema") {
            out.schema = true;
        } else if (word == "--help") {
            out.help = true;
        } else {
            throw std::invalid_argument("unknown option '" + word + "'");
        }
    }
    if (out.script.empty() && !out.schema && !out.help)
        throw std::invalid_argument("expected the option '--script FILE'");
    return out;
}

void run(options const& with)
{
    auto const script = mock_script::load(with.script);
    if (with.check)
        return;
    scripted_server server;
    script.add_to(server, with.seed);
    server.values().exit = [](int status) { std::_Exit(status); };
    if (with.http)
        serve_http(server);
    else
        serve_stdio(server);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        auto const with = read_options({argv + 1, argv + argc});
        if (with.help)
            std::cout << usage;
        else if (with.schema)
            std::cout << mock_script::schema() << '\n';
        else
            run(with);
        return 0;
    } catch (std::invalid_argument const& wrong) {
        std::cerr << "linkspan-mock: " << wrong.what() << "\n\n" << usage;
    } catch (std::exception const& failed) {
        std::cerr << failed.what() << '\n';
    }
    return 2;
}
