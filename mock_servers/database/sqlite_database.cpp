#include "sqlite_database.hpp"

#include <linkspan/json/json_writer.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <sqlite3.h>
#include <string_view>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace mock_database {

namespace {

using clock = std::chrono::steady_clock;

struct finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

using statement_pointer = std::unique_ptr<sqlite3_stmt, finalizer>;

// State of one query, which SQLite examines every few thousand steps.
struct running_query {
    clock::time_point deadline;
    std::stop_token stop;

    bool must_end() const { return stop.stop_requested() || clock::now() >= deadline; }
};

// Ends the examination of a query that is destroyed.
class progress_guard {
public:
    progress_guard(sqlite3* handle, running_query& query) : handle_(handle)
    {
        sqlite3_progress_handler(
            handle, 10'000, [](void* data) { return static_cast<running_query*>(data)->must_end() ? 1 : 0; }, &query);
    }

    progress_guard(progress_guard const&) = delete;
    progress_guard& operator=(progress_guard const&) = delete;

    ~progress_guard() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }

private:
    sqlite3* handle_;
};

int authorize(void*, int action, char const*, char const* function, char const*, char const*)
{
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: // both functions accept addresses of code
        return sqlite3_stricmp(function, "load_extension") == 0 || sqlite3_stricmp(function, "fts3_tokenizer") == 0
                   ? SQLITE_DENY
                   : SQLITE_OK;
    default: return SQLITE_DENY;
    }
}

[[noreturn]] void fail(sqlite3* handle) { throw database_error(sqlite3_errmsg(handle)); }

