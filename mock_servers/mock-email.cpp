// mock-email [OPTION...]: an MCP server over standard streams with the tool email.send_report. See usage.

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "email/report_tool.hpp"
#include "serve_program.hpp"

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

options read_options(mock_servers::option_reader& words)
{
    options out;
    auto& report = out.report;
    while (words.next()) {
        auto const& word = words.option();
        if (word == "--from") {
            report.from = words.value();
        } else if (word == "--artifacts") {
            report.artifacts = words.value();
        } else if (word == "--smtp") {
            auto const& text = words.value();
            auto const colon = text.rfind(':');
            if (colon == text.npos || colon == 0 || colon + 1 == text.size())
                throw std::invalid_argument("option '--smtp': expected HOST:PORT, found '" + text + "'");
            report.server.host = text.substr(0, colon);
            report.server.port = text.substr(colon + 1);
        } else if (word == "--ca") {
            report.server.authorities = words.value();
        } else if (word == "--user") {
            report.server.user = words.value();
        } else if (word == "--sent") {
            report.log = words.value();
        } else if (word == "--timeout") {
            report.server.timeout = std::chrono::milliseconds(words.number<int>(1, 1'000'000'000));
        } else if (word == "--help") {
            out.help = true;
        } else {
            throw words.unknown();
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
    return mock_servers::serve_program(
        "mock-email", usage, {argc, argv}, read_options,
        [](linkspan::server& server, options const& with) { mock_email::add_report_tool(server, with.report); });
}
