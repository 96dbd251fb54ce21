#include "rows.hpp"

#include <map>
#include <set>

namespace mock_database {

std::vector<std::string> unique_keys(std::vector<std::string> columns)
{
    std::set<std::string> const names(columns.begin(), columns.end());
    std::set<std::string> used;
    std::map<std::string, int> numbers; // of the last generated name, by the name of the column
    for (auto& column : columns) {
        if (used.insert(column).second)
            continue;
        auto const name = column;
        auto& number = numbers.try_emplace(name, 1).first->second;
        // A generated name must differ from all names of the query, also from those of later columns.
        while (names.contains(column) || !used.insert(column).second)
            column = name + "_" + std::to_string(++number);
    }
    return columns;
}

bool append_row(query_rows& out, std::string_view row, query_limits const& limits)
{
    if (out.count == limits.max_rows || out.json.size() + row.size() + 1 > limits.max_bytes) {
        out.truncated = true;
        return false;
    }
    if (out.count != 0)
        out.json += ',';
    out.json += row;
    ++out.count;
    return true;
}

} // namespace mock_database
