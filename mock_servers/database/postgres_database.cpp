#include "postgres_database.hpp"

#include <linkspan/core/detail/utf8_prefix.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <libpq-fe.h>
#include <new>
#include <poll.h>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace mock_database {

namespace {

struct clearer {
    void operator()(PGresult* result) const noexcept { PQclear(result); }
};

// The connection cannot be used any more.
class connection_lost : public database_error {
    using database_error::database_error;
};

using result_pointer = std::unique_ptr<PGresult, clearer>;

// Returns the reason of a failure, without the end of the line.
std::string reason_of(char const* message)
{
    std::string out(message);
    out.erase(out.find_last_not_of(" \n") + 1);
    return out;
}

// Returns the beginning of a text for a message.
std::string shortened(std::string const& text)
{
    constexpr std::size_t max = 1000;
    return text.size() <= max ? text : std::string(linkspan::detail::utf8_prefix(text, max)) + "...";
}

// Commands of one query, until its deadline.
class conversation {
public:
    conversation(PGconn* connection, query_limits const& limits, std::stop_token stop)
        : connection_(connection),
          timeout_(limits.timeout),
          deadline_(clock::now() + timeout_ + grace),
          stop_(std::move(stop))
    {}

    // Returns the next result of the current command; null: the command has ended.
    result_pointer next()
    {
        while (PQisBusy(connection_) != 0) {
            if (clock::now() >= deadline_)
                throw connection_lost("The database did not respond in time.");
            if (stop_.stop_requested())
                cancel();
            pollfd wanted{.fd = PQsocket(connection_), .events = POLLIN, .revents = 0};
            ::poll(&wanted, 1, static_cast<int>(pause.count()));
            if (PQconsumeInput(connection_) == 0)
                throw connection_lost(reason_of(PQerrorMessage(connection_)));
        }
        return result_pointer(PQgetResult(connection_));
    }

