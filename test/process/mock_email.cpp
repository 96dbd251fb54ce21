// mock-email as a program, with a mail server that the cases start.

#include <linkspan/core/detail/base64.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/golden.hpp"
#include "support/program_run.hpp"
#include "support/smtp_sink.hpp"

BOOST_AUTO_TEST_SUITE(mock_email_test)

using namespace harness;
using linkspan::session;
using linkspan::stdio;
using linkspan::via;
using observe::folder;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;

// The arguments of the tool.
boost::json::object report(std::string subject = "Sales", std::string body = "All cities")
{
    boost::json::object out;
    boost::json::array to;
    to.emplace_back("ann@example.org");
    out["to"] = std::move(to);
    out["subject"] = std::move(subject);
    out["body"] = std::move(body);
    return out;
}

boost::json::object report_with(std::string path)
{
    auto out = report();
    boost::json::array paths;
    paths.emplace_back(std::move(path));
    out["attachments"] = std::move(paths);
    return out;
}

// A mail server, a folder of attachments, and the configuration of mock-email.
struct email_world : world {
    folder files;
    smtp_sink sink{executor};
    std::string artifacts = files.path() + "/artifacts";

    email_world() { std::filesystem::create_directory(artifacts); }

    linkspan::stdio_config config(std::vector<std::string> more = {})
    {
        auto const authorities = files.add("ca.pem", sink.authorities(), readable);
        std::vector<std::string> words{"--from", "reports@example.com", "--artifacts", artifacts,
                                       "--smtp", sink.host(),           "--ca",        authorities};
        words.insert(words.end(), more.begin(), more.end());
        auto out = mock("mock-email", std::move(words));
        out.env["MOCK_EMAIL_API_KEY"] = "key of the test";
        return out;
    }
};

asio::awaitable<std::string> result_of(session& client, boost::json::object arguments)
{
    auto const [ec, result] = co_await client.async_call_tool("email.send_report", arguments, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    co_return std::string(result.text());
}

std::string error_of(std::string const& reason) { return R"({"status":"error","error":")" + reason + "\"}"; }

// Returns the value of a header of a message, or the empty text.
std::string header(std::string const& message, std::string const& name)
{
    auto const all = "\r\n" + message;
    auto const at = all.find("\r\n" + name + ": ");
    if (at == all.npos)
        return {};
    auto const start = at + name.size() + 4;
    return all.substr(start, all.find("\r\n", start) - start);
}

} // namespace

HARNESS_CASE_IN(email_world, message_with_attachment_is_sent_encrypted)
{
    files.add("artifacts/2026/data-20260102-030405.csv", "city,total\r\nOslo,20.25\r\n", readable);
    session client(executor, via<stdio>(config()));
    co_await opens(client);
    auto const result = co_await result_of(client, report_with("2026/data-20260102-030405.csv"));
    BOOST_TEST_REQUIRE(sink.messages.size() == 1u);
    auto const& message = sink.messages[0];
    auto const id = header(message, "Message-ID");
    BOOST_TEST(result == R"({"status":"success","via":"mcp","message_id":")" + id + R"("})");
    // The message of a golden text, with its own id, boundary and date.
    auto const hash = id.substr(1, 32);
    auto const golden = std::string("From: reports@example.com\r\nTo: ann@example.org\r\nSubject: Sales\r\nDate: ") +
                        header(message, "Date") + "\r\nMessage-ID: " + id +
                        "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary=\"=_" + hash +
                        "\"\r\n\r\n--=_" + hash +
                        "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                        "QWxsIGNpdGllcw==\r\n--=_" +
                        hash +
                        "\r\nContent-Type: text/csv\r\nContent-Disposition: attachment;\r\n "
                        "filename*=utf-8''data-20260102-030405.csv\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                        "Y2l0eSx0b3RhbA0KT3NsbywyMC4yNQ0K\r\n--=_" +
                        hash + "--";
    BOOST_TEST(message == golden);
    // base64 of NUL, "apikey", NUL, and the key.
    std::vector<std::string> const expected{"EHLO localhost",
                                            "STARTTLS",
                                            "EHLO localhost",
                                            "AUTH PLAIN AGFwaWtleQBrZXkgb2YgdGhlIHRlc3Q=",
                                            "MAIL FROM:<reports@example.com>",
                                            "RCPT TO:<ann@example.org>",
                                            "DATA",
                                            "QUIT"};
    BOOST_TEST(sink.commands == expected, boost::test_tools::per_element());
    co_await shuts_down(client);
    sink.close();
}

