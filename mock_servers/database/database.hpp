#ifndef LINKSPAN_MOCK_SERVERS_DATABASE_DATABASE_HPP
#define LINKSPAN_MOCK_SERVERS_DATABASE_DATABASE_HPP

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <stop_token>
#include <string>

namespace mock_database {

/// Limits of one query.
struct query_limits {
    std::size_t max_rows = 1000;             ///< number of rows; at least 1
    std::size_t max_bytes = 1024 * 1024;     ///< bytes of the rows as JSON text, and of one value
    std::chrono::milliseconds timeout{5000}; ///< time for the query; at least 1 ms
};

/// Rows of a query.
struct query_rows {
    std::string json{};     ///< JSON text of an array with one object per row, without the brackets
    std::size_t count = 0;  ///< number of rows
    bool truncated = false; ///< the query has more rows than the limits permit
};

/// The database rejected a query, or could not be opened. The text is intended for the client.
class database_error : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

/// A database that executes one query at a time, and cannot be changed by a query.
///
/// \par Thread safety
/// Unsafe. The functions may be called on different threads, one at a time.
class database {
public:
    virtual ~database() = default;

    /// Executes one statement that reads, and blocks until its end.
    ///
    /// The database itself decides whether the text is one statement, and whether it only reads.
    ///
    /// \param statement The statement, without a final semicolon.
    /// \param limits Limits of the query.
    /// \param stop Ends the query early when a stop is requested.
    /// \throws database_error The database rejected the statement, or the query exceeded its time or was stopped.
    virtual query_rows select(std::string const& statement, query_limits const& limits,
                              std::stop_token const& stop) = 0;

protected:
    database() = default;
    database(database const&) = delete;
    database& operator=(database const&) = delete;
};

} // namespace mock_database

#endif
