// Failing allocations in the additions of `server_core`, with a server and its client.

#include <linkspan/server/detail/server_core.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(server_core_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

constexpr std::array all_lists{offer_list::tools, offer_list::resources, offer_list::templates, offer_list::prompts};

// A server with an entry in each list, whose client is notified of changes of all lists.
struct offering_server : quiet_server {
    std::size_t runs = 0; // of the handlers

    offering_server() : quiet_server({})
    {
        for (auto const which : all_lists)
            add(which, "first");
        connect({}, protocol_version::v2025_11_25);
        run();
        receive("initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})");
        wire->receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        run();
    }

    void add(offer_list which, std::string const& name)
    {
        auto const handle = [this](server_request request) {
            ++runs;
            request.complete(raw_json(R"({"done":true})"));
        };
        switch (which) {
        case offer_list::tools: {
            tool added;
            added.name = name;
            added.input_schema = R"({"type":"object","properties":{"count":{"type":"integer"}}})";
            return core->add(added, handle, {});
        }
        case offer_list::resources: {
            resource added;
            added.uri = "resource:" + name;
            return core->add(added, handle);
        }
        case offer_list::templates: {
            resource_template added;
            added.uri_template = "template:" + name + "/{id}";
            return core->add(
                added, [handle](server_request request, uri_template::values const&) { handle(std::move(request)); });
        }
        case offer_list::prompts: {
            prompt added;
            added.name = name;
            return core->add(added, handle);
        }
        }
    }

    // Returns the response to a request.
    std::string receive(std::string const& method, std::string const& params = "{}")
    {
        wire->receive(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}");
        run();
        return wire->last(R"("id":1)");
    }

    // Returns the pages of a list.
    std::string list(offer_list which)
    {
        switch (which) {
        case offer_list::tools: return receive("tools/list");
        case offer_list::resources: return receive("resources/list");
        case offer_list::templates: return receive("resources/templates/list");
        case offer_list::prompts: break;
        }
        return receive("prompts/list");
    }

    // Returns whether the handler of an entry responds to the request that uses the entry.
    bool has_handler(offer_list which, std::string const& name)
    {
        switch (which) {
        case offer_list::tools: receive("tools/call", R"({"name":")" + name + R"("})"); break;
        case offer_list::resources: receive("resources/read", R"({"uri":"resource:)" + name + R"("})"); break;
        case offer_list::templates: receive("resources/read", R"({"uri":"template:)" + name + R"(/7"})"); break;
        case offer_list::prompts: receive("prompts/get", R"({"name":")" + name + R"("})"); break;
        }
        return wire->last(R"("id":1)").find(R"("done":true)") != std::string::npos;
    }

    std::size_t notifications() const { return wire->count("/list_changed"); }
};

} // namespace

BOOST_AUTO_TEST_CASE(entry_is_added_with_its_handler_and_a_notification_or_not_at_all_after_each_failed_allocation)
{
    std::string const name = "entry_with_a_name_that_is_not_short";
    for (auto const which : all_lists)
        BOOST_TEST_CONTEXT("list " << static_cast<int>(which))
            fail_each_allocation(
                [&](step_failure& fail_in) {
                    offering_server own;
                    bool const is_added = fail_in([&] { own.add(which, name); });
                    own.run();
                    BOOST_TEST((own.list(which).find(name) != std::string::npos) == is_added);
                    BOOST_TEST(own.has_handler(which, name) == is_added);
                    BOOST_TEST(own.notifications() == (is_added ? 1u : 0u));
                    if (is_added) {
                        BOOST_CHECK_THROW(own.add(which, name), std::invalid_argument);
                    } else {
                        own.add(which, name);
                        own.run();
                        BOOST_TEST(own.notifications() == 1u);
                    }
                    BOOST_TEST(own.has_handler(which, name));
                    BOOST_TEST(own.has_handler(which, "first"));
                },
                failing::one_or_handler);
}

BOOST_AUTO_TEST_CASE(rejected_entry_keeps_the_entry_with_its_name_and_sends_no_notification)
{
    for (auto const which : all_lists)
        BOOST_TEST_CONTEXT("list " << static_cast<int>(which)) {
            offering_server own;
            BOOST_CHECK_THROW(own.add(which, "first"), std::invalid_argument);
            own.run();
            BOOST_TEST(own.notifications() == 0u);
            BOOST_TEST(own.has_handler(which, "first"));
        }
}

