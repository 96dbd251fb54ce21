#include <linkspan/connector/detail/catalog_builder.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catalog_entries.hpp"

BOOST_AUTO_TEST_SUITE(catalog_builder_test)

using linkspan::catalog;
using linkspan::catalog_entry;
using linkspan::detail::catalog_builder;
using linkspan::detail::tool_snapshot;
using linkspan::test::entry;
using kind = catalog::match::kind;
using tool_list = std::vector<catalog_entry>;
namespace data = boost::unit_test::data;

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

tool_snapshot list_of(tool_list entries) { return std::make_shared<tool_list const>(std::move(entries)); }

// Returns servers with tools whose names, groups, exposed names, schemas and priorities are frequently equal.
std::vector<tool_snapshot> random_lists(unsigned seed)
{
    std::mt19937 random(seed);
    auto const draw = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    auto const names = 1 + draw(12), schemas = 1 + draw(3), priorities = 1 + draw(3), groups = draw(4);
    std::vector<tool_snapshot> out;
    auto const servers = draw(6);
    for (unsigned server = 0; server != servers; ++server) {
        tool_list list;
        for (auto left = draw(8); left != 0; --left) {
            // Some own names are equal to groups or exposed names of other tools.
            auto const name = draw(20) == 0   ? "g" + std::to_string(draw(3))
                              : draw(20) == 0 ? "x" + std::to_string(draw(3))
                                              : "t" + std::to_string(draw(names));
            auto one = entry(server, name);
            one.input = linkspan::fingerprint::of_input(std::to_string(draw(schemas)));
            one.priority = static_cast<int>(draw(priorities));
            one.accepts_own_name = draw(4) != 0;
            if (groups != 0 && draw(3) == 0)
                one.group = "g" + std::to_string(draw(groups));
            if (draw(5) == 0)
                one.exposed = draw(3) == 0 ? name : draw(3) == 0 ? "" : "x" + std::to_string(draw(3));
            list.push_back(std::move(one));
        }
        out.push_back(draw(8) == 0 ? nullptr : list_of(std::move(list)));
    }
    return out;
}

// Returns the entries of all lists.
tool_list entries_of(std::vector<tool_snapshot> const& lists)
{
    tool_list out;
    for (auto const& list : lists)
        if (list)
            out.insert(out.end(), list->begin(), list->end());
    return out;
}

// The definition of names in the documentation of `catalog`, without tables and without steps.
struct expected_catalog {
    struct meaning {
        kind what = kind::unknown;
        std::vector<std::uint32_t> entries;

        bool operator==(meaning const&) const = default;
    };

    std::vector<catalog_entry> entries;
    std::vector<std::string> collisions;
    std::set<std::uint32_t> shared; // entries that share a name with another entry
    std::map<std::string, meaning> own, groups, made;

    expected_catalog(std::vector<catalog_entry> given, bool is_only_server) : entries(std::move(given))
    {
        for (std::uint32_t i = 0; i != entries.size(); ++i) {
            own[entries[i].tool->name].entries.push_back(i);
            if (!entries[i].group.empty())
                groups[entries[i].group].entries.push_back(i);
            if (!entries[i].exposed.empty() && entries[i].exposed != entries[i].tool->name)
                made[entries[i].exposed].entries.push_back(i);
        }
        for (auto* const table : {&own, &groups, &made})
            for (auto& [name, found] : *table) {
                found.what = found.entries.size() == 1 ? kind::one : kind::ambiguous;
                if (found.entries.size() > 1)
                    shared.insert(found.entries.begin(), found.entries.end());
            }
        for (auto& [name, found] : own) {
            auto const has_same_input = [&](auto i) { return entries[i].input == entries[found.entries[0]].input; };
            if (found.entries.size() > 1 && std::ranges::all_of(found.entries, has_same_input))
                found.what = kind::group;
        }
        for (auto& [name, found] : groups)
            found.what = found.entries.size() == 1 ? kind::one : kind::group;
        for (auto& [name, found] : own) {
            auto const group = entries[found.entries[0]].group;
            auto const is_member = [&](auto i) { return entries[i].group == group; };
            if (!group.empty() && std::ranges::all_of(found.entries, is_member))
                found = groups[group];
        }
        for (auto const& [name, found] : made)
            if (found.what == kind::ambiguous) {
                collisions.push_back(name);
                for (auto const i : found.entries)
                    entries[i].exposed.clear();
            }
        for (std::uint32_t i = 0; i != entries.size(); ++i)
            entries[i].displays_own_name = displays_own_name(i, is_only_server);
    }

    meaning find(std::string const& name) const
    {
        for (auto const* const table : {&made, &groups, &own})
            if (auto const found = table->find(name); found != table->end())
                return found->second;
        return {};
    }

    bool displays_own_name(std::uint32_t i, bool is_only_server) const
    {
        auto const found = find(entries[i].tool->name);
        bool const is_clear = found.what == kind::group || (is_only_server && found.what == kind::one);
        return entries[i].accepts_own_name && (is_only_server || shared.contains(i)) && is_clear &&
               std::ranges::find(found.entries, i) != found.entries.end();
    }

    // Returns the entries with the highest priority.
    std::vector<std::uint32_t> preferred(meaning const& found) const
    {
        int highest = std::numeric_limits<int>::min();
        for (auto const i : found.entries)
            highest = std::max(highest, entries[i].priority);
        auto out = found.entries;
        std::erase_if(out, [&](auto i) { return entries[i].priority != highest; });
        return out;
    }
};