// The bodies of the request and of the response.
HARNESS_CASE_IN(email_world, report_and_its_result_are_messages_of_golden_files)
{
    files.add("artifacts/data-20260102-030405.csv", "city,total\r\nOslo,20.25\r\n", readable);
    recorded_messages const messages;
    linkspan::session_options options;
    options.remembered = linkspan::era::handshake;
    auto const recorded = messages.around(config());
    session client(executor, via<stdio>(recorded), options);
    co_await opens(client);
    co_await result_of(client, report_with("data-20260102-030405.csv"));
    BOOST_TEST(sink.messages.size() == 1u);
    co_await shuts_down(client);
    messages.expect_golden("send_report", "tools/call");
    sink.close();
}

HARNESS_CASE_IN(email_world, texts_of_any_language_are_encoded)
{
    session client(executor, via<stdio>(config()));
    co_await opens(client);
    std::string const subject = "\xc3\xa4\xc3\xb6";
    co_await result_of(client, report(subject, ".\r\n.\r\n"));
    auto const long_subject = std::string(43, 'x') + subject + " and more";
    co_await result_of(client, report(long_subject));
    BOOST_TEST_REQUIRE(sink.messages.size() == 2u);
    BOOST_TEST(header(sink.messages[0], "Subject") == "=?utf-8?B?w6TDtg==?=");
    BOOST_TEST(contains(sink.messages[0], "\r\n\r\nLg0KLg0K\r\n"), sink.messages[0]);
    // No encoded word divides a character.
    auto const first_word = linkspan::detail::to_base64(std::string(43, 'x') + subject.substr(0, 2));
    BOOST_TEST(
        contains(sink.messages[1], "Subject: =?utf-8?B?" + first_word + "?=\r\n =?utf-8?B?w7YgYW5kIG1vcmU=?=\r\n"),
        sink.messages[1]);
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, repeated_call_sends_nothing_also_after_a_restart)
{
    auto const log = files.path() + "/sent";
    std::vector<std::string> const words{"--sent", log};
    {
        session client(executor, via<stdio>(config(words)));
        co_await opens(client);
        auto const first = co_await result_of(client, report());
        auto const second = co_await result_of(client, report());
        auto const expected = first.substr(0, first.size() - 1) + R"(,"repeated":true})";
        BOOST_TEST(second == expected);
        auto other = report();
        other["key"] = "monday";
        co_await result_of(client, other);
        BOOST_TEST(sink.messages.size() == 2u);
        session second_process(executor, via<stdio>(config(words)));
        auto const [ec] = co_await second_process.async_open(in_tuple);
        BOOST_TEST(ec.failed());
        BOOST_TEST(contains(second_process.diagnostics(), "/sent' is used by another process"));
        co_await shuts_down(client);
    }
    // An incomplete last line, as a crash leaves it, is ignored.
    std::ofstream(log, std::ios::app) << "begun <x";
    session client(executor, via<stdio>(config(words)));
    co_await opens(client);
    auto const again = co_await result_of(client, report());
    BOOST_TEST(again.ends_with(R"("repeated":true})"), again);
    BOOST_TEST(sink.messages.size() == 2u);
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, accepted_message_is_recorded_before_the_end_of_the_connection_to_the_mail_server)
{
    auto const log = files.path() + "/sent";
    std::string recorded;
    sink.on_command = [&](std::string const& command) {
        if (command == "QUIT")
            std::getline(std::ifstream(log), recorded, '\0');
    };
    session client(executor, via<stdio>(config({"--sent", log})));
    co_await opens(client);
    co_await result_of(client, report());
    BOOST_TEST_REQUIRE(sink.messages.size() == 1u);
    auto const id = header(sink.messages[0], "Message-ID");
    BOOST_TEST(recorded == "begun " + id + "\nsent " + id + "\n");
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, message_that_was_not_accepted_is_sent_again_and_unknown_outcome_is_not)
{
    session client(executor, via<stdio>(config({"--timeout", "200"})));
    co_await opens(client);
    struct row {
        std::string command, reply, error;
    };
    std::vector<row> const rows{
        {"CONNECT", "554 no", "The mail server refused the connection: 554 no"},
        {"CONNECT", "", "The connection to the mail server failed: End of file."},
        {"CONNECT", "-", "The mail server did not respond within 200 ms."},
        {"CONNECT", "hello", "The reply of the mail server to the connection is malformed."},
        {"EHLO", "250 sink", "The mail server does not offer STARTTLS."},
        {"STARTTLS", "454 no", "The mail server rejected STARTTLS: 454 no"},
        {"STARTTLS", "220 ok\r\n220 more", "The mail server sent data before the TLS handshake."},
        {"AUTH", "535 wrong", "The mail server rejected AUTH: 535"},
        {"AUTH", "334 more", "The mail server rejected AUTH: 334"},
        {"DATA", "250 ok", "The mail server rejected DATA: 250 ok"},
        {"MESSAGE", "354 more", "The mail server rejected the message: 354 more"},
        {"MAIL", "451 later", "The mail server rejected MAIL: 451 later"},
        {"RCPT", "550-no\r\n550 user", "The mail server rejected RCPT: 550 no\\nuser"},
        {"RCPT", "-", "The mail server did not respond within 200 ms."},
        {"DATA", "552 full", "The mail server rejected DATA: 552 full"},
        {"MESSAGE", "451 later", "The mail server rejected the message: 451 later"},
        {"MESSAGE", "", "The connection to the mail server failed: "}};
    for (auto const& [command, reply, error] : rows) {
        sink.replies.clear();
        sink.replies[command] = reply;
        auto const got = co_await result_of(client, report());
        BOOST_TEST(got.starts_with(error_of(error).substr(0, error.size() + 20)), got);
    }
    // The last one has an unknown outcome.
    sink.replies.clear();
    auto const count = sink.messages.size();
    auto const refused = co_await result_of(client, report());
    BOOST_TEST(refused.ends_with(R"( is being sent, or its outcome is unknown; it is not sent again."})"), refused);
    BOOST_TEST(sink.messages.size() == count);
    auto const other = co_await result_of(client, report("Other"));
    BOOST_TEST(contains(other, "success"), other);
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, message_without_a_reply_of_the_mail_server_is_not_sent_again)
{
    session client(executor, via<stdio>(config({"--timeout", "200"})));
    co_await opens(client);
    sink.replies["MESSAGE"] = "-";
    auto const first = co_await result_of(client, report());
    BOOST_TEST(first == error_of("The mail server did not respond within 200 ms."));
    BOOST_TEST(sink.messages.size() == 1u);
    sink.replies.clear();
    auto const second = co_await result_of(client, report());
    BOOST_TEST(second.ends_with(R"( is being sent, or its outcome is unknown; it is not sent again."})"), second);
    BOOST_TEST(sink.messages.size() == 1u);
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, replies_within_the_timeout_are_awaited)
{
    sink.delay = std::chrono::milliseconds(20);
    session client(executor, via<stdio>(config({"--timeout", "60000"})));
    co_await opens(client);
    auto const result = co_await result_of(client, report());
    BOOST_TEST(contains(result, "success"), result);
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, tool_is_idempotent_only_if_outcomes_are_stored_in_a_file)
{
    std::vector<std::string> const none, words{"--sent", files.path() + "/sent"};
    for (auto const& with : {none, words}) {
        session client(executor, via<stdio>(config(with)));
        co_await opens(client);
        auto const list = co_await client.async_list_tools();
        BOOST_TEST_REQUIRE(list.tools.size() == 1u);
        BOOST_TEST(list.tools[0].annotations.idempotent == !with.empty());
        co_await shuts_down(client);
    }
    sink.close();
}

