// mock-database [OPTION...]: an MCP server over standard streams with the tool db.query_supabase. See usage.

#include <linkspan/server/serve_stdio.hpp>
#include <linkspan/server/server.hpp>

#include <boost/asio/io_context.hpp>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "database/postgres_database.hpp"
#include "database/query_tool.hpp"
#include "database/sqlite_database.hpp"

namespace {

constexpr std::string_view usage = R"(usage: mock-database [OPTION...]

Serves the tool db.query_supabase, which executes one SELECT statement, to the client that started this process.

  --database FILE    the SQLite database, which is opened for reading; default: an empty one in memory
  --database URL     a PostgreSQL database: postgresql://USER@HOST/NAME; see also MOCK_DATABASE_URL
  --create FILE      the SQL statements that create the tables of the database in memory
  --max-rows NUMBER  maximum number of rows of a result, default 1000
  --max-bytes NUMBER maximum size of the rows of a result as JSON text, default 1048576
  --timeout NUMBER   milliseconds after which a query is stopped, default 5000
  --help             writes this text

Without --database and --create, the environment variable MOCK_DATABASE_URL is used, so that a password is not visible in
the list of processes. Exit status: 0 after the end of the client; 1 if the database cannot be opened; 2 for a wrong command line.
)";

struct options {
    std::string database, script;
    mock_database::query_limits limits;
    bool help = false;
};

template<class Number>
Number read_number(std::string const& option, std::string const& digits)
{
    Number out = 0;
    auto const* const end = digits.data() + digits.size();
    auto const read = std::from_chars(digits.data(), end, out);
    if (read.ec != std::errc() || read.ptr != end || out < 1 || out > 1'000'000'000)
        throw std::invalid_argument("option '" + option + "': expected a number from 1 to 1000000000, found '" +
                                    digits + "'");
    return out;
}

options read_options(std::vector<std::string> const& words)
{
    options out;
    for (std::size_t i = 0; i != words.size(); ++i) {
        auto const& word = words[i];
        if (word == "--help") {
            out.help = true;
            continue;
        }
        if (word != "--database" && word != "--create" && word != "--max-rows" && word != "--max-bytes" &&
            word != "--timeout")
            throw std::invalid_argument("unknown option '" + word + "'");
        if (++i == words.size())
            throw std::invalid_argument("option '" + word + "': expected a value");
        auto const& value = words[i];
        if (word == "--database")
            out.database = value;
        else if (word == "--create")
            out.script = value;
        else if (word == "--max-rows")
            out.limits.max_rows = read_number<std::size_t>(word, value);
        else if (word == "--max-bytes")
            out.limits.max_bytes = read_number<std::size_t>(word, value);
        else
            out.limits.timeout = std::chrono::milliseconds(read_number<std::chrono::milliseconds::rep>(word, value));
    }
    if (!out.database.empty() && !out.script.empty())
        throw std::invalid_argument("option '--create': the database must be one in memory");
    auto const* const url = std::getenv("MOCK_DATABASE_URL");
    if (url && out.database.empty() && out.script.empty())
        out.database = url;
    return out;
}

std::string read_file(std::string const& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string out{std::istreambuf_iterator<char>(in), {}};
    if (!in)
        throw mock_database::database_error("cannot read '" + path + "'");
    return out;
}

std::unique_ptr<mock_database::database> open(options const& with)
{
    if (with.database.starts_with("postgresql://") || with.database.starts_with("postgres://"))
        return std::make_unique<mock_database::postgres_database>(with.database);
    if (!with.database.empty())
        return mock_database::sqlite_database::open(with.database);
    return mock_database::sqlite_database::create(with.script.empty() ? std::string() : read_file(with.script));
}

} // namespace

int main(int argc, char** argv)
{
    options with;
    try {
        with = read_options({argv + 1, argv + argc});
    } catch (std::invalid_argument const& wrong) {
        std::cerr << "mock-database: " << wrong.what() << "\n\n" << usage;
        return 2;
    }
    if (with.help) {
        std::cout << usage;
        return 0;
    }
    try {
        boost::asio::io_context context(1);
        linkspan::server server(context.get_executor(), {.name = "mock-database", .version = "1.0"});
        mock_database::add_query_tool(server, open(with), with.limits);
        linkspan::serve_stdio(server);
        context.run();
    } catch (std::exception const& failed) {
        std::cerr << "mock-database: " << failed.what() << '\n';
        return 1;
    }
}
