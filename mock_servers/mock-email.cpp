// mock-email [OPTION...]: an MCP server over standard streams with the tool email.send_report. See usage.

#include <linkspan/server/serve_stdio.hpp>
#include <linkspan/server/server.hpp>

#include <boost/asio/io_context.hpp>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "email/report_tool.hpp"

namespace {

constexpr std::string_view usage = R"(usage: mock-email --from ADDRESS --artifacts FOLDER [OPTION...]

Serves the tool email.send_report, which sends one message, to the client that started this process.

  --from ADDRESS      the sender
  --artifacts FOLDER  the folder below which the attachments are
  --smtp HOST:PORT    the mail server, which must offer STARTTLS; default localhost:587
  --ca FILE           the certificate authorities of the mail server (PEM); default: those of the system
  --user NAME         the user of the mail server, default apikey
  --sent FILE         the file with the outcomes of messages, so that none is sent twice after a restart
  --timeout NUMBER    milliseconds for one reply of the mail server, default 60000
  --help              writes this text

The environment variable MOCK_EMAIL_API_KEY is the API key: the password of the user. Exit status: 0 after the end of
the client; 1 if a folder or a file cannot be opened, or the sender is invalid; 2 for a wrong command line.
)";

struct options {
    mock_email::report_options report;
    bool help = false;
};

std::chrono::milliseconds read_timeout(std::string const& digits)
{
    int out = 0;
    auto const* const end = digits.data() + digits.size();
    auto const read = std::from_chars(digits.data(), end, out);
    if (read.ec != std::errc() || read.ptr != end || out < 1 || out > 1'000'000'000)
        throw std::invalid_argument("option '--timeout': expected a number from 1 to 1000000000, found '" + digits +
                                    "'");
    return std::chrono::milliseconds(out);
}

options read_options(std::vector<std::string> const& words)
{
    options out;
    auto& report = out.report;
    for (std::size_t i = 0; i != words.size(); ++i) {
        auto const& word = words[i];
        auto const value = [&]() -> std::string const& {
            if (++i == words.size())
                throw std::invalid_argument("option '" + word + "': expected a value");
            return words[i];
        };
        if (word == "--from") {
            report.from = value();
        } else if (word == "--artifacts") {
            report.artifacts = value();
        } else if (word == "--smtp") {
            auto const& text = value();
            auto const colon = text.rfind(':');
            if (colon == text.npos || colon == 0 || colon + 1 == text.size())
                throw std::invalid_argument("option '--smtp': expected HOST:PORT, found '" + text + "'");
            report.server.host = text.substr(0, colon);
            report.server.port = text.substr(colon + 1);
        } else if (word == "--ca") {
            report.server.authorities = value();
        } else if (word == "--user") {
            report.server.user = value();
        } else if (word == "--sent") {
            report.log = value();
        } else if (word == "--timeout") {
            report.server.timeout = read_timeout(value());
        } else if (word == "--help") {
            out.help = true;
        } else {
            throw std::invalid_argument("unknown option '" + word + "'");
        }
    }
    if (!out.help && (report.from.empty() || report.artifacts.empty()))
        throw std::invalid_argument("expected the options '--from ADDRESS' and '--artifacts FOLDER'");
    if (auto const* const key = std::getenv("MOCK_EMAIL_API_KEY"))
        report.server.password = key;
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    options with;
    try {
        with = read_options({argv + 1, argv + argc});
    } catch (std::invalid_argument const& wrong) {
        std::cerr << "mock-email: " << wrong.what() << "\n\n" << usage;
        return 2;
    }
    if (with.help) {
        std::cout << usage;
        return 0;
    }
    try {
        boost::asio::io_context context(1);
        linkspan::server server(context.get_executor(), {.name = "mock-email", .version = "1.0"});
        mock_email::add_report_tool(server, with.report);
        linkspan::serve_stdio(server);
        context.run();
    } catch (std::exception const& failed) {
        std::cerr << "mock-email: " << failed.what() << '\n';
        return 1;
    }
}
