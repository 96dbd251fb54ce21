// mock-database as a program, with SQLite and with a PostgreSQL server that the cases start.

#include <linkspan/describe/call_result_as.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/folder.hpp"
#include "support/golden.hpp"
#include "support/http_mock.hpp"
#include "support/program_run.hpp"
#include "support/skip.hpp"

BOOST_AUTO_TEST_SUITE(mock_database_test)

using namespace harness;
using linkspan::session;
using linkspan::stdio;
using linkspan::stdio_config;
using linkspan::via;
using observe::folder;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;

// The function writes: only the transaction rejects it.
constexpr std::string_view writing_function = R"(
CREATE FUNCTION write_order() RETURNS integer LANGUAGE sql AS 'INSERT INTO orders VALUES (9) RETURNING id';
)";

constexpr std::string_view orders = R"(
CREATE TABLE orders(id INTEGER, city TEXT, total REAL);
INSERT INTO orders VALUES (1, 'Paris', 10.5), (2, 'Oslo', 20.25), (3, 'Paris', 4.25);
)";

// A statement and the text of its result.
struct exchange {
    std::string sql, result;
};

constexpr std::string_view only_select = R"({"status":"error","error":"Only SELECT statements are allowed."})";

// Statements whose results do not depend on the database. None of them changes it.
std::vector<exchange> common_exchanges()
{
    return {
        {"SELECT city, sum(total) AS total FROM orders GROUP BY city ORDER BY city",
         R"({"status":"success","rows":[{"city":"Oslo","total":20.25},{"city":"Paris","total":14.75}],"count":2})"},
        {"  -- all\n select id from orders where city = 'x; drop' ;  ", R"({"status":"success","rows":[],"count":0})"},
        {"WITH o AS (SELECT id FROM orders) SELECT id, id, 7 AS id_2 FROM o ORDER BY 1 DESC LIMIT 1",
         R"({"status":"success","rows":[{"id":3,"id_3":3,"id_2":7}],"count":1})"},
        {"SELECT 'a\"\\\n\xc3\xa9' AS text, NULL AS empty",
         R"({"status":"success","rows":[{"text":"a\"\\\né","empty":null}],"count":1})"},
        {"SELECT id FROM orders ORDER BY total DESC",
         R"({"status":"success","rows":[{"id":2},{"id":1},{"id":3}],"count":3})"},
        {std::string("SELECT 1 \0", 10), R"({"status":"error","error":"The statement contains a NUL character."})"},
        {"/* nothing */ ", R"({"status":"error","error":"The query is empty."})"},
        {"EXPLAIN SELECT 1", std::string(only_select)},
        {"insert into orders values (4)", std::string(only_select)},
        {"SELECT 1; SELECT 2", R"({"status":"error","error":"Only one statement is allowed."})"},
        {"SELECT 1; DROP TABLE orders", R"({"status":"error","error":"Only one statement is allowed."})"},
        {"WITH x AS (dElEtE FROM orders RETURNING id) SELECT id FROM x",
         R"({"status":"error","error":"The statement contains the forbidden word DELETE."})"},
    };
}

// Returns statements with each forbidden word, in capitals and in small letters.
std::vector<exchange> forbidden_statements()
{
    std::vector<exchange> out;
    for (std::string const word :
         {"INSERT", "UPDATE", "DELETE", "DROP", "ALTER", "CREATE", "TRUNCATE", "GRANT", "REVOKE"}) {
        auto small = word;
        std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
        for (auto const& written : {word, small})
            out.push_back({"WITH x AS (" + written + " orders) SELECT id FROM x",
                           R"({"status":"error","error":"The statement contains the forbidden word )" + word + ".\"}"});
    }
    return out;
}

asio::awaitable<std::string> result_of(session& client, std::string sql)
{
    boost::json::object arguments;
    arguments["sql"] = sql;
    auto const [ec, result] = co_await client.async_call_tool("db.query_supabase", arguments, in_tuple);
    BOOST_TEST(!ec, sql << ": " << linkspan::explain(ec, result));
    co_return std::string(result.text());
}

asio::awaitable<void> check(session& client, std::vector<exchange> const& all)
{
    for (auto const& [sql, result] : all) {
        auto const got = co_await result_of(client, sql);
        BOOST_TEST(got == result, sql << ": " << got);
    }
}

