#include <linkspan/http/client/detail/http_session.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(http_session_test)

using linkspan::protocol_version;
using linkspan::detail::http_session;

namespace {

constexpr auto version = protocol_version::v2025_11_25;

} // namespace

BOOST_AUTO_TEST_CASE(transport_without_a_handshake_has_no_session)
{
    http_session const session;
    BOOST_TEST(session.id().empty());
    BOOST_TEST(!session.version());
    BOOST_TEST(session.number() == 0U);
    BOOST_TEST(!session.must_hold(1, false));
    BOOST_TEST(session.headers().session.empty());
    BOOST_TEST(!session.headers().version);
}

BOOST_AUTO_TEST_CASE(handshake_determines_the_id_and_the_version)
{
    http_session session;
    BOOST_TEST(session.begin() == 1U);
    session.on_id("abc");
    BOOST_TEST(session.id() == "abc");
    BOOST_TEST(!session.version());
    session.on_initialized(version);
    BOOST_TEST((session.version() == version));
    BOOST_TEST(session.headers().session == "abc");
    BOOST_TEST((session.headers().version == version));
}

BOOST_AUTO_TEST_CASE(invalid_id_is_no_id)
{
    http_session session;
    session.begin();
    session.on_id("abc");
    session.on_id("a b");
    BOOST_TEST(session.id().empty());
    session.on_id("");
    BOOST_TEST(session.id().empty());
}

BOOST_AUTO_TEST_CASE(next_handshake_ends_the_session)
{
    http_session session;
    session.begin();
    session.on_id("abc");
    session.on_initialized(version);
    BOOST_TEST(session.begin() == 2U);
    BOOST_TEST(session.number() == 2U);
    BOOST_TEST(session.id().empty());
    BOOST_TEST(!session.version());
    BOOST_TEST(!session.must_hold(1, false));
}

BOOST_AUTO_TEST_CASE(requests_are_held_until_the_handshake_is_over)
{
    http_session session;
    session.begin();
    BOOST_TEST(!session.must_hold(1, false));
    session.on_initialized(version);
    BOOST_TEST(session.must_hold(1, false));
    BOOST_TEST(!session.must_hold(1, true));  // a request of the negotiation
    BOOST_TEST(!session.must_hold(0, false)); // a notification or a response
    session.on_handshake_over();
    BOOST_TEST(!session.must_hold(1, false));
    BOOST_TEST((session.version() == version));
}

BOOST_AUTO_TEST_CASE(failed_allocation_leaves_the_session_without_an_id)
{
    std::string const id(40, 'i'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        http_session session;
        session.begin();
        if (!failing([&] { session.on_id(id); })) {
            BOOST_TEST(session.id().empty());
            BOOST_TEST(session.number() == 1u);
            session.on_id(id);
        }
        BOOST_TEST(session.id() == id);
        session.on_initialized(protocol_version::v2025_11_25);
        BOOST_TEST(session.headers().session == id);
        BOOST_TEST(session.must_hold(1, false));
        session.begin(); // during the handshake
        BOOST_TEST(session.id().empty());
        BOOST_TEST(!session.must_hold(1, false));
    });
}

BOOST_AUTO_TEST_SUITE_END()