    // Ends the current command. Returns its first result.
    result_pointer finish(int sent)
    {
        if (sent == 0)
            throw connection_lost(reason_of(PQerrorMessage(connection_)));
        auto out = next();
        while (next()) {
        }
        auto const status = PQresultStatus(out.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            throw database_error(failure_of(out.get()));
        return out;
    }

    void execute(std::string const& command) { finish(PQsendQuery(connection_, command.c_str())); }

    PGconn* connection() const noexcept { return connection_; }

private:
    using clock = std::chrono::steady_clock;

    // The server ends a query by itself when its time is over.
    static constexpr std::chrono::seconds grace{5};
    static constexpr std::chrono::milliseconds pause{50};
    static constexpr std::string_view query_canceled = "57014"; // SQLSTATE

    std::string failure_of(PGresult const* result) const
    {
        auto const* const code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        if (code && code == query_canceled)
            return stop_.stop_requested() ? "The query was cancelled."
                                          : "The query was stopped after " + std::to_string(timeout_.count()) + " ms.";
        auto const* const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        return shortened(message ? message : reason_of(PQerrorMessage(connection_)));
    }

    // The server ignores a cancel request that it receives before the command, so that the caller repeats it.
    void cancel()
    {
        auto* const request = PQgetCancel(connection_);
        std::array<char, 256> error{};
        PQcancel(request, error.data(), static_cast<int>(error.size()));
        PQfreeCancel(request);
    }

    PGconn* connection_;
    std::chrono::milliseconds timeout_;
    clock::time_point deadline_;
    std::stop_token stop_;
};

// Returns a column name as SQL text.
std::string quoted(PGconn* connection, std::string const& name)
{
    auto* const text = PQescapeIdentifier(connection, name.data(), name.size());
    if (!text)
        throw database_error(reason_of(PQerrorMessage(connection)));
    std::string out(text);
    PQfreemem(text);
    return out;
}

// Returns the names of the columns of the statement as a list in SQL. The server accepts one complete statement only,
// so that the text cannot end the parentheses that are later put around it.
std::string columns_of(conversation& with, std::string const& statement)
{
    auto* const connection = with.connection();
    with.finish(PQsendPrepare(connection, "", statement.c_str(), 0, nullptr));
    auto const described = with.finish(PQsendDescribePrepared(connection, ""));
    std::vector<std::string> columns;
    for (int i = 0; i != PQnfields(described.get()); ++i)
        columns.emplace_back(PQfname(described.get(), i));
    std::string out;
    for (auto const& key : unique_keys(std::move(columns)))
        out += (out.empty() ? "" : ", ") + quoted(connection, key);
    if (out.empty())
        throw database_error("The statement has no columns.");
    return out;
}

// Returns a statement whose rows are the rows of `statement` as JSON texts; null from the row that exceeds the limit.
std::string limited(std::string const& statement, std::string const& columns, query_limits const& limits)
{
    return "SELECT CASE WHEN sum(octet_length(json)) OVER (ROWS UNBOUNDED PRECEDING) <= " +
           std::to_string(limits.max_bytes) + " THEN json END FROM (SELECT row_to_json(result)::text AS json FROM (" +
           statement + "\n) AS result(" + columns + ") LIMIT " + std::to_string(limits.max_rows + 1) + ") AS rows";
}

// Executes a statement in the current transaction.
query_rows rows_of(conversation& with, std::string const& statement, query_limits const& limits)
{
    auto const text = limited(statement, columns_of(with, statement), limits);
    auto const all =
        with.finish(PQsendQueryParams(with.connection(), text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0));
    query_rows out;
    for (int i = 0; i != PQntuples(all.get()) && !out.truncated; ++i) {
        if (PQgetisnull(all.get(), i, 0) != 0)
            out.truncated = true;
        else
            append_row(out, PQgetvalue(all.get(), i, 0), limits);
    }
    return out;
}

// Returns whether the URL has at most one '@' before its options: libpq reports a part of a password that contains one
// of the characters '@' and '/' as the name of a host.
bool has_unambiguous_password(std::string const& url)
{
    auto const start = url.find("://") + 3;
    auto const authority = url.substr(start, url.find_first_of("/?", start) - start);
    auto const path = url.substr(start, url.find('?', start) - start).substr(authority.size());
    return std::ranges::count(authority, '@') <= 1 && path.find('@') == path.npos;
}

// Connects to a server. The reason why a URL is invalid is not reported, because it may contain the password.
PGconn* connect(std::string const& url)
{
    auto* const parts = PQconninfoParse(url.c_str(), nullptr);
    bool const is_valid = parts && has_unambiguous_password(url);
    PQconninfoFree(parts);
    if (!is_valid)
        throw database_error("cannot open the database: the URL is invalid; '@' and '/' of a password are %40 and %2F");
    std::array<char const*, 5> const names{"dbname", "connect_timeout", "tcp_user_timeout", "client_encoding", nullptr};
    std::array<char const*, 5> const values{url.c_str(), "10", "10000", "UTF8", nullptr};
    auto* const out = PQconnectdbParams(names.data(), values.data(), 1);
    if (!out)
        throw std::bad_alloc();
    return out;
}

} // namespace

void postgres_database::closer::operator()(pg_conn* connection) const noexcept { PQfinish(connection); }

postgres_database::postgres_database(std::string url) : url_(std::move(url)) { open(); }

void postgres_database::open()
{
    connection_.reset(connect(url_));
    if (PQstatus(connection_.get()) != CONNECTION_OK)
        throw database_error("cannot open the database: " + reason_of(PQerrorMessage(connection_.get())));
}

query_rows postgres_database::select(std::string const& statement, query_limits const& limits,
                                     std::stop_token const& stop)
{
    begin(limits);
    conversation with(connection_.get(), limits, stop);
    try {
        with.execute("SET LOCAL statement_timeout = " + std::to_string(limits.timeout.count()));
        auto out = rows_of(with, statement, limits);
        with.execute("ROLLBACK");
        return out;
    } catch (connection_lost const&) {
        connection_.reset();
        throw;
    } catch (database_error const&) {
        roll_back(limits);
        throw;
    }
}

// A connection that was lost since the last query is replaced.
void postgres_database::begin(query_limits const& limits)
{
    constexpr auto command = "BEGIN TRANSACTION READ ONLY";
    if (connection_) {
        try {
            return conversation(connection_.get(), limits, {}).execute(command);
        } catch (database_error const&) {
            connection_.reset();
        }
    }
    try {
        open();
    } catch (database_error const&) { // the reason is not intended for the client
        connection_.reset();
        throw database_error("The database cannot be reached.");
    }
    conversation(connection_.get(), limits, {}).execute(command);
}

void postgres_database::roll_back(query_limits const& limits)
try {
    conversation(connection_.get(), limits, {}).execute("ROLLBACK");
} catch (database_error const&) {
    connection_.reset(); // the next query opens another one
}

} // namespace mock_database