// Checks that the database rejects each statement, and that the table is unchanged at the end.
asio::awaitable<void> rejects(session& client, std::vector<std::string> const& statements)
{
    for (auto const& sql : statements) {
        auto const got = co_await result_of(client, sql);
        BOOST_TEST(got.starts_with(R"({"status":"error",)"), sql << ": " << got);
    }
    auto const count = co_await result_of(client, "SELECT count(*) AS count FROM orders");
    BOOST_TEST(count == R"({"status":"success","rows":[{"count":3}],"count":1})");
}

// A call without an end is cancelled; the next one is then executed.
asio::awaitable<void> stops(session& client, std::string endless)
{
    boost::json::object arguments;
    arguments["sql"] = endless;
    asio::cancellation_signal cancel;
    bool done = false;
    auto token = asio::bind_cancellation_slot(cancel.slot(), [&](linkspan::error_code ec, linkspan::call_result) {
        done = true;
        BOOST_TEST((ec == asio::error::operation_aborted), ec.message());
    });
    client.async_call_tool("db.query_supabase", arguments, std::move(token));
    co_await client.async_ping(); // the server has received the call
    BOOST_TEST(!done);
    cancel.emit(asio::cancellation_type::terminal);
    auto const next = co_await result_of(client, "SELECT 1 AS one");
    BOOST_TEST(next == R"({"status":"success","rows":[{"one":1}],"count":1})");
    BOOST_TEST(done);
}

// A PostgreSQL server with the table `orders`.
class postgres {
public:
    explicit postgres(asio::any_io_executor const& executor)
        : server_(executor,
                  {.command = "/bin/bash",
                   .args = {std::getenv("LINKSPAN_TEST_DIR") + std::string("/support/postgres.sh"), files_.path()}})
    {}

    asio::awaitable<std::string> url()
    {
        auto out = co_await server_.url();
        auto const script =
            files_.add("orders.sql", std::string(orders) + std::string(writing_function), std::filesystem::perms::all);
        auto const created = program_run::run({"/usr/bin/psql", "--quiet", "--file", script, "--dbname", out});
        BOOST_TEST_REQUIRE(created.status == 0, created.err);
        co_return out;
    }

    asio::awaitable<void> ends() { return server_.ends(); }

private:
    folder files_;
    http_mock server_;
};

void require_postgres()
{
    if (program_run::run({"/bin/sh", "-c", "ls /usr/lib/postgresql/*/bin/initdb"}).status != 0)
        skip("PostgreSQL is not installed (Debian: postgresql)");
}

} // namespace

HARNESS_CASE(sqlite_executes_statements_that_read_and_rejects_others)
{
    folder const files;
    auto const script = files.add("orders.sql", std::string(orders), readable);
    session client(executor, via<stdio>(mock("mock-database", {"--create", script})));
    co_await opens(client);
    auto const list = co_await client.async_list_tools();
    BOOST_TEST_REQUIRE(list.tools.size() == 1u);
    BOOST_TEST(list.tools[0].name == "db.query_supabase");
    BOOST_TEST(list.tools[0].annotations.read_only);
    auto const common = common_exchanges();
    co_await check(client, common);
    auto const forbidden = forbidden_statements();
    co_await check(client, forbidden);
    std::vector<exchange> const exchanges{
        {"SELECT x'00ff' AS bytes, 1e999 AS infinite, 2.5 AS number",
         R"({"status":"success","rows":[{"bytes":"00ff","infinite":"Infinity","number":2.5}],)"
         R"("count":1})"}};
    co_await check(client, exchanges);
    std::vector<std::string> const rejected{"WITH x AS (SELECT 9) REPLACE INTO orders SELECT 9, 'x', 9",
                                            "SELECT 1) LIMIT 99 /*",
                                            "SELECT 1) UNION SELECT * FROM (SELECT 2",
                                            "SELECT load_extension('x')",
                                            "SELECT FTS3_tokenizer('simple', x'4141414141414141')",
                                            "SELECT * FROM pragma_query_only",
                                            "SELECT no_such_column FROM orders",
                                            "SELECT 'x"};
    co_await rejects(client, rejected);
    co_await shuts_down(client);
}

// The bodies of the request and of the response.
HARNESS_CASE(query_and_its_result_are_messages_of_golden_files)
{
    folder const files;
    auto const script = files.add("orders.sql", std::string(orders), readable);
    recorded_messages const messages;
    linkspan::session_options options;
    options.remembered = linkspan::era::handshake;
    auto const config = messages.around(mock("mock-database", {"--create", script}));
    session client(executor, via<stdio>(config), options);
    co_await opens(client);
    boost::json::object arguments;
    arguments["sql"] = "SELECT city, sum(total) AS total FROM orders GROUP BY city ORDER BY city";
    auto const result = co_await client.async_call_tool("db.query_supabase", arguments);
    auto const rows = result.as<boost::json::object>();
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST(rows->at("rows").at(1).at("city") == "Paris");
    BOOST_TEST(rows->at("count") == 2);
    co_await shuts_down(client);
    messages.expect_golden("query_supabase", "tools/call");
}

