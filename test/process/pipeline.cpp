// The example `pipeline` with its database server, its email server, and a mail server.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/folder.hpp"
#include "support/program_run.hpp"
#include "support/smtp_sink.hpp"

BOOST_AUTO_TEST_SUITE(pipeline_test)

using namespace harness;
using observe::folder;

namespace {

namespace json = boost::json;

constexpr auto readable = std::filesystem::perms::owner_all;

std::string read(std::filesystem::path const& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

json::object command(std::string const& program, std::vector<std::string> const& args)
{
    json::array words;
    for (auto const& arg : args)
        words.emplace_back(arg);
    json::object out;
    out["command"] = program;
    out["args"] = std::move(words);
    return out;
}

// A mail server in a thread, and a folder with the configuration of both servers.
struct pipeline_world {
    observe::leaves_nothing nothing;
    folder files;
    world mail;
    smtp_sink sink{mail.executor};
    std::string artifacts = files.path() + "/artifacts";
    json::object database =
        command(program_run::program("mock-database"),
                {"--create", std::getenv("LINKSPAN_TEST_DIR") + std::string("/../example/pipeline/sales.sql")});
    std::jthread thread;

    pipeline_world() { std::filesystem::create_directory(artifacts); }

    ~pipeline_world()
    {
        asio::post(mail.context, [this] { sink.close(); });
        if (!thread.joinable())
            mail.context.run();
    }

    program_run::result ask(std::vector<std::string> const& words, program_run::options const& with = {})
    {
        auto const authorities = files.add("ca.pem", sink.authorities(), readable);
        auto email =
            command(program_run::program("mock-email"), {"--from", "reports@example.com", "--artifacts", artifacts,
                                                         "--smtp", sink.host(), "--ca", authorities});
        json::object key, servers, config;
        key["MOCK_EMAIL_API_KEY"] = "k";
        email["env"] = std::move(key);
        servers["db"] = database;
        servers["email"] = std::move(email);
        config["mcpServers"] = std::move(servers);
        auto const path = files.add("servers.json", json::serialize(config), readable);
        std::vector<std::string> all{
            program_run::program("pipeline"),  "--config", path, "--artifacts", artifacts, "--conversations",
            files.path() + "/conversations.db"};
        all.insert(all.end(), words.begin(), words.end());
        if (!thread.joinable())
            thread = std::jthread([this] { mail.context.run(); });
        return program_run::run(all, with);
    }
};

// Returns the only artifact with this end of its name.
std::string artifact(json::object const& answer, std::string const& end)
{
    for (auto const& path : answer.at("artifacts").as_array())
        if (std::string(path.as_string()).ends_with(end))
            return std::string(path.as_string());
    return {};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(question_leads_to_rows_files_message_and_conversation, pipeline_world)
{
    auto const got = ask({"--to", "ann@example.org", "top", "2", "cities"});
    BOOST_TEST_REQUIRE(got.status == 0, got.err);
    auto const answer = json::parse(got.out).as_object();
    BOOST_TEST(answer.at("status").as_string() == "success");
    BOOST_TEST(answer.at("text").as_string() == "2 rows, total 1700.65");
    BOOST_TEST(answer.at("sql").as_string() == "SELECT city, round(sum(amount), 2) AS value FROM sales GROUP BY city "
                                               "ORDER BY value DESC, city LIMIT 2");
    auto const csv = artifact(answer, ".csv"), report = artifact(answer, ".html");
    auto const stem = std::filesystem::path(csv).stem().string();
    BOOST_TEST(stem.starts_with("data-20"));
    BOOST_TEST(stem.size() == std::string("data-20260102-030405").size());
    BOOST_TEST(read(csv) == "city,value\r\nRome,690\r\nOslo,600.75\r\n");
    auto const page = read(report);
    BOOST_TEST(contains(page, "<td>Rome</td><td>690</td>"), page);
    BOOST_TEST(contains(page, "<rect x=\"120\" y=\"4\" width=\"400\""), page);
    BOOST_TEST(contains(page, "<p>Total: 1700.65</p>"), page);
    BOOST_TEST_REQUIRE(sink.messages.size() == 1u);
    BOOST_TEST(contains(sink.messages[0], "Content-Type: text/csv\r\n"));
    BOOST_TEST(contains(sink.messages[0], "Content-Type: text/html\r\n"));
    for (auto const* const line :
         {"[MCP] db started\n", "[MCP] email started\n", "[pipeline] db_done_mcp - {'status':'success','count':2}\n",
          "[pipeline] email_done_mcp - {'status':'success','via':'mcp'}\n", "[pipeline] conversation 1\n"})
        BOOST_TEST(contains(got.err, line), got.err);
    auto const second = ask({"number of sales per day in Oslo"});
    BOOST_TEST(second.status == 0, second.err);
    BOOST_TEST(contains(second.out, R"("text":"2 rows, total 2")"), second.out);
    BOOST_TEST(contains(second.out, R"("email":"not requested")"), second.out);
    BOOST_TEST(contains(second.err, "[pipeline] conversation 2\n"), second.err);
}

BOOST_FIXTURE_TEST_CASE(failed_step_is_named_and_stored, pipeline_world)
{
    auto const unknown = ask({"the weather"});
    BOOST_TEST(unknown.status == 1);
    BOOST_TEST(contains(unknown.out, R"("failed_step":"question")"), unknown.out);
    BOOST_TEST(contains(unknown.out, "no rule for 'the weather'; examples: 'sales by city'"), unknown.out);
    BOOST_TEST(contains(unknown.err, "[pipeline] conversation 1\n"), unknown.err);
    auto const long_question = ask({"city in " + std::string(5000, 'A')});
    BOOST_TEST(contains(long_question.out, "the question has more than 1000 bytes"), long_question.out);
    database["args"].as_array().clear(); // a database without the table
    auto const failed = ask({"sales by city"});
    BOOST_TEST(failed.status == 1);
    BOOST_TEST(contains(failed.out, R"("text":"no such table: sales")"), failed.out);
    BOOST_TEST(contains(failed.out, R"("failed_step":"database")"), failed.out);
}

BOOST_FIXTURE_TEST_CASE(unexpected_rows_are_a_failure_of_the_database, pipeline_world)
{
    for (std::string const reply :
         {R"({"status":"success","count":1})", R"({"status":"success","rows":[{}],"count":1})",
          R"({"status":"success","rows":[{"a":1,"b":2}],"count":1,"truncated":true})"}) {
        json::object action, rule, on, script;
        action["text"] = reply;
        on["call"] = "db.query_supabase";
        rule["on"] = std::move(on);
        rule["do"] = json::array({std::move(action)});
        script["mock"] = 1;
        script["rules"] = json::array({std::move(rule)});
        auto const path = files.add("rows.json", json::serialize(script), readable);
        database = command(program_run::program("linkspan-mock"), {"--script", path});
        auto const got = ask({"sales by city"});
        BOOST_TEST(got.status == 1, got.err);
        BOOST_TEST(contains(got.out, R"("failed_step":"database")"), got.out);
    }
}

BOOST_FIXTURE_TEST_CASE(failed_message_does_not_lose_the_answer, pipeline_world)
{
    sink.replies["RCPT"] = "550 no";
    auto const got = ask({"--to", "ann@example.org", "sales by product"});
    BOOST_TEST(got.status == 1);
    BOOST_TEST(contains(got.out, R"("status":"success")"), got.out);
    BOOST_TEST(contains(got.out, R"("email":"The mail server rejected RCPT: 550 no")"), got.out);
    BOOST_TEST(contains(got.err, "[pipeline] email_failed - The mail server rejected RCPT: 550 no\n"), got.err);
}

BOOST_FIXTURE_TEST_CASE(lost_database_server_is_restarted_and_receives_the_query_again, pipeline_world)
{
    auto const dying = files.add(
        "dying.json", R"({"mock":1,"rules":[{"on":{"call":"db.query_supabase"},"do":[{"exit":17}]}]})", readable);
    auto const marker = files.path() + "/first";
    auto const sql = std::string(database.at("args").as_array()[1].as_string());
    // The first start is a server that exits on a call, the second one is the database.
    database = command(
        "/bin/sh", {"-c", "mkdir \"$1\" 2>/dev/null && exec \"$2\" --script \"$3\"; exec \"$4\" --create \"$5\"", "sh",
                    marker, program_run::program("linkspan-mock"), dying, program_run::program("mock-database"), sql});
    json::object tool, tools;
    tool["replay"] = "read_only";
    tools["db.query_supabase"] = std::move(tool);
    database["tools"] = std::move(tools);
    auto const got = ask({"sales by city"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(contains(got.out, R"("text":"3 rows, total 1700.65")"), got.out);
    BOOST_TEST(std::filesystem::exists(marker)); // of the first start
}

BOOST_FIXTURE_TEST_CASE(interruption_ends_all_processes, pipeline_world)
{
    auto const hanging = files.add(
        "hanging.json", R"({"mock":1,"rules":[{"on":{"call":"db.query_supabase"},"do":[{"hang":true}]}]})", readable);
    database = command(program_run::program("linkspan-mock"), {"--script", hanging});
    auto const got = ask({"sales by city"}, {.signal_when = "sql - "});
    BOOST_TEST(got.status == 128 + SIGINT, got.err);
    // The command lines of both servers contain the folder.
    for (auto const& entry : std::filesystem::directory_iterator("/proc"))
        BOOST_TEST(!contains(read(entry.path() / "cmdline"), files.path()), entry.path());
}

BOOST_AUTO_TEST_CASE(wrong_options_are_explained_by_pipeline)
{
    auto const program = program_run::program("pipeline");
    auto const wrong = program_run::run({program, "--confg"});
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(wrong.err.starts_with("pipeline: unknown option '--confg'\n\nusage: pipeline "), wrong.err);
    auto const missing = program_run::run({program, "--config", "/no/file", "sales by city"});
    BOOST_TEST(missing.status == 1);
    BOOST_TEST(missing.err == "pipeline: cannot read '/no/file'\n");
    BOOST_TEST(program_run::run({program, "--help"}).out.starts_with("usage: pipeline "));
}

BOOST_AUTO_TEST_SUITE_END()
