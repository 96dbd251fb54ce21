#ifndef LINKSPAN_EXAMPLE_PIPELINE_TABLE_HPP
#define LINKSPAN_EXAMPLE_PIPELINE_TABLE_HPP

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace pipeline {

/// Result of a query.
struct table {
    std::vector<std::string> columns;      ///< names in their order, also without rows
    std::vector<boost::json::object> rows; ///< each has the columns in their order
};

/// Returns a value as text; null is empty.
std::string text_of(boost::json::value const& cell);

/// Returns the table as CSV with the names of the columns as first line.
///
/// \par Specification
/// RFC 4180.
std::string to_csv(table const& from);

/// Returns a self-contained HTML page with a bar chart (SVG) of the last column, and the table. A browser prints it to
/// PDF.
///
/// \param title Title of the page.
/// \param total Sum of the last column, over all rows of the database; empty: there are none.
std::string to_report(std::string const& title, table const& from, std::string const& total);

} // namespace pipeline

#endif
