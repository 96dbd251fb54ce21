#include <linkspan/connector/catalog.hpp>
#include <linkspan/policy/naming.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(naming_test)

using linkspan::naming::is_legal_name;
using linkspan::naming::legal_name;
namespace data = boost::unit_test::data;

namespace {

struct row {
    char const* server;
    char const* tool;
    char const* underscore;
    char const* qualified;
    char const* bare;
};

std::ostream& operator<<(std::ostream& out, row const& of) { return out << of.server << ", " << of.tool; }

constexpr row rows[] = {
    {"github", "search", "mcp_github_search", "github__search", "search"},
    {"github", "create_issue", "mcp_github_create_issue", "github__create_issue", "create_issue"},
    {"brave", "web_search", "mcp_brave_web_search", "brave__web_search", "web_search"},
    {"filesystem", "read_file", "mcp_filesystem_read_file", "filesystem__read_file", "read_file"},
    {"my_server", "tool", "mcp_my_server_tool", "my_server__tool", "tool"},
};

// Returns a random text of few different letters, including the separators of names, so that many texts are similar.
std::string some_text(std::mt19937& random, std::size_t longest)
{
    constexpr std::string_view letters[] = {"a", "b", "_", "__", ".", "-", "\xc3\xa4", " "};
    std::string out(1, 'x');
    for (auto left = random() % longest; left != 0; --left)
        out += letters[random() % std::size(letters)];
    return out;
}

using pair = std::pair<std::string, std::string>; // server and tool
using kind = linkspan::catalog::match::kind;

template<class Policy>
linkspan::catalog catalog_of(std::vector<std::string> const& servers, std::vector<pair> const& tools)
{
    std::vector<linkspan::catalog_entry> entries;
    for (auto const& server : servers)
        for (auto const& [owner, tool] : tools)
            if (owner == server) {
                auto& entry = entries.emplace_back();
                entry.server = linkspan::server_id{static_cast<std::uint32_t>(&server - servers.data())};
                entry.server_key = owner;
                linkspan::tool definition;
                definition.name = tool;
                entry.tool = std::make_shared<linkspan::tool const>(std::move(definition));
                entry.exposed = Policy().expose(owner, tool);
                if constexpr (requires { Policy().accepts_own_name(tool); })
                    entry.accepts_own_name = Policy().accepts_own_name(tool);
            }
    return linkspan::catalog(std::move(entries));
}

} // namespace

BOOST_DATA_TEST_CASE(legal_names_are_exposed_unchanged_or_qualified, data::make(rows))
{
    BOOST_TEST(linkspan::naming::mcp_underscore().expose(sample.server, sample.tool) == sample.underscore);
    BOOST_TEST(linkspan::qualified().expose(sample.server, sample.tool) == sample.qualified);
    BOOST_TEST(linkspan::naming::bare().expose(sample.server, sample.tool) == sample.bare);
}

BOOST_AUTO_TEST_CASE(display_and_dotted_names_are_not_sanitized)
{
    BOOST_TEST(linkspan::naming::display().expose("My Slack", "send_message") == "My Slack: send_message");
    BOOST_TEST(linkspan::naming::dotted().expose("db", "query_supabase") == "db.query_supabase");
}

BOOST_AUTO_TEST_CASE(legal_name_has_1_to_64_allowed_characters)
{
    BOOST_TEST(is_legal_name("aZ09_-"));
    BOOST_TEST(is_legal_name(std::string(64, 'a')));
    for (auto const& illegal : {std::string(), std::string(65, 'a'), std::string("a.b"), std::string("a b"),
                                std::string("\xc3\xa4"), std::string("a\0b", 3)})
        BOOST_TEST(!is_legal_name(illegal), illegal);
}

BOOST_AUTO_TEST_CASE(illegal_name_is_sanitized_and_gets_a_digest)
{
    // The first 8 digits of the SHA-256 of "db", a zero byte and "query.all".
    BOOST_TEST(linkspan::qualified().expose("db", "query.all") == "db__query_all_a9ec012f");
    auto const cut = linkspan::qualified().expose(std::string(40, 's'), std::string(40, 't'));
    BOOST_TEST(cut.size() == 64u);
    BOOST_TEST(cut.starts_with(std::string(40, 's') + "__" + std::string(13, 't') + "_"), cut);
    BOOST_TEST(linkspan::naming::bare().expose("a", "x.y") != linkspan::naming::bare().expose("b", "x.y"));
    BOOST_TEST(is_legal_name(legal_name("", "s", "t")));
}

using policies = std::tuple<linkspan::qualified, linkspan::naming::mcp_underscore, linkspan::naming::display,
                            linkspan::naming::dotted>;

BOOST_AUTO_TEST_CASE_TEMPLATE(exposed_names_are_unique_in_any_order_of_servers, policy, policies)
{
    std::mt19937 random(42);
    for (int round = 0; round != 200; ++round) {
        std::vector<std::string> servers;
        for (int i = 0; i != 5; ++i)
            if (auto key = some_text(random, 4); std::ranges::find(servers, key) == servers.end())
                servers.push_back(std::move(key));
        std::vector<pair> tools;
        for (int i = 0; i != 40; ++i) {
            pair one(servers[random() % servers.size()], some_text(random, random() % 4 == 0 ? 60 : 4));
            if (std::ranges::find(tools, one) == tools.end())
                tools.push_back(std::move(one));
        }
        auto const names_of = [](linkspan::catalog const& all) {
            std::map<std::string, pair> names;
            for (auto const& entry : all.tools()) {
                if (auto const& shown = entry.display_name(); !shown.empty()) {
                    auto const meant = all.find(shown);
                    BOOST_TEST((meant.what == kind::one || meant.what == kind::group), shown);
                    auto const index = static_cast<std::uint32_t>(&entry - all.tools().data());
                    BOOST_TEST(std::ranges::count(meant.entries, index) == 1, shown);
                }
                if (entry.exposed.empty())
                    continue;
                BOOST_TEST(names.emplace(entry.exposed, pair(entry.server_key, entry.tool->name)).second,
                           entry.exposed);
                auto const found = all.find(entry.exposed);
                BOOST_TEST((found.what == kind::one));
                BOOST_TEST(&all.tools()[found.entries.front()] == &entry);
            }
            return names;
        };
        auto const all = catalog_of<policy>(servers, tools);
        auto const names = names_of(all);
        std::ranges::reverse(servers);
        auto const reversed = catalog_of<policy>(servers, tools);
        BOOST_TEST((names_of(reversed) == names));
        BOOST_TEST(std::ranges::equal(reversed.collisions(), all.collisions()));
        // Each tool without an exposed name is part of a collision, and each collision has at least two tools.
        BOOST_TEST(names.size() + 2 * all.collisions().size() <= tools.size());
        BOOST_TEST((all.collisions().empty() == (names.size() == tools.size())));
    }
}

BOOST_AUTO_TEST_SUITE_END()
