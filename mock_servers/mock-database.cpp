// mock-database [OPTION...]: an MCP server over standard streams with the tool db.query_supabase. See usage.

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "database/postgres_database.hpp"
#include "database/query_tool.hpp"
#include "database/sqlite_database.hpp"
#include "serve_program.hpp"

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

Without --database and --create, the environment variable MOCK_DATABASE_URL is used, so that a password is not visible
in the list of processes. Exit status: 0 after the end of the client; 1 if the database cannot be opened; 2 for a wrong
command line.
)";

struct options {
    std::string database, script;
    mock_database::query_limits limits;
    bool help = false;
};

options read_options(mock_servers::option_reader& words)
{
    constexpr std::size_t max = 1'000'000'000;
    options out;
    while (words.next()) {
        auto const& word = words.option();
        if (word == "--help")
            out.help = true;
        else if (word == "--database")
            out.database = words.value();
        else if (word == "--create")
            out.script = words.value();
        else if (word == "--max-rows")
            out.limits.max_rows = words.number<std::size_t>(1, max);
        else if (word == "--max-bytes")
            out.limits.max_bytes = words.number<std::size_t>(1, max);
        else if (word == "--timeout")
            out.limits.timeout = std::chrono::milliseconds(words.number<std::size_t>(1, max));
        else
            throw words.unknown();
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
    return mock_servers::serve_program("mock-database", usage, {argc, argv}, read_options,
                                       [](linkspan::server& server, options const& with) {
                                           mock_database::add_query_tool(server, open(with), with.limits);
                                       });
}
