// The example `pipeline` with its database server, its email server, and a mail server.

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/folder.hpp"
#include "support/http_mock.hpp"
#include "support/process_observation.hpp"
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

// A folder with the configuration of both servers.
struct pipeline_files {
    folder files;
    std::string artifacts = files.path() + "/artifacts";
    json::object database =
        command(program_run::program("mock-database"),
                {"--create", std::getenv("LINKSPAN_TEST_DIR") + std::string("/../example/pipeline/sales.sql")});
    json::object other_email; // command in place of mock-email; empty: none

    pipeline_files() { std::filesystem::create_directory(artifacts); }

    // A program that does not respond to queries.
    void set_hanging_database()
    {
        auto const hanging =
            files.add("hanging.json",
                      R"({"mock":1,"rules":[{"on":{"call":"db.query_supabase"},"do":[{"hang":true}]}]})", readable);
        database = command(program_run::program("linkspan-mock"), {"--script", hanging});
    }

    // The first start is a server that exits on a call, the second one is the database. Returns a file that the first
    // start creates.
    std::string set_dying_database()
    {
        auto const dying = files.add(
            "dying.json", R"({"mock":1,"rules":[{"on":{"call":"db.query_supabase"},"do":[{"exit":17}]}]})", readable);
        auto const marker = files.path() + "/first";
        auto const sql = std::string(database.at("args").as_array()[1].as_string());
        database =
            command("/bin/sh",
                    {"-c", "mkdir \"$1\" 2>/dev/null && exec \"$2\" --script \"$3\"; exec \"$4\" --create \"$5\"", "sh",
                     marker, program_run::program("linkspan-mock"), dying, program_run::program("mock-database"), sql});
        json::object tool, tools;
        tool["replay"] = "read_only";
        tools["db.query_supabase"] = std::move(tool);
        database["tools"] = std::move(tools);
        return marker;
    }

    // Returns the options of the pipeline.
    std::vector<std::string> words(smtp_sink const& sink)
    {
        auto const authorities = files.add("ca.pem", sink.authorities(), readable);
        auto email = other_email.empty() ? command(program_run::program("mock-email"),
                                                   {"--from", "reports@example.com", "--artifacts", artifacts, "--smtp",
                                                    sink.host(), "--ca", authorities})
                                         : other_email;
        json::object key, servers, config;
        key["MOCK_EMAIL_API_KEY"] = "k";
        email["env"] = std::move(key);
        servers["db"] = database;
        servers["email"] = std::move(email);
        config["mcpServers"] = std::move(servers);
        auto const path = files.add("servers.json", json::serialize(config), readable);
        return {"--config", path, "--artifacts", artifacts, "--conversations", files.path() + "/conversations.db"};
    }

    // Checks that no process remains: the command lines of both servers contain the folder.
    void expect_no_process() const
    {
        for (auto const& entry : std::filesystem::directory_iterator("/proc"))
            BOOST_TEST(!contains(read(entry.path() / "cmdline"), files.path()), entry.path());
    }
};

// A mail server in a thread.
struct pipeline_world : pipeline_files {
    observe::leaves_nothing nothing;
    world mail;
    smtp_sink sink{mail.executor};
    std::jthread thread;

    ~pipeline_world()
    {
        asio::post(mail.context, [this] { sink.close(); });
        if (!thread.joinable())
            mail.context.run();
    }

    program_run::result ask(std::vector<std::string> const& words, program_run::options const& with = {})
    {
        auto all = pipeline_files::words(sink);
        all.insert(all.begin(), program_run::program("pipeline"));
        all.insert(all.end(), words.begin(), words.end());
        if (!thread.joinable())
            thread = std::jthread([this] { mail.context.run(); });
        return program_run::run(all, with);
    }
};

// The pipeline over HTTP, with a mail server.
struct http_world : world, pipeline_files {
    smtp_sink sink{executor};
    std::optional<http_mock> program;
    std::uint16_t port = 0;

    asio::awaitable<void> starts(std::vector<std::string> more = {})
    {
        linkspan::stdio_config config;
        config.command = program_run::program("pipeline");
        config.args = words(sink);
        config.args.insert(config.args.end(), {"--http", "0"});
        config.args.insert(config.args.end(), more.begin(), more.end());
        program.emplace(executor, config);
        auto const url = co_await program->url();
        BOOST_TEST(url.starts_with("http://127.0.0.1:"), url);
        port = port_of(url);
    }

