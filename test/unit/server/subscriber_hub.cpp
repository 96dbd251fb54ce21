// Failing allocations in the events of `subscriber_hub`, with a server and its client.

#include <linkspan/server/detail/subscriber_hub.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>

#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(subscriber_hub_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

// A server whose client is notified of changed tools and changed resources.
struct notifying_server : quiet_server {
    notifying_server() : quiet_server({})
    {
        tool any;
        any.name = "any";
        any.input_schema = R"({"type":"object"})";
        core->add(any, [](server_request) {}, {});
        resource note;
        note.uri = "note://today";
        note.name = "today";
        core->add(note, [](server_request) {});
        connect({}, protocol_version::v2025_11_25);
        run();
        wire->receive(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
        run();
        wire->receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        run();
    }

    void change(subscription_table::change what)
    {
        core->subscribers().prepare(core);
        core->subscribers().on_list_changed(what);
    }
    std::size_t notifications() const { return wire->count("/list_changed"); }
};

} // namespace

BOOST_AUTO_TEST_CASE(failed_allocation_discards_at_most_one_notification_or_none_is_sent_before_the_next_change)
{
    using change = subscription_table::change;
    fail_each_allocation([](step_failure& failing) {
        notifying_server own;
        own.change(change::tools);
        own.change(change::resources);
        BOOST_TEST(failing([&] { own.core->subscribers().send(); }));
        if (own.notifications() == 0)
            own.change(change::tools);
        own.run();
        BOOST_TEST(own.notifications() >= (failing.has_failed() ? 1u : 2u));
        BOOST_TEST(own.notifications() <= 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