BOOST_AUTO_TEST_CASE(entry_is_removed_with_its_handler_and_a_notification_or_not_at_all_after_each_failed_allocation)
{
    std::array<std::string, 4> const names{"first", "resource:first", "template:first/{id}", "first"};
    for (auto const which : all_lists)
        BOOST_TEST_CONTEXT("list " << static_cast<int>(which))
            fail_each_allocation(
                [&](step_failure& fail_in) {
                    offering_server own;
                    bool const is_removed =
                        fail_in([&] { own.core->remove(which, names[static_cast<std::size_t>(which)]); });
                    own.run();
                    BOOST_TEST(own.has_handler(which, "first") == !is_removed);
                    BOOST_TEST(own.notifications() == (is_removed ? 1u : 0u));
                },
                failing::one_or_handler);
}

BOOST_AUTO_TEST_CASE(entries_are_replaced_with_a_notification_or_not_at_all_after_each_failed_allocation)
{
    std::string const name = "entry_with_a_name_that_is_not_short";
    fail_each_allocation(
        [&](step_failure& fail_in) {
            offering_server own;
            bool const is_replaced = fail_in([&] {
                own.core->replace_entries([&] {
                    for (auto const which : all_lists)
                        own.add(which, which == offer_list::tools ? name : "first");
                });
            });
            own.run();
            BOOST_TEST(own.notifications() == (is_replaced ? 1u : 0u)); // one list differs
            BOOST_TEST(own.has_handler(offer_list::tools, name) == is_replaced);
            BOOST_TEST(own.has_handler(offer_list::tools, "first") == !is_replaced);
            BOOST_TEST((own.list(offer_list::tools).find(name) != std::string::npos) == is_replaced);
            for (auto const which : all_lists)
                BOOST_TEST(own.has_handler(which, which == offer_list::tools && is_replaced ? name : "first"));
            own.add(offer_list::tools, "later");
            own.run();
            BOOST_TEST(own.notifications() == (is_replaced ? 2u : 1u));
        },
        failing::one_or_handler);
}

BOOST_AUTO_TEST_CASE(schemas_of_a_tool_are_compiled_by_its_addition_and_not_by_its_calls)
{
    quiet_server own{serving_options()};
    // Returns the number of allocations of a function.
    auto const count_allocations = [](auto const& function) {
        constexpr auto first = linkspan::test::detail::step_countdown::never - 1;
        failing_allocation const none_fails(first, failing::one_or_handler);
        function();
        return first - linkspan::test::detail::steps_of_thread.remaining;
    };
    tool added;
    added.name = "checked";
    std::string properties;
    for (int i = 0; i != 50; ++i)
        properties += R"("member)" + std::to_string(i) + R"(":{"type":"string","pattern":"^a+[0-9]{2}$"},)";
    added.input_schema = R"({"type":"object","properties":{)" + properties + R"("count":{"type":"integer"}}})";
    added.output_schema = added.input_schema;
    auto const addition = count_allocations([&] {
        own.core->add(added,
                      [](server_request request) {
                          request.complete(raw_json(R"({"content":[],"structuredContent":{"count":1}})"));
                      },
                      {});
    });
    own.connect({}, protocol_version::v2025_11_25);
    own.run();
    own.wire->receive(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    own.run();
    // Returns the number of allocations of a call.
    auto const call = [&](std::string_view arguments) {
        own.wire->sent.clear();
        auto const message =
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"checked","arguments":)" +
            std::string(arguments) + "}}";
        return count_allocations([&] {
            own.wire->receive(message);
            own.run();
        });
    };
    call(R"({"count":1})");
    auto const second = call(R"({"count":1})");
    BOOST_TEST(own.wire->last(R"("id":1)").find(R"("structuredContent":{"count":1})") != std::string::npos);
    for (int i = 2; i != 99; ++i)
        call(R"({"count":1})");
    auto const hundredth = call(R"({"count":1})");
    BOOST_TEST(hundredth == second);
    BOOST_TEST(second * 10 < addition);
    call(R"({"count":"1"})");
    BOOST_TEST(own.wire->last(R"("id":1)").find(R"("isError":true)") != std::string::npos); // calls are validated
    BOOST_TEST_MESSAGE("allocations: " << addition << " of the addition, " << second << " of a call");
}

BOOST_AUTO_TEST_SUITE_END()