    void interrupt() { ::kill(program->child().pid(), SIGINT); }

    asio::awaitable<void> stops()
    {
        interrupt();
        co_await ends();
    }

    // Waits for the end of the program after an interruption.
    asio::awaitable<void> ends()
    {
        co_await program->ends();
        BOOST_TEST(contains(program->child().diagnostics(), "130"), program->child().diagnostics());
        program.reset();
        sink.close();
        expect_no_process();
    }
};

using tcp = asio::ip::tcp;
using http_request = boost::beast::http::request<boost::beast::http::string_body>;
using http_response = boost::beast::http::response<boost::beast::http::string_body>;

http_request request_of(std::string const& method, std::string const& target, std::string body = {})
{
    http_request out;
    out.method_string(method);
    out.target(target);
    out.set("Host", "127.0.0.1");
    out.body() = std::move(body);
    out.prepare_payload();
    return out;
}

http_request question(std::string const& text, std::string const& to = {})
{
    json::object body;
    body["question"] = text;
    if (!to.empty())
        body["to"] = to;
    return request_of("POST", "/questions", json::serialize(body));
}

asio::awaitable<tcp::socket> sends(std::uint16_t port, http_request request)
{
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect({asio::ip::address_v4::loopback(), port}, asio::use_awaitable);
    // A server that refuses a request may close the connection before it has read the body.
    co_await boost::beast::http::async_write(socket, request, in_tuple);
    co_return socket;
}

asio::awaitable<http_response> receives(tcp::socket& socket)
{
    boost::beast::flat_buffer buffer;
    http_response out;
    co_await boost::beast::http::async_read(socket, buffer, out, asio::use_awaitable);
    co_return out;
}

asio::awaitable<http_response> responds(std::uint16_t port, http_request request)
{
    auto socket = co_await sends(port, std::move(request));
    co_return co_await receives(socket);
}

// Returns the response to GET /state.
asio::awaitable<json::object> state_of(std::uint16_t port)
{
    auto const got = co_await responds(port, request_of("GET", "/state"));
    BOOST_TEST(got.result_int() == 200u);
    co_return json::parse(got.body()).as_object();
}

asio::awaitable<json::array> servers_of(std::uint16_t port)
{
    auto const state = co_await state_of(port);
    co_return state.at("servers").as_array();
}

// Waits until the first server has this number of requests in flight.
asio::awaitable<void> waits_for_requests(std::uint16_t port, int count)
{
    constexpr int max_rounds = 20'000;
    for (int round = 0; round != max_rounds; ++round) {
        auto const servers = co_await servers_of(port);
        if (servers.at(0).at("in_flight") == count)
            co_return;
    }
    BOOST_TEST_ERROR("the number of requests in flight is not " << count);
}

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

BOOST_FIXTURE_TEST_CASE(special_characters_are_escaped_in_the_files, pipeline_world)
{
    auto const script = files.add("odd.json", R"({"mock":1,"rules":[
        {"on":{"call":"db.query_supabase"},"where":{"/arguments/sql":{"contains":"AS total"}},
         "do":[{"structured":{"status":"success","count":1,"rows":[{"total":1}]}}]},
        {"on":{"call":"db.query_supabase"},
         "do":[{"structured":{"status":"success","count":1,"rows":[{"city":"a,\"b\"\r\n<i>&","value":1}]}}]}]})",
                                  readable);
    database = command(program_run::program("linkspan-mock"), {"--script", script});
    auto const got = ask({"sales", "by", "city"});
    BOOST_TEST_REQUIRE(got.status == 0, got.err);
    auto const answer = json::parse(got.out).as_object();
    BOOST_TEST(read(artifact(answer, ".csv")) == "city,value\r\n\"a,\"\"b\"\"\r\n<i>&\",1\r\n");
    auto const page = read(artifact(answer, ".html"));
    BOOST_TEST(contains(page, "&lt;i&gt;&amp;"), page);
    BOOST_TEST(!contains(page, "<i>"), page);
}

