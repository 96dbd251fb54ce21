#ifndef LINKSPAN_MOCK_SERVERS_DATABASE_QUERY_TOOL_HPP
#define LINKSPAN_MOCK_SERVERS_DATABASE_QUERY_TOOL_HPP

#include <linkspan/server/server.hpp>

#include <memory>

#include "database.hpp"

namespace mock_database {

/// Adds the tool `db.query_supabase`, which executes one SELECT statement.
///
/// The result is one text block with a JSON object: `{"status":"success","rows":[...],"count":2}`, with
/// `"truncated":true` if a limit has ended the rows, or `{"status":"error","error":"..."}`. A failed query is not an
/// error of the protocol and not a tool error, as in the architecture that the server is an example of.
///
/// Queries are executed one at a time by a thread of the tool. The cancellation of a request stops its query.
///
/// \param source The database.
/// \param limits Limits of each query.
void add_query_tool(linkspan::server& server, std::unique_ptr<database> source, query_limits limits);

} // namespace mock_database

#endif
