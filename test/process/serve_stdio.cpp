// A server over standard streams that are files.

#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/server.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

#include "support/folder.hpp"

BOOST_AUTO_TEST_SUITE(serve_stdio_test)

namespace {

using linkspan::detail::unique_fd;

std::string content_of(std::string const& path)
{
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The standard streams of this process, replaced by files until the destruction.
class replaced_streams {
public:
    replaced_streams(std::string const& input, std::string const& output, std::string const& errors)
    {
        unique_fd const in(::open(input.c_str(), O_RDONLY | O_CLOEXEC));
        unique_fd const out(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        unique_fd const err(::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        BOOST_TEST_REQUIRE((in && out && err));
        ::dup2(in.get(), STDIN_FILENO);
        ::dup2(out.get(), STDOUT_FILENO);
        ::dup2(err.get(), STDERR_FILENO);
    }

    ~replaced_streams()
    {
        ::dup2(in_.get(), STDIN_FILENO);
        ::dup2(out_.get(), STDOUT_FILENO);
        ::dup2(err_.get(), STDERR_FILENO);
    }

private:
    unique_fd in_{::dup(STDIN_FILENO)}, out_{::dup(STDOUT_FILENO)}, err_{::dup(STDERR_FILENO)};
};

struct served_files {
    observe::folder folder{};
    std::string output{}, errors{}; // contents of both files after serve()

    // Serves an input until the event loop has no more work.
    void serve(std::string const& input, std::function<void(linkspan::error_code)> on_end)
    {
        auto const out = folder.path() + "/output";
        serve(input, std::move(on_end), out);
        output = content_of(out);
    }

    // Writes the output to another file.
    void serve(std::string const& input, std::function<void(linkspan::error_code)> on_end, std::string const& out,
               linkspan::standard_streams_config config = {})
    {
        auto const err = folder.path() + "/errors";
        {
            replaced_streams const replaced(input, out, err);
            boost::asio::io_context context;
            linkspan::server server(context.get_executor(), {.name = "own"});
            linkspan::serve_stdio(server, std::move(on_end), config);
            context.run();
        }
        errors = content_of(err);
    }
};

// An empty function for the end is not ambiguous.
static_assert(requires(linkspan::server & what) { linkspan::serve_stdio(what, {}); });

} // namespace

BOOST_AUTO_TEST_CASE(regular_file_as_input_is_served)
{
    served_files files;
    auto const input = files.folder.add("input",
                                        R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                                        "\n",
                                        std::filesystem::perms::owner_all);
    std::optional<linkspan::error_code> end;
    files.serve(input, [&end](linkspan::error_code ec) { end = ec; });
    BOOST_TEST((end == linkspan::error_code()));
    BOOST_TEST(files.output == R"({"jsonrpc":"2.0","id":1,"result":{}})"
                               "\n");
    files.serve(input, {});
    BOOST_TEST(files.errors == "");
}

BOOST_AUTO_TEST_CASE(error_of_the_streams_is_reported_on_standard_error_unless_the_program_handles_the_end)
{
    served_files files;
    files.serve(files.folder.path(), {});
    BOOST_TEST(files.errors == "linkspan: serving standard input and output failed: Is a directory\n");
    std::optional<linkspan::error_code> end;
    files.serve(files.folder.path(), [&end](linkspan::error_code ec) { end = ec; });
    BOOST_TEST((end == boost::system::errc::is_a_directory));
    BOOST_TEST(files.errors == "");
}

BOOST_AUTO_TEST_CASE(error_of_the_output_ends_the_connection_and_is_reported)
{
    served_files files;
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    unique_fd const in(ends[0]), client(ends[1]); // the client keeps the input open
    constexpr std::string_view ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    BOOST_TEST_REQUIRE(::write(client.get(), ping.data(), ping.size()) == static_cast<ssize_t>(ping.size()));
    auto const input = "/proc/self/fd/" + std::to_string(in.get());
    files.serve(input, {}, "/dev/full");
    BOOST_TEST(files.errors == "linkspan: serving standard input and output failed: No space left on device\n");
    BOOST_TEST_REQUIRE(::write(client.get(), ping.data(), ping.size()) == static_cast<ssize_t>(ping.size()));
    std::optional<linkspan::error_code> end;
    files.serve(
        input, [&end](linkspan::error_code ec) { end = ec; }, "/dev/full");
    BOOST_TEST((end == boost::system::errc::no_space_on_device));
}

BOOST_AUTO_TEST_CASE(line_that_exceeds_the_configured_length_ends_the_connection)
{
    served_files files;
    std::string const ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    auto const input = files.folder.add("input", ping + "\n", std::filesystem::perms::owner_all);
    auto const output = files.folder.path() + "/output";
    std::optional<linkspan::error_code> end;
    auto const on_end = [&end](linkspan::error_code ec) { end = ec; };
    files.serve(input, on_end, output, {.max_line = ping.size()});
    BOOST_TEST((end == linkspan::error_code()));
    BOOST_TEST(content_of(output) == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    files.serve(input, on_end, output, {.max_line = ping.size() - 1});
    BOOST_TEST((end == linkspan::error::line_too_long));
    BOOST_TEST(content_of(output) == "");
}

BOOST_AUTO_TEST_SUITE_END()
