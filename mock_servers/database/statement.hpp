#ifndef LINKSPAN_MOCK_SERVERS_DATABASE_STATEMENT_HPP
#define LINKSPAN_MOCK_SERVERS_DATABASE_STATEMENT_HPP

#include <string>
#include <string_view>

namespace mock_database {

/// Returns the only statement of a text, without its final semicolon.
///
/// The check is the second line of defence: it gives a clear message for common mistakes. The database decides.
///
/// The text must have one statement that begins with SELECT or WITH. Outside of comments and of the quotes ', " and `,
/// it must not have a word of the list INSERT, UPDATE, DELETE, DROP, ALTER, CREATE, TRUNCATE, GRANT, REVOKE, in any
/// case. Other quotes, such as $$ of PostgreSQL, and nested comments are not recognized, so that a statement which only
/// reads may be rejected because of their content.
///
/// \throws database_error The text is rejected, with a reason for the client.
std::string read_statement(std::string_view text);

} // namespace mock_database

#endif
