#include <linkspan/connector/connection_error.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(connection_error_test)

using namespace linkspan;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(connection_error_text_has_one_line_per_failed_server)
{
    open_report report;
    auto& lost = report.servers.emplace_back();
    lost.server = "a";
    lost.ec = boost::asio::error::connection_refused;
    lost.elapsed = 12ms;
    report.servers.emplace_back().server = "well";
    auto& silent = report.servers.emplace_back();
    silent.server = "b";
    silent.ec = error::attempt_timed_out;
    silent.phase = open_phase::negotiate;
    silent.detail = "stderr: out of memory";
    silent.elapsed = 30s;
    try {
        std::rethrow_exception(make_exception(error::connection_failed, report));
    } catch (connection_error const& failed) {
        BOOST_TEST(failed.code() == make_error_code(error::connection_failed));
        BOOST_TEST(failed.report().servers.size() == 3u);
        std::string const text = failed.what();
        BOOST_TEST(text.starts_with(failed.code().message() + " [linkspan:" + std::to_string(failed.code().value()) +
                                    "]\na: start failed after 12 ms: "),
                   text);
        BOOST_TEST(text.find("\nb: negotiate failed after 30000 ms: the server did not respond in time: stderr: out of "
                             "memory") != text.npos,
                   text);
        BOOST_TEST(text.find("well") == text.npos, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