// Each statement has a response only if the server has received the other one.
BOOST_FIXTURE_TEST_CASE(both_statements_are_outstanding_at_the_same_time, pipeline_world)
{
    auto const script = files.add("gates.json", R"({"mock":1,"rules":[
        {"on":{"call":"db.query_supabase"},"where":{"/arguments/sql":{"contains":"AS total"}},
         "do":[{"openGate":"total"},{"gate":"rows"},
               {"structured":{"status":"success","count":1,"rows":[{"total":3}]}}]},
        {"on":{"call":"db.query_supabase"},
         "do":[{"openGate":"rows"},{"gate":"total"},
               {"structured":{"status":"success","count":1,"rows":[{"city":"Oslo","value":3}]}}]}]})",
                                  readable);
    database = command(program_run::program("linkspan-mock"), {"--script", script});
    auto const got = ask({"sales", "by", "city"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(contains(got.out, R"("text":"1 rows, total 3")"), got.out);
}

BOOST_FIXTURE_TEST_CASE(question_without_rows_leads_to_files_with_the_names_of_the_columns, pipeline_world)
{
    auto const got = ask({"sales by city in Berlin"});
    BOOST_TEST_REQUIRE(got.status == 0, got.err);
    auto const answer = json::parse(got.out).as_object();
    BOOST_TEST(answer.at("text").as_string() == "0 rows");
    BOOST_TEST(read(artifact(answer, ".csv")) == "city,value\r\n");
    auto const page = read(artifact(answer, ".html"));
    BOOST_TEST(contains(page, "<th>city</th><th>value</th>"), page);
    BOOST_TEST(contains(page, "<p>No rows</p>"), page);
}

BOOST_FIXTURE_TEST_CASE(lost_email_server_does_not_lose_the_answer_and_receives_no_second_call, pipeline_world)
{
    auto const log = files.path() + "/calls";
    auto const script = files.add("dying.json", R"({"mock":1,"rules":[
        {"on":{"call":"email.send_report"},"do":[{"stderr":"called"},{"exit":17}]}]})",
                                  readable);
    other_email = command("/bin/sh", {"-c", "exec \"$1\" --script \"$2\" 2>>\"$3\"", "sh",
                                      program_run::program("linkspan-mock"), script, log});
    auto const got = ask({"--to", "ann@example.org", "sales by city"});
    BOOST_TEST(got.status == 1, got.err);
    auto const answer = json::parse(got.out).as_object();
    BOOST_TEST(answer.at("status").as_string() == "success");
    BOOST_TEST(contains(std::string(answer.at("email").as_string()), "a server may have executed the call"), got.out);
    auto const calls = read(log);
    BOOST_TEST(calls == "called\n");
    expect_no_process();
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
    auto const marker = set_dying_database();
    auto const got = ask({"sales by city"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(contains(got.out, R"("text":"3 rows, total 1700.65")"), got.out);
    BOOST_TEST(std::filesystem::exists(marker)); // of the first start
}

BOOST_FIXTURE_TEST_CASE(interruption_ends_all_processes, pipeline_world)
{
    set_hanging_database();
    auto const got = ask({"sales by city"}, {.signal_when = "sql - "});
    BOOST_TEST(got.status == 128 + SIGINT, got.err);
    expect_no_process();
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
    auto const port = program_run::run({program, "--http", "65536"});
    BOOST_TEST(port.status == 2);
    BOOST_TEST(port.err.starts_with("pipeline: option '--http': expected a number from 0 to 65535, found '65536'\n"),
               port.err);
    auto const both = program_run::run({program, "--config", "x", "--http", "0", "sales by city"});
    BOOST_TEST(both.status == 2);
    BOOST_TEST(both.err.starts_with("pipeline: expected '--config FILE', and a question or '--http PORT'\n"), both.err);
    BOOST_TEST(program_run::run({program, "--help"}).out.starts_with("usage: pipeline "));
}

HARNESS_CASE_IN(http_world, question_over_http_leads_to_the_same_files_message_and_conversation)
{
    co_await starts();
    auto const got = co_await responds(port, question("top 2 cities", "ann@example.org"));
    BOOST_TEST(got.result_int() == 200u);
    BOOST_TEST(got["Content-Type"] == "application/json");
    auto const answer = json::parse(got.body()).as_object();
    BOOST_TEST(answer.at("status") == "success");
    BOOST_TEST(answer.at("text") == "2 rows, total 1700.65");
    BOOST_TEST(answer.at("rows") == 2);
    BOOST_TEST(answer.at("email") == "sent");
    BOOST_TEST(answer.at("conversation_id") == 1);
    auto const csv = artifact(answer, ".csv"), report = artifact(answer, ".html");
    auto const stem = std::filesystem::path(csv).stem().string();
    BOOST_TEST(stem.starts_with("data-20"));
    BOOST_TEST(stem.size() == std::string("data-20260102-030405").size());
    BOOST_TEST(std::filesystem::path(report).stem().string().starts_with("report-20"));
    BOOST_TEST(read(csv) == "city,value\r\nRome,690\r\nOslo,600.75\r\n");
    BOOST_TEST(contains(read(report), "<p>Total: 1700.65</p>"));
    BOOST_TEST_REQUIRE(sink.messages.size() == 1u);
    BOOST_TEST(contains(sink.messages[0], "To: ann@example.org\r\n"));
    auto const unknown = co_await responds(port, question("the weather"));
    BOOST_TEST(unknown.result_int() == 422u);
    BOOST_TEST(contains(unknown.body(), "no rule for 'the weather'"), unknown.body());
    BOOST_TEST(contains(unknown.body(), R"("conversation_id":2)"), unknown.body());
    co_await stops();
}

HARNESS_CASE_IN(http_world, question_is_answered_while_another_one_waits)
{
    sink.replies["RCPT"] = "-"; // the mail server does not respond
    co_await starts();
    auto waiting = co_await sends(port, question("sales by product", "ann@example.org"));
    while (sink.commands.empty() || !sink.commands.back().starts_with("RCPT"))
        co_await servers_of(port);
    auto const other = co_await responds(port, question("top 1 cities"));
    BOOST_TEST(other.result_int() == 200u);
    BOOST_TEST(contains(other.body(), R"("text":"1 rows, total 1700.65")"), other.body());
    BOOST_TEST(waiting.available() == 0u);
    sink.close();
    auto const got = co_await receives(waiting);
    BOOST_TEST(got.result_int() == 200u);
    auto const answer = json::parse(got.body()).as_object();
    BOOST_TEST(contains(answer.at("email").as_string(), "The connection to the mail server failed"), got.body());
    BOOST_TEST(read(artifact(answer, ".csv")).starts_with("product,value\r\n"));
    auto const top = json::parse(other.body()).as_object();
    BOOST_TEST(read(artifact(top, ".csv")) == "city,value\r\nRome,690\r\n");
    co_await stops();
}

HARNESS_CASE_IN(http_world, wrong_request_is_refused_with_its_place)
{
    co_await starts();
    struct row {
        http_request request;
        unsigned status;
        std::string text;
    };
    auto foreign = question("sales by city"), renamed = request_of("GET", "/state");
    foreign.set("Origin", "https://example.com");
    renamed.set("Host", "example.com");
    auto const post = [](std::string body) { return request_of("POST", "/questions", std::move(body)); };
    std::vector<row> const rows{
        {post(""), 400, "expected JSON, found invalid text at byte 0"},
        {post(R"({"question":)"), 400, "invalid text at byte 12"},
        {post("[]"), 400, "expected an object"},
        {post("{}"), 400, "/question: expected"},
        {post(R"({"question":7})"), 400, "/question: expected a string, found a number"},
        {post(R"({"question":"sales by city","to":["a@b"]})"), 400, "/to: expected a string"},
        {post(R"({"question":"sales by city","too":"a@b"})"), 400, "/too: expected"},
        {post(std::string(70'000, 'x')), 413, ""},
        {request_of("GET", "/questions"), 405, "expected the method POST"},
        {request_of("DELETE", "/state"), 405, "expected the method GET"},
        {request_of("GET", "/"), 404, "expected the path /questions or /state"},
        {request_of("POST", "/questions/1", "{}"), 404, "expected the path /questions or /state"},
        {foreign, 403, "another site"},
        {renamed, 403, "another site"},
    };
    for (auto const& [request, status, text] : rows) {
        auto const got = co_await responds(port, request);
        BOOST_TEST(got.result_int() == status, request.target() << ": " << got);
        BOOST_TEST(contains(got.body(), text), got.body());
        if (status == 405)
            BOOST_TEST(!got["Allow"].empty());
    }
    auto const good = co_await responds(port, question("sales by city"));
    BOOST_TEST(good.result_int() == 200u);
    co_await stops();
}

HARNESS_CASE_IN(http_world, question_over_http_is_answered_after_the_loss_of_the_database_server)
{
    auto const marker = set_dying_database();
    co_await starts();
    auto const got = co_await responds(port, question("sales by city"));
    BOOST_TEST(got.result_int() == 200u);
    BOOST_TEST(contains(got.body(), R"("text":"3 rows, total 1700.65")"), got.body());
    BOOST_TEST(std::filesystem::exists(marker)); // of the first start
    auto const before = co_await servers_of(port);
    BOOST_TEST(before.at(0).at("restarts") == 1);
    ::kill(static_cast<pid_t>(before.at(0).at("pid").as_int64()), SIGKILL);
    auto const again = co_await responds(port, question("sales by city"));
    BOOST_TEST(again.result_int() == 200u, again);
    co_await stops();
}

HARNESS_CASE_IN(http_world, state_over_http_has_processes_and_their_resources)
{
    co_await starts();
    auto const state = co_await state_of(port);
    BOOST_TEST(state.at("handler_delay").as_double() >= 0);
    auto const& servers = state.at("servers").as_array();
    BOOST_TEST_REQUIRE(servers.size() == 2u);
    for (auto const& server : servers) {
        BOOST_TEST(server.at("state") == "ready");
        BOOST_TEST(server.at("uptime").as_double() >= 0);
        BOOST_TEST(server.at("in_flight") == 0);
        BOOST_TEST(server.at("queued") == 0);
        auto const pid = server.at("pid").as_int64();
        BOOST_TEST(server.at("open_files").as_int64() ==
                   static_cast<std::int64_t>(observe::descriptors_of(std::to_string(pid)).size()));
        BOOST_TEST(server.at("resident_bytes").as_int64() > 100'000);
    }
    BOOST_TEST(
        contains(read("/proc/" + std::to_string(servers.at(0).at("pid").as_int64()) + "/cmdline"), "mock-database"));
    co_await stops();
}

HARNESS_CASE_IN(http_world, port_in_use_is_reported)
{
    co_await starts();
    auto second = words(sink);
    second.insert(second.begin(), program_run::program("pipeline"));
    second.insert(second.end(), {"--http", std::to_string(port)});
    auto const got = program_run::run(second);
    BOOST_TEST(got.status == 1);
    auto const message = "pipeline: cannot listen on port " + std::to_string(port) + ": Address already in use\n";
    BOOST_TEST(got.err.ends_with(message), got.err);
    co_await stops();
}

HARNESS_CASE_IN(http_world, interruption_of_a_request_is_a_response_and_ends_all_processes)
{
    set_hanging_database();
    co_await starts();
    auto waiting = co_await sends(port, question("sales by city"));
    co_await waits_for_requests(port, 2);
    interrupt();
    auto const got = co_await receives(waiting);
    BOOST_TEST(got.result_int() == 503u);
    BOOST_TEST(contains(got.body(), "the program is being stopped"), got.body());
    co_await ends();
}

HARNESS_CASE_IN(http_world, question_over_http_ends_with_its_time)
{
    set_hanging_database();
    std::vector<std::string> const second{"--timeout", "1"};
    co_await starts(second);
    auto const got = co_await responds(port, question("sales by city"));
    BOOST_TEST(got.result_int() == 504u);
    BOOST_TEST(contains(got.body(), "no answer in time"), got.body());
    co_await waits_for_requests(port, 0);
    co_await stops();
}

HARNESS_CASE_IN(http_world, question_over_http_ends_with_its_connection)
{
    set_hanging_database();
    std::vector<std::string> const hour{"--timeout", "3600"};
    co_await starts(hour);
    {
        auto const lost = co_await sends(port, question("sales by city"));
        co_await waits_for_requests(port, 2);
    }
    co_await waits_for_requests(port, 0);
    co_await stops();
}

BOOST_AUTO_TEST_SUITE_END()
