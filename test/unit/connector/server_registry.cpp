#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/server_registry.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(server_registry_test)

using linkspan::server_id;
using linkspan::server_options;
using linkspan::detail::server_entry;
using linkspan::detail::server_registry;

namespace {

struct fixture {
    // Returns a server without a session, which is staged.
    server_registry::pointer stage(std::string key)
    {
        auto server = std::make_shared<server_entry>(registry.next_id(), key, server_options(), context.get_executor());
        server->published->key = key;
        registry.register_server(server);
        return server;
    }

    server_registry::pointer add(std::string key)
    {
        auto server = stage(std::move(key));
        registry.add(server);
        return server;
    }

    // Returns the keys and the numbers of the current servers, such as "a0 b1", after comparing the copy for other
    // threads with them.
    std::string current() const
    {
        std::string out;
        auto const published = registry.published();
        BOOST_REQUIRE(published.size() == registry.order().size());
        for (std::size_t i = 0; i != published.size(); ++i) {
            auto const& server = registry.order()[i];
            BOOST_TEST(published[i] == server->published);
            BOOST_TEST(registry.find(server->key) == server);
            BOOST_TEST(registry.at(server->id) == server);
            (out += out.empty() ? "" : " ") += server->key + std::to_string(static_cast<unsigned>(server->id));
        }
        return out;
    }

    boost::asio::io_context context;
    server_registry registry;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(empty_set_finds_no_servers, fixture)
{
    BOOST_TEST(current() == "");
    BOOST_TEST(!registry.find("a"));
    BOOST_TEST(registry.keys().empty());
    BOOST_TEST(registry.suggestions("a").empty());
    BOOST_TEST((registry.next_id() == server_id{0}));
}

BOOST_FIXTURE_TEST_CASE(added_servers_are_found_by_key_and_id_in_the_order_of_addition, fixture)
{
    auto const b = add("b");
    auto const a = add("a");
    BOOST_TEST(current() == "b0 a1");
    BOOST_TEST(registry.find("a") == a);
    BOOST_TEST(registry.at(server_id{0}) == b);
    BOOST_TEST((registry.keys() == std::vector<std::string>{"b", "a"}));
}

BOOST_FIXTURE_TEST_CASE(staged_server_is_found_by_id_only, fixture)
{
    add("a");
    auto const staged = stage("b");
    BOOST_TEST(current() == "a0");
    BOOST_TEST(!registry.find("b"));
    BOOST_TEST(registry.at(server_id{1}) == staged);
    BOOST_TEST(registry.by_id().size() == 2u);
    BOOST_TEST(registry.removed().empty());
}

BOOST_FIXTURE_TEST_CASE(removed_server_is_listed_until_it_is_closed, fixture)
{
    auto const a = add("a");
    add("b");
    registry.remove(a);
    BOOST_TEST(current() == "b1");
    BOOST_TEST(!registry.find("a"));
    BOOST_TEST(!registry.at(server_id{0}));
    BOOST_REQUIRE(registry.removed().size() == 1u);
    BOOST_TEST(registry.removed()[0] == a);
    registry.on_ended(registry.find("b")); // not removed
    BOOST_TEST(registry.removed().size() == 1u);
    registry.on_ended(a);
    BOOST_TEST(registry.removed().empty());
}

BOOST_FIXTURE_TEST_CASE(key_of_a_removed_server_is_reused_with_another_id, fixture)
{
    auto const first = add("a");
    registry.remove(first);
    auto const second = add("a");
    BOOST_TEST(current() == "a1");
    BOOST_TEST((second->id != first->id));
    BOOST_TEST(!registry.at(first->id));
}

BOOST_FIXTURE_TEST_CASE(replacement_takes_the_position_of_the_old_server, fixture)
{
    add("a");
    auto old = add("b");
    add("c");
    auto const fresh = stage("b");
    registry.replace(old, fresh);
    BOOST_TEST(current() == "a0 b3 c2");
    BOOST_TEST(!registry.at(old->id));
    BOOST_REQUIRE(registry.removed().size() == 1u);
    BOOST_TEST(registry.removed()[0] == old);
    registry.on_ended(old);
    BOOST_TEST(old.use_count() == 1);
    old.reset(); // the key in the map does not refer to this object
    BOOST_TEST(registry.find("b") == fresh);
}

BOOST_FIXTURE_TEST_CASE(discarded_replacement_leaves_the_old_server_in_place, fixture)
{
    auto const old = add("a");
    auto const fresh = stage("a");
    registry.discard(fresh);
    BOOST_TEST(current() == "a0");
    BOOST_TEST(!registry.at(fresh->id));
    BOOST_REQUIRE(registry.removed().size() == 1u);
    BOOST_TEST(registry.removed()[0] == fresh);
    registry.on_ended(fresh);
    BOOST_TEST(registry.removed().empty());
    BOOST_TEST(registry.find("a") == old);
}

BOOST_FIXTURE_TEST_CASE(end_of_all_servers_clears_the_removed_ones_only, fixture)
{
    registry.remove(add("a"));
    registry.remove(add("b"));
    add("c");
    BOOST_TEST(registry.removed().size() == 2u);
    registry.on_all_ended();
    BOOST_TEST(registry.removed().empty());
    BOOST_TEST(current() == "c2");
}

BOOST_FIXTURE_TEST_CASE(suggestions_are_the_similar_keys, fixture)
{
    add("weather");
    add("files");
    BOOST_TEST((registry.suggestions("wether") == std::vector<std::string>{"weather"}));
    BOOST_TEST(registry.suggestions("something else").empty());
}

BOOST_AUTO_TEST_CASE(failed_allocation_leaves_the_set_unchanged)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        // The next server needs memory in each container.
        auto const kept = of.add("kept");
        auto const old = of.add("old");
        auto const fresh = of.stage("old");
        auto const added = of.stage("added");
        auto const unused = of.stage("unused");
        auto const pass = [&](auto const& event, std::string const& before, std::string const& after) {
            auto const removed = of.registry.removed().size();
            if (!failing(event)) {
                BOOST_TEST(of.current() == before);
                BOOST_TEST(of.registry.removed().size() == removed);
                event();
            }
            BOOST_TEST(of.current() == after);
        };
        pass([&] { of.registry.add(added); }, "kept0 old1", "kept0 old1 added3");
        pass([&] { of.registry.replace(old, fresh); }, "kept0 old1 added3", "kept0 old2 added3");
        BOOST_TEST(!of.registry.at(old->id));
        pass([&] { of.registry.remove(kept); }, "kept0 old2 added3", "old2 added3");
        BOOST_TEST(!of.registry.at(kept->id));
        BOOST_TEST(!of.registry.find("kept"));
        if (!failing([&] { of.registry.discard(unused); })) {
            BOOST_TEST(of.registry.at(unused->id) == unused);
            of.registry.discard(unused);
        }
        BOOST_TEST(!of.registry.at(unused->id));
        BOOST_TEST((of.registry.removed() == std::vector{old, kept, unused}));
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_registers_no_server)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        auto const server =
            std::make_shared<server_entry>(of.registry.next_id(), "a", server_options(), of.context.get_executor());
        if (!failing([&] { of.registry.register_server(server); })) {
            BOOST_TEST((of.registry.next_id() == server->id));
            of.registry.register_server(server);
        }
        BOOST_TEST(of.registry.at(server->id) == server);
        BOOST_TEST(of.registry.by_id().size() == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
