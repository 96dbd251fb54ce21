#ifndef LINKSPAN_MOCK_SERVERS_DATABASE_POSTGRES_DATABASE_HPP
#define LINKSPAN_MOCK_SERVERS_DATABASE_POSTGRES_DATABASE_HPP

#include <memory>
#include <string>

#include "database.hpp"

struct pg_conn;

namespace mock_database {

/// A PostgreSQL database that only reads.
///
/// Each query is executed in a read-only transaction with a statement timeout, which is then rolled back. A value is
/// limited to `query_limits::max_bytes` by the server. A function with effects outside of the transaction is not
/// prevented; the role of the connection should have no right to execute one.
class postgres_database : public database {
public:
    /// Connects to a server.
    ///
    /// \param url A URL `postgresql://...`, as libpq describes it.
    /// \throws database_error The connection failed.
    explicit postgres_database(std::string url);

    query_rows select(std::string const& statement, query_limits const& limits, std::stop_token const& stop) override;

private:
    struct closer {
        void operator()(pg_conn* connection) const noexcept;
    };

    void open();
    void begin(query_limits const& limits);
    void roll_back(query_limits const& limits);

    std::string url_;
    std::unique_ptr<pg_conn, closer> connection_; // null after the loss of the connection, until the next query
};

} // namespace mock_database

#endif
