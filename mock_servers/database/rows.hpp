#ifndef LINKSPAN_MOCK_SERVERS_DATABASE_ROWS_HPP
#define LINKSPAN_MOCK_SERVERS_DATABASE_ROWS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "database.hpp"

namespace mock_database {

/// Returns the names of columns as keys of a JSON object: an equal name receives a number, as in `id_2`.
std::vector<std::string> unique_keys(std::vector<std::string> columns);

/// Appends a row to the result, unless a limit is reached. Returns whether the row was appended; if not, the result is
/// marked as truncated.
///
/// \param out The result so far.
/// \param row The row as the text of a JSON object.
bool append_row(query_rows& out, std::string_view row, query_limits const& limits);

} // namespace mock_database

#endif
