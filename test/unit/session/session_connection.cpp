#include <linkspan/session/detail/session_connection.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(session_connection_test)

using linkspan::error;
using linkspan::error_code;
using linkspan::protocol_version;
using linkspan::detail::pending_handler;
using linkspan::detail::session_connection;
namespace asio = boost::asio;

namespace {

// Transport that is opened in the next turn, or whose opening throws an exception.
class test_transport {
public:
    using role = linkspan::transport_role;
    struct config_type {
        bool throws = false;
        int* alive = nullptr;
    };
    static constexpr std::string_view kind = "test";
    static constexpr bool handshake_on_no_response = false;

    test_transport(asio::any_io_executor executor, config_type const& config)
        : executor_(std::move(executor)), config_(config)
    {
        ++*config_.alive;
    }

    test_transport(test_transport const&) = delete;
    test_transport& operator=(test_transport const&) = delete;
    ~test_transport() { --*config_.alive; }

    template<class Token>
    void async_open(Token token)
    {
        if (config_.throws)
            throw std::runtime_error("no memory");
        asio::post(executor_, [token = std::move(token)]() mutable { token(error_code()); });
    }

    void send(linkspan::outbound const&) noexcept {}
    template<class Token>
    void async_receive(Token)
    {}
    linkspan::abandon_result abandon(linkspan::request_id) noexcept { return linkspan::abandon_result::not_sent; }
    template<class Token>
    void async_shutdown(Token)
    {}
    void close() noexcept {}
    asio::any_io_executor get_executor() const noexcept { return executor_; }
    std::size_t queued_bytes() const noexcept { return 0; }
    bool supports(protocol_version version) const noexcept { return version != protocol_version::v2026_07_28; }
    std::optional<std::int64_t> pid() const noexcept { return 7; }
    bool exited_cleanly() const noexcept { return true; }

private:
    asio::any_io_executor executor_;
    config_type config_;
};

struct fixture {
    asio::io_context context{1};
    int alive = 0; // transports that exist
    test_transport::config_type config{false, &alive};
    session_connection connection{[this](asio::any_io_executor const& executor) {
        return linkspan::any_transport::make<test_transport>(executor, config);
    }};
    unsigned opened = 0; // number that the last handler of an opening was given

    // Opens a connection, and returns the number that its handler stores.
    unsigned open()
    {
        unsigned given = 0;
        connection.open(connection.make_transport(context.get_executor()), [&](unsigned number) {
            given = number;
            BOOST_TEST(number != connection.number()); // the transport is not open yet
            return pending_handler<void(error_code)>([this, number](error_code) { opened = number; },
                                                     context.get_executor());
        });
        return given;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(new_object_has_no_transport, fixture)
{
    BOOST_TEST(!connection);
    BOOST_TEST(!connection.pid());
    BOOST_TEST(!connection.exited_cleanly());
    BOOST_TEST(!connection.violation());
    BOOST_TEST(alive == 0);
}

BOOST_FIXTURE_TEST_CASE(handler_of_the_opening_has_the_number_of_the_connection, fixture)
{
    auto const given = open();
    BOOST_TEST(!!connection);
    BOOST_TEST(connection.number() == given);
    BOOST_TEST(connection->kind() == "test");
    context.run();
    BOOST_TEST(opened == given);
}

BOOST_FIXTURE_TEST_CASE(next_connection_has_another_number_and_destroys_the_transport, fixture)
{
    auto const first = open();
    auto const second = open();
    BOOST_TEST(first != second);
    BOOST_TEST(connection.number() == second);
    BOOST_TEST(alive == 1);
}

BOOST_FIXTURE_TEST_CASE(created_transport_is_not_the_current_one, fixture)
{
    auto const before = connection.number();
    {
        auto const transport = connection.make_transport(context.get_executor());
        BOOST_TEST(alive == 1);
        BOOST_TEST(!connection);
    }
    BOOST_TEST(alive == 0);
    BOOST_TEST(connection.number() == before);
}

BOOST_FIXTURE_TEST_CASE(exception_of_the_opening_discards_all_handlers, fixture)
{
    auto const first = open();
    config.throws = true;
    unsigned given = 0;
    auto const make_handler = [&](unsigned number) {
        given = number;
        return pending_handler<void(error_code)>([](error_code) {}, context.get_executor());
    };
    BOOST_CHECK_THROW(connection.open(connection.make_transport(context.get_executor()), make_handler),
                      std::runtime_error);
    BOOST_TEST(!!connection); // kept for its diagnostics
    BOOST_TEST(connection.number() != first);
    BOOST_TEST(connection.number() != given);
    config.throws = false;
    auto const next = open();
    BOOST_TEST(next == connection.number());
}

BOOST_FIXTURE_TEST_CASE(violation_ends_with_its_connection, fixture)
{
    open();
    connection.end_after_batch(error::not_json);
    BOOST_TEST((connection.violation() == error::not_json));
    open();
    BOOST_TEST(!connection.violation());
}

BOOST_FIXTURE_TEST_CASE(traits_are_those_of_the_transport, fixture)
{
    open();
    auto const traits = connection.traits();
    BOOST_TEST(!traits.handshake_on_no_response);
    BOOST_TEST(traits.carried.count() == linkspan::protocol_versions.size() - 1);
    BOOST_TEST(!traits.carried[static_cast<std::size_t>(protocol_version::v2026_07_28)]);
    BOOST_TEST((connection.pid() == 7));
    BOOST_TEST(connection.exited_cleanly());
}

BOOST_FIXTURE_TEST_CASE(dropped_connection_has_no_transport_and_keeps_its_number, fixture)
{
    auto const given = open();
    connection.drop();
    BOOST_TEST(!connection);
    BOOST_TEST(alive == 0);
    BOOST_TEST(!connection.pid());
    BOOST_TEST(connection.number() == given);
}

BOOST_AUTO_TEST_SUITE_END()