HARNESS_CASE(memory_of_a_query_is_limited_and_its_text_is_valid)
{
    session client(executor, via<stdio>(mock("mock-database", {"--timeout", "20000"})));
    co_await opens(client);
    std::vector<exchange> const exchanges{
        {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) "
         "SELECT count(*) AS n FROM (SELECT DISTINCT hex(zeroblob(300000)) || i FROM n)",
         R"({"status":"error","error":"out of memory"})"},
        {"SELECT CAST(x'ff' AS TEXT) AS x",
         "{\"status\":\"success\",\"rows\":[{\"x\":\"\xef\xbf\xbd\"}],\"count\":1}"}};
    co_await check(client, exchanges);
    co_await shuts_down(client);
}

HARNESS_CASE(sqlite_query_has_limits)
{
    folder const files;
    auto const script = files.add("orders.sql", std::string(orders), readable);
    session client(executor, via<stdio>(mock("mock-database", {"--create", script, "--max-rows", "2", "--max-bytes",
                                                               "100", "--timeout", "100"})));
    co_await opens(client);
    std::string const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ";
    std::vector<exchange> const exchanges{
        {"SELECT id FROM orders WHERE id < 3", R"({"status":"success","rows":[{"id":1},{"id":2}],"count":2})"},
        {"SELECT id FROM orders", R"({"status":"success","rows":[{"id":1},{"id":2}],"count":2,"truncated":true})"},
        {"SELECT printf('%080d', 0) AS long, printf('%080d', 0) AS other",
         R"({"status":"success","rows":[],"count":0,"truncated":true})"},
        {"SELECT hex(zeroblob(60)) AS long", R"({"status":"error","error":"string or blob too big"})"},
        {endless + "count(*) FROM n", R"({"status":"error","error":"The query was stopped after 100 ms."})"},
        {endless + "i FROM n", R"({"status":"success","rows":[{"i":1},{"i":2}],"count":2,"truncated":true})"}};
    co_await check(client, exchanges);
    boost::json::object one;
    one["sql"] = "SELECT id FROM orders";
    one["limit"] = 1;
    auto const limited = co_await client.async_call_tool("db.query_supabase", one);
    BOOST_TEST(limited.text() == R"({"status":"success","rows":[{"id":1}],"count":1,"truncated":true})");
    co_await shuts_down(client);
}

