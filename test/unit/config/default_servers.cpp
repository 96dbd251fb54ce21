#include <linkspan/config/default_servers.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "support/folder.hpp"

BOOST_AUTO_TEST_SUITE(default_servers_test)

using namespace linkspan;
using texts = std::vector<std::string>;

namespace fs = std::filesystem;

namespace {

// Changes the owner of the path and returns it. Without root access, returns a path that does not exist.
std::string chowned(fs::path const& path)
{
    return ::chown(path.c_str(), 4711, 4711) == 0 ? path.string() : std::string("/nowhere");
}

} // namespace

BOOST_AUTO_TEST_CASE(default_servers_are_github_brave_and_filesystem)
{
    auto const config = default_servers();
    BOOST_TEST(config.problems.empty());
    BOOST_TEST_REQUIRE(config.servers.size() == 3u);
    auto const &github = config.servers[0], &brave = config.servers[1], &files = config.servers[2];
    BOOST_TEST(github.name == "github");
    BOOST_TEST(github.command == "uvx");
    BOOST_TEST(github.args == (texts{"mcp-server-github"}), boost::test_tools::per_element());
    BOOST_TEST((github.env == std::map<std::string, std::string>{{"GITHUB_TOKEN", "${GITHUB_TOKEN}"}}));
    BOOST_TEST(brave.name == "brave");
    BOOST_TEST(brave.command == "uvx");
    BOOST_TEST(brave.args == (texts{"mcp-server-brave-search"}), boost::test_tools::per_element());
    BOOST_TEST((brave.env == std::map<std::string, std::string>{{"BRAVE_API_KEY", "${BRAVE_API_KEY}"}}));
    auto const directory = (std::filesystem::temp_directory_path() / "hyvve").string();
    BOOST_TEST(files.name == "filesystem");
    BOOST_TEST(files.command == "uvx");
    BOOST_TEST(files.args == (texts{"mcp-server-filesystem", directory}), boost::test_tools::per_element());
    BOOST_TEST(files.env.empty());
    for (auto const& server : config.servers) {
        BOOST_TEST(server.options.enabled);
        BOOST_TEST((server.expansion == expand::whole_value));
        BOOST_TEST(!server.description.empty());
    }
}

BOOST_AUTO_TEST_CASE(directory_of_the_filesystem_server_is_a_parameter)
{
    BOOST_TEST(default_servers("/srv/shared").servers[2].args[1] == "/srv/shared");
}

BOOST_AUTO_TEST_CASE(private_folder_is_created_with_owner_permissions)
{
    observe::folder const temporary;
    auto const made = fs::path(temporary.path()) / "made";
    auto const mask = ::umask(0);
    BOOST_TEST(detail::create_private_folder(made.string()) == "");
    ::umask(mask);
    BOOST_TEST((fs::status(made).permissions() == fs::perms::owner_all));
    BOOST_TEST(detail::create_private_folder(made.string() + "/") == ""); // the folder exists
}

BOOST_AUTO_TEST_CASE(folder_of_another_user_or_through_a_link_is_rejected)
{
    observe::folder const temporary;
    fs::path const path = temporary.path();
    auto const target = path / "target", link = path / "link", file = path / "file";
    fs::create_directory(target);
    fs::create_directory_symlink(target, link);
    std::ofstream(file) << "text";
    auto const why = [](fs::path const& at) { return detail::create_private_folder(at.string()); };
    BOOST_TEST(why(link) == "folder '" + link.string() + "' cannot be used: symbolic link, expected a folder");
    BOOST_TEST(detail::create_private_folder(link.string() + "/") == why(link));
    BOOST_TEST(why(file) == "folder '" + file.string() + "' cannot be used: expected a folder");
    BOOST_TEST(why(path / "no" / "folder").ends_with("No such file or directory"));
    std::string const of_another = ::geteuid() == 0 ? chowned(target) : "/";
    BOOST_TEST(why(of_another).find("owned by user ") != std::string::npos, why(of_another));
}

BOOST_AUTO_TEST_CASE(default_servers_are_independent_copies)
{
    auto mine = default_servers();
    mine.servers[0].env["GITHUB_TOKEN"] = "changed";
    mine.servers.clear();
    BOOST_TEST(default_servers().servers.at(0).env.at("GITHUB_TOKEN") == "${GITHUB_TOKEN}");
}

BOOST_AUTO_TEST_CASE(default_servers_are_extended_by_merging)
{
    auto const config = default_servers() | connector_config::from_json(
                                                R"({"servers":{"mine":{"command":"m","inherit_env":"safe"},
                                                    "brave":{"command":"b","inherit_env":"safe","enabled":false}},
                                                    "default_timeout":60})",
                                                "mine.json");
    BOOST_TEST(config.problems.empty());
    BOOST_TEST_REQUIRE(config.servers.size() == 4u);
    BOOST_TEST(config.servers[1].command == "b");
    BOOST_TEST(!config.servers[1].options.enabled);
    BOOST_TEST(config.servers[1].origin == "mine.json");
    BOOST_TEST(config.servers[0].origin == "default servers");
    for (auto const& server : config.servers)
        BOOST_TEST((server.options.session.idle_timeout == std::chrono::seconds(60)));
}

BOOST_AUTO_TEST_SUITE_END()
