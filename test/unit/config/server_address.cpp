#include <linkspan/config/server_config.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(server_address_test)

namespace data = boost::unit_test::data;
using namespace linkspan;
using words = std::vector<std::string>;

struct address_row {
    char const* text;
    char const* name;
    char const* url;
    http_framing framing;

    friend std::ostream& operator<<(std::ostream& out, address_row const& row) { return out << row.text; }
};

static address_row const address_rows[] = {
    {"http://localhost:8080/mcp", "localhost:8080", "http://localhost:8080/mcp", http_framing::automatic},
    {"https://example.com", "example.com", "https://example.com", http_framing::automatic},
    {"https://example.com?key=1", "example.com", "https://example.com?key=1", http_framing::automatic},
    {"https://example.com#part", "example.com", "https://example.com#part", http_framing::automatic},
    {"http://example.com/sse", "example.com", "http://example.com/sse", http_framing::sse},
    {"http://example.com/sse?key=1", "example.com", "http://example.com/sse?key=1", http_framing::sse},
    {"http://example.com/mcp?next=/sse", "example.com", "http://example.com/mcp?next=/sse", http_framing::automatic},
};

BOOST_DATA_TEST_CASE(http_address_yields_server_named_after_its_host, data::make(address_rows))
{
    for (auto const& server : {server_config::from_url(sample.text), server_config::from_string(sample.text)}) {
        BOOST_TEST(server.name == sample.name);
        BOOST_TEST(server.url == sample.url);
        BOOST_TEST((server.framing == sample.framing));
        BOOST_TEST(server.command.empty());
        BOOST_TEST(server.unix_socket.empty());
    }
}

BOOST_AUTO_TEST_CASE(credentials_in_address_are_not_part_of_the_name)
{
    auto const server = server_config::from_url("https://user:hunter2@p@example.com/mcp");
    BOOST_TEST(server.name == "example.com");
    BOOST_TEST(to_string(server).find("hunter2") == std::string::npos);
    BOOST_CHECK_THROW(server_config::from_url("https://user:hunter2@/mcp"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(unix_address_has_socket_path_and_http_path)
{
    auto const plain = server_config::from_url("unix:/run/servers/weather.sock");
    BOOST_TEST(plain.name == "weather.sock");
    BOOST_TEST(plain.unix_socket == "/run/servers/weather.sock");
    BOOST_TEST(plain.url == "http://localhost/mcp");
    auto const other = server_config::from_string(" unix:///run/a%20b?path=/other%2Fplace ");
    BOOST_TEST(other.unix_socket == "/run/a b");
    BOOST_TEST(other.url == "http://localhost/other/place");
}

BOOST_AUTO_TEST_CASE(command_address_yields_command_and_arguments)
{
    auto const server = server_config::from_url("command:///usr/bin/server?arg=--root&arg=/my%20files&arg=a%3Db%26c");
    BOOST_TEST(server.name == "server");
    BOOST_TEST(server.command == "/usr/bin/server");
    BOOST_TEST((server.args == words{"--root", "/my files", "a=b&c"}));
    auto const odd = server_config::from_url("command://server?arg=100%&arg=%zz&arg=");
    BOOST_TEST((odd.args == words{"100%", "%zz", ""}));
}

struct command_row {
    char const* text;
    char const* command;
    words args;

    friend std::ostream& operator<<(std::ostream& out, command_row const& row) { return out << row.text; }
};

static command_row const command_rows[] = {
    {"server", "server", {}},
    {"  server  --root\t/files \n", "server", {"--root", "/files"}},
    {"server --root '/my files'", "server", {"--root", "/my files"}},
    {R"(server "a b" 'c "d"' "e 'f'")", "server", {"a b", "c \"d\"", "e 'f'"}},
    {R"(server a\ b "c\"d" 'e\f')", "server", {"a b", "c\"d", "e\\f"}},
    {R"(server pre'fix ed'post "")", "server", {"prefix edpost", ""}},
    {"'/my programs/server' x", "/my programs/server", {"x"}},
    {"server $HOME * ; rm | cat > x & `y`", "server", {"$HOME", "*", ";", "rm", "|", "cat", ">", "x", "&", "`y`"}},
    {"npx proxy https://example.com/mcp", "npx", {"proxy", "https://example.com/mcp"}},
    {"server \\", "server", {"\\"}},
};

BOOST_DATA_TEST_CASE(text_without_scheme_is_a_command_without_shell, data::make(command_rows))
{
    auto const server = server_config::from_string(sample.text);
    BOOST_TEST(server.command == sample.command);
    BOOST_TEST(server.args == sample.args, boost::test_tools::per_element());
    BOOST_TEST(server.url.empty());
}

static std::string_view const wrong[] = {
    "",
    "   ",
    "''",
    "server 'open",
    "server \"open",
    "ftp://hunter2.example",
    "http://",
    "https:///mcp",
    "unix:",
    "unix:/",
    "unix:/run/x?hunter2=1",
    "unix:/run/x?path=hunter2",
    "unix:/run/x?hunter2",
    "command://",
    "command://server?hunter2",
    "command://server?hunter2=1",
    std::string_view("http://hunter2.example/\0x", 25),
    std::string_view("server hunter2\0x", 16),
};

BOOST_DATA_TEST_CASE(invalid_address_is_rejected_without_quoting_it, data::make(wrong))
{
    try {
        server_config::from_string(sample);
        BOOST_ERROR("the address was accepted");
    } catch (std::invalid_argument const& rejected) {
        std::string const what = rejected.what();
        BOOST_TEST(what.starts_with("linkspan: "), what);
        BOOST_TEST(what.find("hunter2") == std::string::npos, what);
    }
}

BOOST_AUTO_TEST_CASE(address_without_scheme_is_rejected_by_from_url)
{
    for (auto const* const text : {"", "server --root /files", "example.com/mcp", "/run/x.sock"})
        BOOST_CHECK_THROW(server_config::from_url(text), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
