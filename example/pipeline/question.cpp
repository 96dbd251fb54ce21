#include "question.hpp"

#include <cstddef>
#include <regex>

namespace pipeline {

namespace {

bool has(std::string const& question, std::string const& pattern)
{
    return std::regex_search(question, std::regex(pattern, std::regex::icase));
}

std::string group_of(std::string const& question)
{
    if (has(question, R"(\b(city|cities)\b)"))
        return "city";
    if (has(question, R"(\bproducts?\b)"))
        return "product";
    if (has(question, R"(\b(day|days|daily)\b)"))
        return "day";
    throw unknown_question("no rule for '" + question +
                           "'; examples: 'sales by city', 'top 2 products in Paris', 'number of sales per day'");
}

} // namespace

queries translate(std::string const& question)
{
    constexpr std::size_t max_size =
        1000; // a regular expression of the standard library uses the stack for each character
    if (question.size() > max_size)
        throw unknown_question("the question has more than 1000 bytes");
    auto const group = group_of(question);
    bool const counts = has(question, R"(\b(number|count|how many)\b)");
    std::string const value = counts ? "count(*)" : "round(sum(amount), 2)";
    std::string condition;
    std::smatch found;
    if (std::regex_search(question, found,
                          std::regex(R"(\bin ([A-Z][A-Za-z]*))"))) // letters only, so that no quote occurs
        condition = " WHERE city = '" + found[1].str() + "'";
    std::string order = group == "day" ? " ORDER BY day" : " ORDER BY value DESC, " + group;
    if (std::regex_search(question, found, std::regex(R"(\btop ([1-9][0-9]{0,2})\b)", std::regex::icase)))
        order = " ORDER BY value DESC, " + group + " LIMIT " + found[1].str();
    return {group, "SELECT " + group + ", " + value + " AS value FROM sales" + condition + " GROUP BY " + group + order,
            "SELECT " + value + " AS total FROM sales" + condition};
}

} // namespace pipeline