void check_equal(catalog const& all, expected_catalog const& expected)
{
    BOOST_REQUIRE(all.tools().size() == expected.entries.size());
    for (std::size_t i = 0; i != expected.entries.size(); ++i) {
        auto const& found = all.tools()[i];
        auto const& wanted = expected.entries[i];
        BOOST_TEST(found.tool == wanted.tool);
        BOOST_TEST(found.exposed == wanted.exposed);
        BOOST_TEST(found.displays_own_name == wanted.displays_own_name, found.tool->name);
        auto const* const named = all.find(wanted.server, wanted.tool->name);
        BOOST_REQUIRE(named);
        BOOST_TEST(named->tool->name == wanted.tool->name);
        BOOST_TEST((named->server == wanted.server));
    }
    auto const& collisions = all.collisions();
    BOOST_TEST(std::vector(collisions.begin(), collisions.end()) == expected.collisions,
               boost::test_tools::per_element());
    std::vector<std::string> names{"unknown", ""};
    for (auto const* const table : {&expected.own, &expected.groups, &expected.made})
        for (auto const& [name, found] : *table)
            names.push_back(name);
    for (auto const& name : names) {
        auto const found = all.find(name);
        auto const wanted = expected.find(name);
        BOOST_TEST((found.what == wanted.what), name);
        BOOST_TEST(std::vector(found.entries.begin(), found.entries.end()) == wanted.entries,
                   boost::test_tools::per_element());
        auto const preferred = all.preferred(found);
        BOOST_TEST(std::vector(preferred.begin(), preferred.end()) == expected.preferred(wanted),
                   boost::test_tools::per_element());
    }
}

// Builds a catalog, and returns the number of steps.
std::pair<catalog, std::size_t> build(std::vector<tool_snapshot> lists, bool is_only_server, std::size_t max_entries)
{
    catalog_builder builder(std::move(lists), is_only_server);
    std::size_t steps = 1;
    while (!builder.step(max_entries))
        ++steps;
    return {builder.take(), steps};
}

} // namespace

BOOST_AUTO_TEST_CASE(catalog_is_independent_of_the_size_of_the_steps)
{
    for (unsigned seed = 0; seed != 400; ++seed) {
        auto const lists = random_lists(seed);
        bool const is_only_server = lists.size() == 1;
        expected_catalog const expected(entries_of(lists), is_only_server);
        for (std::size_t const max_entries : {std::size_t{1}, std::size_t{1 + seed % 7}, std::size_t{30}, unlimited})
            BOOST_TEST_CONTEXT("seed " << seed << ", steps of " << max_entries)
                check_equal(build(lists, is_only_server, max_entries).first, expected);
        BOOST_TEST_CONTEXT("seed " << seed << ", constructor of the catalog")
            check_equal(catalog(entries_of(lists), is_only_server), expected);
    }
}

BOOST_AUTO_TEST_CASE(small_catalog_is_built_in_one_step)
{
    std::vector const lists{list_of({entry(0, "a"), entry(0, "b")}), list_of({entry(1, "a"), entry(1, "c")})};
    BOOST_TEST(build(lists, false, 4).second == 1u);
    BOOST_TEST(build(lists, false, 3).second > 1u);
    BOOST_TEST(build({}, false, 1).second == 1u);
    BOOST_TEST(build({nullptr, list_of({})}, false, 1).second == 1u);
}

// Distinct names need one pass; shared names need a pass over the names, and two further passes over the entries.
BOOST_AUTO_TEST_CASE(steps_are_bounded_by_the_number_of_entries)
{
    std::vector<tool_snapshot> distinct, equal;
    for (unsigned server = 0; server != 10; ++server) {
        auto const number = std::to_string(server);
        distinct.push_back(list_of({entry(server, "a" + number), entry(server, "b" + number)}));
        equal.push_back(list_of({entry(server, "a"), entry(server, "b")}));
    }
    BOOST_TEST(build(distinct, false, 1).second == 20u);
    BOOST_TEST(build(distinct, false, 10).second == 2u);
    BOOST_TEST(build(equal, false, 1).second == 62u);
    BOOST_TEST(build(equal, false, 10).second == 7u);
}

BOOST_AUTO_TEST_CASE(list_that_is_replaced_during_the_build_does_not_change_the_catalog)
{
    auto changed = list_of({entry(0, "a"), entry(0, "b")});
    std::weak_ptr const weak = changed;
    catalog_builder builder({changed, list_of({entry(1, "c")})}, false);
    BOOST_TEST(!builder.step(1));
    changed = list_of({entry(0, "d")});
    while (!builder.step(1))
        continue;
    auto const all = builder.take();
    BOOST_TEST((all.find("b").what == kind::one));
    BOOST_TEST((all.find("d").what == kind::unknown));
    BOOST_TEST(weak.expired()); // the catalog has copies
}

BOOST_AUTO_TEST_CASE(unfinished_build_releases_its_lists)
{
    auto list = list_of({entry(0, "a"), entry(0, "a"), entry(0, "b")});
    std::weak_ptr const weak = list;
    {
        catalog_builder builder({std::move(list)}, true);
        BOOST_TEST(!builder.step(2));
    }
    BOOST_TEST(weak.expired());
}

BOOST_AUTO_TEST_SUITE_END()
