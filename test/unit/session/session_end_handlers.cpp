#include <linkspan/session/detail/session_end_handlers.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(session_end_handlers_test)

using linkspan::error_code;
using linkspan::detail::session_end_handlers;

namespace {

error_code const aborted = boost::asio::error::operation_aborted;

} // namespace

BOOST_AUTO_TEST_CASE(each_handler_is_called_once_in_order)
{
    session_end_handlers handlers;
    std::string log;
    auto const first = handlers.add([&](error_code ec) { log += ec == aborted ? "1" : "?"; });
    handlers.add([&](error_code) { log += "2"; });
    BOOST_TEST(first != 0u);
    BOOST_TEST(handlers.contains(first));
    handlers.on_end(aborted);
    BOOST_TEST(log == "12");
    BOOST_TEST(!handlers.contains(first));
    handlers.on_end(aborted);
    BOOST_TEST(log == "12");
}

BOOST_AUTO_TEST_CASE(removed_handler_is_not_called)
{
    session_end_handlers handlers;
    std::string log;
    session_end_handlers::handler_id second = 0;
    handlers.add([&](error_code) {
        log += "1";
        handlers.remove(second); // a handler may remove others
    });
    second = handlers.add([&](error_code) { log += "2"; });
    handlers.remove(0);
    handlers.on_end(aborted);
    BOOST_TEST(log == "1");
}

BOOST_AUTO_TEST_SUITE_END()
