// Options of `linkspan doctor` for a server that is given by its URL or command.

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <vector>

#include "support/program_run.hpp"

BOOST_AUTO_TEST_SUITE(command_line_doctor_test)

namespace asio = boost::asio;
using namespace program_run;

namespace {

// HTTP server that refuses one request with status 401, and stores the head of the request.
class refusing_server {
public:
    refusing_server() : thread_([this] { serve(); }) {}
    refusing_server(refusing_server const&) = delete;
    refusing_server& operator=(refusing_server const&) = delete;

    ~refusing_server() { stop(); }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/mcp"; }

    std::string request()
    {
        stop();
        return head_;
    }

private:
    // Ends the thread. A thread that has received no request waits in `accept`; the connection makes it return.
    void stop()
    {
        if (!thread_.joinable())
            return;
        asio::ip::tcp::socket socket(context_);
        boost::system::error_code ec;
        socket.connect({asio::ip::make_address("127.0.0.1"), port_}, ec);
        socket.close(ec);
        thread_.join();
    }

    void serve()
    {
        boost::system::error_code ec;
        auto peer = acceptor_.accept(ec);
        asio::read_until(peer, asio::dynamic_buffer(head_), "\r\n\r\n", ec);
        asio::write(peer, asio::buffer(std::string("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")), ec);
        acceptor_.close(ec);
    }

    asio::io_context context_;
    asio::ip::tcp::acceptor acceptor_{context_, {asio::ip::make_address("127.0.0.1"), 0}};
    asio::ip::port_type port_ = acceptor_.local_endpoint().port();
    std::string head_;
    std::thread thread_;
};

} // namespace

BOOST_AUTO_TEST_CASE(doctor_sends_header_option_to_server)
{
    for (bool const is_option : {false, true}) {
        refusing_server server;
        std::vector<std::string> words{"doctor"};
        if (is_option)
            words.emplace_back("--url");
        words.insert(words.end(), {server.url(), "--header", "Authorization: Bearer x"});
        auto const got = run_linkspan(words);
        BOOST_TEST(got.status == 3, got.err);
        BOOST_TEST(has(got.out, "AUTH_FAILED"), got.out);
        auto const request = server.request();
        BOOST_TEST(has(request, "Authorization: Bearer x\r\n"), request);
    }
}

BOOST_AUTO_TEST_CASE(doctor_sets_variable_of_env_option_for_command)
{
    std::string const program = "echo has=$K >&2; exit 7";
    for (std::vector<std::string> const& words :
         {std::vector<std::string>{"doctor", "--env", "K=abc", "sh -c '" + program + "'"},
          {"doctor", "sh -c '" + program + "'", "--env", "K=abc"},
          {"doctor", "sh -c '" + program + "'", "--env", "K"},
          {"doctor", "command://sh?arg=-c&arg=echo%20has=$K%20%3E%262;%20exit%207", "--env", "K=abc"},
          {"doctor", "--env", "K=abc", "--", "sh", "-c", program},
          {"doctor", "--env", "K=abc", "--stdio", "sh -c '" + program + "'"}}) {
        options with;
        with.env["K"] = "abc";
        auto const got = run_linkspan(words, with);
        BOOST_TEST(got.status == 3, got.err);
        BOOST_TEST(has(got.out, "has=abc"), got.out);
    }
}

BOOST_AUTO_TEST_CASE(doctor_hints_at_missing_program_of_given_command)
{
    for (std::vector<std::string> const& words : {std::vector<std::string>{"doctor", "no-such-program-anywhere"},
                                                  {"doctor", "--", "no-such-program-anywhere", "x"},
                                                  {"doctor", "--stdio", "no-such-program-anywhere"}}) {
        auto const got = run_linkspan(words);
        BOOST_TEST(got.status == 3, got.err);
        BOOST_TEST(has(got.out, "CONNECTION_FAILED"), got.out);
        BOOST_TEST(has(got.out, "    hint: check that the command is installed and that PATH contains its folder\n"),
                   got.out);
    }
}

BOOST_AUTO_TEST_CASE(doctor_rejects_option_unsuitable_for_server)
{
    for (std::vector<std::string> const& words : {std::vector<std::string>{"doctor", "sh", "--header", "a:b"},
                                                  {"doctor", "http://127.0.0.1:1/mcp", "--env", "A=b"},
                                                  {"doctor", "--header", "a:b"},
                                                  {"doctor", "--env", "A=b"},
                                                  {"doctor", "sh", "--env", "LINKSPAN_NOT_SET"}}) {
        auto const got = run_linkspan(words);
        BOOST_TEST(got.status == 2, got.err);
        BOOST_TEST(has(got.err, "option '--"), got.err);
        BOOST_TEST(got.out == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
