#ifndef LINKSPAN_TEST_SUPPORT_GOLDEN_HPP
#define LINKSPAN_TEST_SUPPORT_GOLDEN_HPP

// Comparison of the messages between a client and a server process with the files of test/golden.

#include <linkspan/transport/stdio.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "folder.hpp"

namespace harness {

// Copies of the messages of a server process.
class recorded_messages {
public:
    // Returns the configuration of the server, with programs that copy its input and its output.
    linkspan::stdio_config around(linkspan::stdio_config server) const
    {
        server.args.insert(server.args.begin(),
                           {"-c", R"(requests=$1 responses=$2; shift 2; tee "$requests" | "$@" | tee "$responses")",
                            "sh", requests(), responses(), std::exchange(server.command, "/bin/sh")});
        return server;
    }

    // Compares the only request with this method, and the response to it, with NAME.request.json and
    // NAME.response.json. The client is shut down before.
    void expect_golden(std::string const& name, std::string const& method) const
    {
        auto const request = line_with(requests(), "\"method\":\"" + method + "\"");
        auto const id = request.substr(0, request.find(',', request.find("\"id\":")));
        auto const response = line_with(responses(), id.substr(id.find("\"id\":")) + ",\"result\":{\"content\"");
        BOOST_TEST(request == golden(name + ".request.json"));
        BOOST_TEST(response == golden(name + ".response.json"));
    }

private:
    std::string requests() const { return files_.path() + "/requests"; }
    std::string responses() const { return files_.path() + "/responses"; }

    // Returns the only line with a text, with its line end.
    static std::string line_with(std::string const& path, std::string const& part)
    {
        std::ifstream in(path, std::ios::binary);
        std::string out;
        int count = 0;
        for (std::string line; std::getline(in, line);) {
            if (line.find(part) != line.npos) {
                out = line + '\n';
                ++count;
            }
        }
        BOOST_TEST(count == 1, path << ": " << count << " lines with " << part);
        return out;
    }

    static std::string golden(std::string const& name)
    {
        std::ifstream in(std::getenv("LINKSPAN_TEST_DIR") + ("/golden/" + name), std::ios::binary);
        BOOST_TEST(in.is_open(), name);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    observe::folder files_;
};

} // namespace harness

#endif