HARNESS_CASE_IN(email_world, media_type_follows_from_the_end_of_the_name)
{
    session client(executor, via<stdio>(config()));
    co_await opens(client);
    std::map<std::string, std::string> const types{{"a.csv", "text/csv"},
                                                   {"a.html", "text/html"},
                                                   {"a.PDF", "application/pdf"},
                                                   {"a.png", "image/png"},
                                                   {"a.SVG", "image/svg+xml"},
                                                   {"a.b.txt", "text/plain"},
                                                   {"a.zip", "application/zip"},
                                                   {"a.jpg", "image/jpeg"},
                                                   {"a.gif", "image/gif"},
                                                   {"a.json", "application/json"},
                                                   {"png", "application/octet-stream"}};
    for (auto const& [name, type] : types) {
        files.add("artifacts/" + name, "content of " + name, readable);
        co_await result_of(client, report_with(name));
        auto const& message = sink.messages.back();
        BOOST_TEST(contains(message, "\r\nContent-Type: " + type + "\r\nContent-Disposition"), message);
    }
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, certificate_of_another_authority_is_rejected)
{
    smtp_sink other(executor);
    auto with = config();
    for (auto& word : with.args)
        if (word == sink.host())
            word = other.host();
    session client(executor, via<stdio>(with));
    co_await opens(client);
    auto const got = co_await result_of(client, report());
    BOOST_TEST(got.starts_with(R"({"status":"error","error":"The connection to the mail server failed: )"), got);
    BOOST_TEST(other.commands.size() == 2u); // EHLO and STARTTLS, and no password
    co_await shuts_down(client);
    sink.close();
    other.close();
}

HARNESS_CASE_IN(email_world, invalid_arguments_are_rejected_before_a_connection)
{
    auto const outside = files.add("outside.txt", "secret", readable);
    files.add("artifacts_evil/file.txt", "secret", readable);
    files.add("artifacts/large.bin", std::string(10'000'001, 'x'), readable);
    std::filesystem::create_directory(artifacts + "/2026");
    std::filesystem::create_symlink(outside, artifacts + "/link.txt");
    std::filesystem::create_directory_symlink(files.path(), artifacts + "/up");
    BOOST_TEST_REQUIRE(::mkfifo((artifacts + "/fifo").c_str(), 0600) == 0);
    session client(executor, via<stdio>(config()));
    co_await opens(client);
    for (std::string const& path :
         {std::string("../outside.txt"), outside, files.path() + "/artifacts_evil/file.txt", std::string("link.txt"),
          std::string("up/outside.txt"), std::string("."), std::string("2026/../../outside.txt"), std::string("")}) {
        auto const got = co_await result_of(client, report_with(path));
        BOOST_TEST(got == error_of("The attachment '" + path + "' is not a file below the artifacts folder."), got);
    }
    std::vector<std::pair<std::string, std::string>> const others{
        {"missing.txt", "cannot be opened: No such file or directory"},
        {"fifo", "is not a regular file"},
        {"large.bin", "is larger than 10000000 bytes"}};
    for (auto const& [path, reason] : others) {
        auto const got = co_await result_of(client, report_with(path));
        BOOST_TEST(got == error_of("The attachment '" + path + "' " + reason + "."), got);
    }
    for (std::string const address :
         {"ann", "ann@", "@example.org", "ann@example..org", "ann@-example.org", ".ann@example.org", "a b@example.org",
          "ann@example.org>", "ann@example.org\\r\\nBcc: eve@example.org"}) {
        auto arguments = report();
        auto text = address;
        if (auto const at = text.find("\\r\\n"); at != text.npos)
            text.replace(at, 4, "\r\n");
        arguments["to"].as_array()[0] = text;
        auto const got = co_await result_of(client, arguments);
        BOOST_TEST(got == error_of("The address '" + address + "' is invalid."), got);
    }
    auto const injected = co_await result_of(client, report("Sales\r\nBcc: eve@example.org"));
    BOOST_TEST(injected == error_of("The subject has a control character."));
    BOOST_TEST(sink.commands.empty());
    co_await shuts_down(client);
    sink.close();
}

HARNESS_CASE_IN(email_world, missing_key_is_an_error)
{
    auto with = config();
    with.env.erase("MOCK_EMAIL_API_KEY");
    session client(executor, via<stdio>(with));
    co_await opens(client);
    auto const got = co_await result_of(client, report());
    BOOST_TEST(got == error_of("The API key is missing: set MOCK_EMAIL_API_KEY."));
    BOOST_TEST(sink.commands.empty());
    co_await shuts_down(client);
    sink.close();
}

BOOST_AUTO_TEST_CASE(wrong_options_are_explained)
{
    folder const files;
    auto const program = program_run::program("mock-email");
    auto const log = files.add("sent", "sent <a@b>\nsnt <c@d>\n", readable);
    struct row {
        std::vector<std::string> words;
        int status;
        std::string message;
    };
    for (auto const& [words, status, message] :
         {row{{}, 2, "expected the options '--from ADDRESS' and '--artifacts FOLDER'"},
          row{{"--fro"}, 2, "unknown option '--fro'"},
          row{{"--smtp", "host"}, 2, "option '--smtp': expected HOST:PORT"},
          row{{"--timeout", "0"}, 2, "option '--timeout': expected a number from 1 to 1000000000, found '0'"},
          row{{"--from", "x", "--artifacts", files.path()}, 1, "the address of the sender 'x' is invalid"},
          row{{"--from", "a@b", "--artifacts", "/no/folder"}, 1, "cannot open the folder '/no/folder': No such file"},
          row{{"--from", "a@b", "--artifacts", files.path(), "--sent", log},
              1,
              log + ": line 2: expected 'none', 'begun' or 'sent', and a Message-ID"}}) {
        auto all = words;
        all.insert(all.begin(), program);
        auto const wrong = program_run::run(std::move(all));
        BOOST_TEST(wrong.status == status);
        BOOST_TEST(wrong.err.starts_with("mock-email: " + message), wrong.err);
    }
    auto const help = program_run::run({program, "--help"});
    BOOST_TEST(help.status == 0);
    BOOST_TEST(help.out.starts_with("usage: mock-email "), help.out);
}

BOOST_AUTO_TEST_SUITE_END()