void execute(sqlite3* handle, std::string const& script)
{
    if (sqlite3_exec(handle, script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        fail(handle);
}

// Compiles the first statement of `text`, which must be the only one.
statement_pointer prepare(sqlite3* handle, std::string_view text)
{
    statement_pointer first;
    while (!text.empty()) {
        sqlite3_stmt* statement = nullptr;
        char const* tail = nullptr;
        auto const size = static_cast<int>(std::min<std::size_t>(text.size(), std::numeric_limits<int>::max()));
        int const result = sqlite3_prepare_v2(handle, text.data(), size, &statement, &tail);
        statement_pointer next(statement);
        if (result != SQLITE_OK)
            fail(handle);
        if (next && first)
            throw database_error("Only one statement is allowed.");
        if (next)
            first = std::move(next);
        if (tail == text.data()) // a NUL character
            break;
        text.remove_prefix(static_cast<std::size_t>(tail - text.data()));
    }
    if (!first || sqlite3_stmt_readonly(first.get()) == 0 || sqlite3_stmt_isexplain(first.get()) != 0)
        throw database_error("Only SELECT statements are allowed.");
    return first;
}

void append_hexadecimal(std::string& out, std::string_view bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    out += '"';
    for (char const c : bytes) {
        auto const byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    out += '"';
}

void append_value(std::string& out, sqlite3_stmt* statement, int column)
{
    auto const bytes = [&](void const* data) {
        return std::string_view(static_cast<char const*>(data),
                                static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    };
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: linkspan::append_number(out, std::int64_t{sqlite3_column_int64(statement, column)}); break;
    case SQLITE_FLOAT: {
        double const number = sqlite3_column_double(statement, column);
        if (std::isfinite(number))
            linkspan::append_number(out, number);
        else
            out += number < 0 ? "\"-Infinity\"" : "\"Infinity\"";
        break;
    }
    case SQLITE_TEXT: linkspan::append_quoted(out, bytes(sqlite3_column_text(statement, column))); break;
    case SQLITE_BLOB: append_hexadecimal(out, bytes(sqlite3_column_blob(statement, column))); break;
    default: out += "null";
    }
}

std::vector<std::string> keys_of(sqlite3_stmt* statement)
{
    std::vector<std::string> columns;
    for (int i = 0; i != sqlite3_column_count(statement); ++i)
        columns.emplace_back(sqlite3_column_name(statement, i));
    return unique_keys(std::move(columns));
}

// Returns the current row as a JSON object. A row that is longer than the limit is not complete.
std::string row_of(sqlite3_stmt* statement, std::vector<std::string> const& keys, std::size_t max_bytes)
{
    std::string out = "{";
    for (std::size_t i = 0; i != keys.size() && out.size() <= max_bytes; ++i) {
        if (i != 0)
            out += ',';
        linkspan::append_quoted(out, keys[i]);
        out += ':';
        append_value(out, statement, static_cast<int>(i));
    }
    return out += '}';
}

[[noreturn]] void fail(sqlite3* handle, int result, running_query const& query, query_limits const& limits)
{
    if (result != SQLITE_INTERRUPT)
        fail(handle);
    if (query.stop.stop_requested())
        throw database_error("The query was cancelled.");
    throw database_error("The query was stopped after " + std::to_string(limits.timeout.count()) + " ms.");
}

sqlite3* open_handle(std::string const& path, int flags)
{
    sqlite3* handle = nullptr;
    if (sqlite3_open_v2(path.c_str(), &handle, flags, nullptr) == SQLITE_OK)
        return handle;
    auto const reason = std::string(handle ? sqlite3_errmsg(handle) : "out of memory");
    sqlite3_close_v2(handle);
    throw database_error("cannot open '" + path + "': " + reason);
}

} // namespace

void sqlite_database::closer::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }

sqlite_database::sqlite_database(std::unique_ptr<sqlite3, closer> handle) : handle_(std::move(handle))
{
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
    execute(handle_.get(), "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;");
    sqlite3_limit(handle_.get(), SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle_.get(), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100); // the comparison of a pattern is one step
    sqlite3_set_authorizer(handle_.get(), authorize, nullptr);
}

std::unique_ptr<sqlite_database> sqlite_database::open(std::string const& path)
{
    std::unique_ptr<sqlite3, closer> handle(open_handle(path, SQLITE_OPEN_READONLY));
    // SQLite reads a file when it is first used.
    if (sqlite3_exec(handle.get(), "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr) != SQLITE_OK)
        throw database_error("cannot open '" + path + "': " + sqlite3_errmsg(handle.get()));
    return std::unique_ptr<sqlite_database>(new sqlite_database(std::move(handle)));
}

std::unique_ptr<sqlite_database> sqlite_database::create(std::string const& script)
{
    std::unique_ptr<sqlite3, closer> handle(
        open_handle(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY));
    execute(handle.get(), script);
    return std::unique_ptr<sqlite_database>(new sqlite_database(std::move(handle)));
}

query_rows sqlite_database::select(std::string const& statement, query_limits const& limits,
                                   std::stop_token const& stop)
{
    auto* const handle = handle_.get();
    auto const max = std::min<std::size_t>(limits.max_bytes, std::numeric_limits<int>::max());
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(max));
    constexpr std::size_t base_memory = 64 * 1024 * 1024;
    sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(base_memory + 8 * max)); // of sorting, among others
    sqlite3_busy_timeout(handle, static_cast<int>(limits.timeout.count()));
    running_query query{clock::now() + limits.timeout, stop};
    progress_guard const guard(handle, query);
    // The text must be a statement by itself, so that it cannot end the parentheses around it.
    auto const keys = keys_of(prepare(handle, statement).get());
    auto const limited =
        prepare(handle, "SELECT * FROM (" + statement + "\n) LIMIT " + std::to_string(limits.max_rows + 1));
    query_rows out;
    for (;;) {
        int const result = sqlite3_step(limited.get());
        if (result == SQLITE_DONE)
            return out;
        if (result == SQLITE_ROW && query.must_end())
            fail(handle, SQLITE_INTERRUPT, query, limits);
        if (result != SQLITE_ROW)
            fail(handle, result, query, limits);
        if (!append_row(out, row_of(limited.get(), keys, limits.max_bytes), limits))
            return out;
    }
}

} // namespace mock_database
