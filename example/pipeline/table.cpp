#include "table.hpp"

#include <linkspan/json/json_writer.hpp>

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace pipeline {

namespace {

namespace json = boost::json;

std::string csv_field(std::string const& text)
{
    if (text.find_first_of("\",\r\n") == text.npos)
        return text;
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out += '"';
}

std::string html(std::string_view text)
{
    std::string out;
    for (char const c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
    return out;
}

double number_of(json::value const& cell)
{
    boost::system::error_code ec;
    auto const out = cell.to_number<double>(ec);
    return ec ? 0 : out;
}

std::string chart(std::vector<json::object> const& rows)
{
    constexpr int row_height = 28, label_width = 120, bar_width = 400;
    double max = 0;
    for (auto const& row : rows)
        max = std::max(max, std::abs(number_of((row.end() - 1)->value())));
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"" +
                      std::to_string(row_height * static_cast<int>(rows.size())) + "\" role=\"img\">\n";
    int y = 0;
    for (auto const& row : rows) {
        auto const& value = (row.end() - 1)->value();
        auto const width = max > 0 ? std::lround(std::abs(number_of(value)) / max * bar_width) : 0;
        out += "<text x=\"0\" y=\"" + std::to_string(y + 18) + "\">" + html(text_of(row.begin()->value())) +
               "</text><rect x=\"" + std::to_string(label_width) + "\" y=\"" + std::to_string(y + 4) + "\" width=\"" +
               std::to_string(width) + "\" height=\"20\" fill=\"#3b6ea5\"/><text x=\"" +
               std::to_string(label_width + width + 6) + "\" y=\"" + std::to_string(y + 18) + "\">" +
               html(text_of(value)) + "</text>\n";
        y += row_height;
    }
    return out + "</svg>\n";
}

} // namespace

std::string text_of(json::value const& cell)
{
    if (cell.is_null())
        return {};
    if (cell.is_string())
        return std::string(cell.get_string());
    if (auto const* const number = cell.if_double()) {
        std::string out;
        linkspan::append_number(out, *number); // without an exponent, unlike Boost.JSON
        return out;
    }
    return json::serialize(cell);
}

std::string to_csv(table const& from)
{
    std::string out;
    for (auto const& column : from.columns)
        out += (&column == &from.columns.front() ? "" : ",") + csv_field(column);
    out += "\r\n";
    for (auto const& row : from.rows) {
        for (auto const* member = row.begin(); member != row.end(); ++member)
            out += (member == row.begin() ? "" : ",") + csv_field(text_of(member->value()));
        out += "\r\n";
    }
    return out;
}

std::string to_report(std::string const& title, table const& from, std::string const& total)
{
    std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html(title) +
                      "</title><style>body{font-family:sans-serif}td,th{padding:2px 12px;text-align:left}</style>"
                      "</head><body>\n<h1>" +
                      html(title) + "</h1>\n" + chart(from.rows) + "<table>\n<tr>";
    for (auto const& column : from.columns)
        out += "<th>" + html(column) + "</th>";
    out += "</tr>\n";
    for (auto const& row : from.rows) {
        out += "<tr>";
        for (auto const& member : row)
            out += "<td>" + html(text_of(member.value())) + "</td>";
        out += "</tr>\n";
    }
    return out + "</table>\n<p>" + (total.empty() ? "No rows" : "Total: " + html(total)) + "</p>\n</body></html>\n";
}

} // namespace pipeline