HARNESS_CASE(cancelled_call_stops_its_query)
{
    session client(executor, via<stdio>(mock("mock-database", {"--timeout", "1000000"})));
    co_await opens(client);
    co_await stops(client, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    co_await shuts_down(client);
}

HARNESS_CASE(postgres_executes_statements_that_read_and_rejects_others)
{
    require_postgres();
    postgres server(executor);
    auto const url = co_await server.url();
    session client(executor, via<stdio>(mock("mock-database", {"--database", url})));
    co_await opens(client);
    auto const common = common_exchanges();
    co_await check(client, common);
    auto const forbidden = forbidden_statements();
    co_await check(client, forbidden);
    std::vector<exchange> const exchanges{
        {R"(SELECT 1.10 AS price, true AS yes, ARRAY[1, 2] AS list, '{"a":1}'::json AS object)",
         R"({"status":"success","rows":[{"price":1.10,"yes":true,"list":[1,2],"object":{"a":1}}],)"
         R"("count":1})"},
        {"SELECT 'NaN'::float8 AS number, '\\x00ff'::bytea AS bytes, date '2026-01-02' AS day",
         R"({"status":"success","rows":[{"number":"NaN","bytes":"\\x00ff","day":"2026-01-02"}],)"
         R"("count":1})"}};
    co_await check(client, exchanges);
    std::vector<exchange> const written{
        {"SELECT write_order() AS id",
         R"({"status":"error","error":"cannot execute INSERT in a read-only transaction"})"}};
    co_await check(client, written);
    std::vector<std::string> const rejected{
        "SELECT * INTO copies FROM orders",
        "SELECT 1) AS r LIMIT 99 /*",
        "SELECT 1) --",
        "SELECT * FROM orders FOR SHARE",
        "SELECT 1) AS a, (SELECT 2",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "WITH x AS (SELECT 9) MERGE INTO orders USING x ON true WHEN MATCHED THEN DO NOTHING",
        "SELECT no_such_column FROM orders",
        "SELECT $1",
        "SELECT 'x"};
    co_await rejects(client, rejected);
    co_await shuts_down(client);
    co_await server.ends();
}

HARNESS_CASE(postgres_query_has_limits)
{
    require_postgres();
    postgres server(executor);
    auto const url = co_await server.url();
    auto config = mock("mock-database", {"--max-rows", "2", "--max-bytes", "100", "--timeout", "100"});
    config.env["MOCK_DATABASE_URL"] = url;
    session client(executor, via<stdio>(config));
    co_await opens(client);
    std::vector<exchange> const exchanges{
        {"SELECT id FROM orders WHERE id < 3", R"({"status":"success","rows":[{"id":1},{"id":2}],"count":2})"},
        {"SELECT id FROM orders", R"({"status":"success","rows":[{"id":1},{"id":2}],"count":2,"truncated":true})"},
        {"SELECT repeat('x', 200) AS long", R"({"status":"success","rows":[],"count":0,"truncated":true})"},
        {"SELECT pg_sleep(1000)", R"({"status":"error","error":"The query was stopped after 100 ms."})"},
        {"SELECT generate_series(1, 1000000000) AS i",
         R"({"status":"success","rows":[{"i":1},{"i":2}],"count":2,"truncated":true})"}};
    co_await check(client, exchanges);
    co_await shuts_down(client);

    session patient(executor, via<stdio>(mock("mock-database", {"--database", url, "--timeout", "1000000"})));
    co_await opens(patient);
    co_await stops(patient, "SELECT pg_sleep(1000)");
    co_await shuts_down(patient);
    co_await server.ends();
}

BOOST_AUTO_TEST_CASE(file_is_opened_for_reading)
{
    folder const files;
    auto const program = program_run::program("mock-database");
    auto const missing = files.path() + "/missing.db";
    auto const absent = program_run::run({program, "--database", missing});
    BOOST_TEST(absent.status == 1);
    BOOST_TEST(absent.err == "mock-database: cannot open '" + missing + "': unable to open database file\n");
    BOOST_TEST(!std::filesystem::exists(missing));
    auto const other = files.add("other.db", std::string(5000, 'x'), readable);
    auto const invalid = program_run::run({program, "--database", other});
    BOOST_TEST(invalid.status == 1);
    BOOST_TEST(invalid.err == "mock-database: cannot open '" + other + "': file is not a database\n");
    auto const wrong = program_run::run({program, "--create", other});
    BOOST_TEST(wrong.status == 1);
    BOOST_TEST(wrong.err.starts_with("mock-database: near \"xxx"), wrong.err);
}

BOOST_AUTO_TEST_CASE(wrong_options_are_explained)
{
    struct row {
        std::vector<std::string> words;
        std::string message;
    };
    auto const program = program_run::program("mock-database");
    for (auto const& [words, message] :
         {row{{"--databse"}, "unknown option '--databse'"},
          row{{"--database"}, "option '--database': expected a value"},
          row{{"--max-rows", "0"}, "option '--max-rows': expected a number from 1 to 1000000000, found '0'"},
          row{{"--database", "a", "--create", "b"}, "option '--create': the database must be one in memory"}}) {
        auto all = words;
        all.insert(all.begin(), program);
        auto const wrong = program_run::run(std::move(all));
        BOOST_TEST(wrong.status == 2);
        BOOST_TEST(wrong.err.starts_with("mock-database: " + message + "\n\nusage: mock-database "), wrong.err);
    }
    auto const help = program_run::run({program, "--help"});
    BOOST_TEST(help.status == 0);
    BOOST_TEST(help.out.starts_with("usage: mock-database "), help.out);
}

BOOST_AUTO_TEST_CASE(password_is_not_part_of_an_error)
{
    auto const program = program_run::program("mock-database");
    for (std::string const url :
         {"postgresql://user:secret@[::1", "postgresql://user:secret@localhost:99999999/x",
          "postgresql://user:secret@/x?host=/no/such/folder", "postgresql://user:pa@secret@localhost/x",
          "postgresql://user:secret/pa@localhost/x"}) {
        auto const failed = program_run::run({program}, {.env = {{"MOCK_DATABASE_URL", url}}});
        BOOST_TEST(failed.status == 1);
        BOOST_TEST(failed.err.starts_with("mock-database: cannot open the database: "), failed.err);
        BOOST_TEST(!contains(failed.err, "secret"), failed.err);
    }
}

BOOST_AUTO_TEST_SUITE_END()
