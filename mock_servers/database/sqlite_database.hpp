#ifndef LINKSPAN_MOCK_SERVERS_DATABASE_SQLITE_DATABASE_HPP
#define LINKSPAN_MOCK_SERVERS_DATABASE_SQLITE_DATABASE_HPP

#include <memory>
#include <string>

#include "database.hpp"

struct sqlite3;

namespace mock_database {

/// An SQLite database that only reads.
///
/// Writes are rejected by `query_only`, and in a file also by opening it for reading. An authorizer permits to select,
/// to read columns and to call functions, and nothing else: no ATTACH, no PRAGMA, no transaction.
class sqlite_database : public database {
public:
    /// Opens a file for reading.
    ///
    /// \param path Path of an existing database.
    /// \throws database_error The file cannot be opened.
    static std::unique_ptr<sqlite_database> open(std::string const& path);

    /// Creates a database in memory.
    ///
    /// \param script SQL statements that create its tables and rows.
    /// \throws database_error A statement of the script failed.
    static std::unique_ptr<sqlite_database> create(std::string const& script);

    query_rows select(std::string const& statement, query_limits const& limits, std::stop_token const& stop) override;

private:
    struct closer {
        void operator()(sqlite3* handle) const noexcept;
    };

    explicit sqlite_database(std::unique_ptr<sqlite3, closer> handle);

    std::unique_ptr<sqlite3, closer> handle_;
};

} // namespace mock_database

#endif
