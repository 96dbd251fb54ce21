#ifndef LINKSPAN_TEST_SCRIPT_IMPL_EXPECTATION_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_EXPECTATION_IPP

#include <linkspan/core/similar_names.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/expectation.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// How far a request is from an expectation, and why.
struct near_miss {
    std::size_t number = 0;    // of the request, from 1
    double distance = 0;       // sum over the differences
    std::string differences{}; // a line for each
    std::size_t count = 0;     // number of differences
};

inline bool differs_in_case_only(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Returns a number from 0 to 1 for two values that differ: 0.9 for values of another kind, at most 0.8 for others.
inline double distance_of(boost::json::value const& expected, boost::json::value const& found)
{
    if (expected.kind() != found.kind() && !(expected.is_number() && found.is_number()))
        return 0.9;
    if (!expected.is_string())
        return 0.8;
    std::string_view const a = expected.get_string(), b = found.get_string();
    auto const longest = std::max(a.size(), b.size());
    constexpr std::size_t max_size = 100; // the time is the product of both sizes
    return longest > max_size ? 0.8 : 0.8 * static_cast<double>(edit_distance(a, b)) / static_cast<double>(longest);
}

inline std::string short_json(boost::json::value const& value)
{
    return linkspan::detail::shortened_text(json_text(value));
}

inline void add_difference(near_miss& to, double distance, std::string const& line)
{
    to.distance += distance;
    to.differences += "\n    " + line;
    ++to.count;
}

inline void compare(near_miss& to, parameter_condition const& condition, recorded_request const& request,
                    boost::json::value const& params)
{
    error_code ec;
    auto const* found = params.find_pointer(condition.pointer, ec);
    auto const* const field = request.header(header_of_pointer(condition.pointer));
    boost::json::value const header = field ? boost::json::value(boost::json::string(*field)) : nullptr;
    if (field)
        found = &header;
    if (condition.expected.matches(found))
        return;
    auto const& definition = condition.expected.definition();
    auto const place = condition.pointer.empty() ? std::string("params") : condition.pointer;
    auto const expected = place + ": expected " + short_json(definition);
    if (!found)
        return add_difference(to, 1, expected + ", found nothing");
    bool const is_case = definition.is_string() && found->is_string() &&
                         differs_in_case_only(definition.get_string(), found->get_string());
    add_difference(to, distance_of(definition, *found),
                   expected + ", found " + short_json(*found) + (is_case ? "; the texts differ in case only" : ""));
}

inline std::string time_text(duration since_start)
{
    char text[32];
    std::snprintf(text, sizeof text, "t=+%.3fs", std::chrono::duration<double>(since_start).count());
    return text;
}

// Returns the line that introduces a request in a report.
inline std::string description_of(recorded_request const& request, std::size_t number)
{
    std::string out = "#" + std::to_string(number) + " " + time_text(request.time) + " id=" + request.id + " " +
                      request.method + (request.tool.empty() ? "" : " ") + request.tool;
    out += !request.has_rule      ? ", no rule"
           : request.rule.empty() ? ", a rule without a name"
                                  : ", rule '" + request.rule + "'";
    for (auto const& [scenario, state] : request.states)
        out += ", state " + scenario + " = '" + state + "'";
    return out;
}

} // namespace detail

LINKSPAN_DECL expectation& expectation::where(std::string pointer, boost::json::value const& definition)
{
    if (detail::header_of_pointer(pointer).empty() && !detail::is_json_pointer(pointer))
        throw std::invalid_argument(
            "linkspan: expectation: expected a JSON Pointer or a header field, such as '#/http/headers/authorization', "
            "found '" +
            linkspan::detail::shortened_text(pointer) + "'");
    std::vector<diagnostic> problems;
    auto expected = matcher::read(definition, pointer, problems);
    if (!problems.empty())
        throw std::invalid_argument("linkspan: expectation: " + to_string(problems.front()));
    where_.push_back({std::move(pointer), std::move(expected)});
    return *this;
}

inline bool expectation::is_of(recorded_request const& request) const
{
    return request.method == of_.method && (of_.tool.empty() || request.tool == of_.tool);
}

inline std::string expectation::description() const
{
    constexpr auto all = std::numeric_limits<std::size_t>::max();
    auto out = least_ == most_ ? (most_ == 0 ? std::string("no") : "exactly " + std::to_string(most_))
               : most_ == all  ? "at least " + std::to_string(least_)
                               : std::to_string(least_) + " to " + std::to_string(most_);
    out += (cancelled_ ? " cancelled " : " ") + of_.method + (of_.tool.empty() ? "" : " ") + of_.tool;
    for (auto const& condition : where_)
        out += (&condition == &where_.front() ? ", where " : " and ") + condition.pointer + " is " +
               detail::short_json(condition.expected.definition());
    return out;
}

LINKSPAN_DECL std::string expectation::report(journal const& requests) const
{
    constexpr std::size_t max_matches = 20;
    std::vector<detail::near_miss> misses;
    std::size_t matching = 0, others = 0;
    std::string matches;
    for (std::size_t i = 0; i != requests.size(); ++i) {
        auto const& request = requests[i];
        if (!is_of(request)) {
            ++others;
            continue;
        }
        detail::near_miss miss{.number = i + 1};
        auto const arguments = json_scan::member(request.params, "arguments");
        if (of_.where && !of_.where(arguments.empty() ? "{}" : arguments))
            detail::add_difference(miss, 1,
                                   "expected arguments that the predicate accepts, found " +
                                       linkspan::detail::shortened_text(arguments.empty() ? "{}" : arguments));
        auto const params = detail::parse_params(request.params);
        for (auto const& condition : where_)
            detail::compare(miss, condition, request, params);
        if (cancelled_ && !request.cancelled)
            detail::add_difference(miss, 1, "expected a cancelled request, found one that the client did not cancel");
        if (miss.count == 0) {
            if (++matching > max_matches)
                continue;
            matches += "\n  " + detail::description_of(request, i + 1);
        } else {
            misses.push_back(std::move(miss));
        }
    }
    if (matching >= least_ && matching <= most_)
        return {};

    auto out = "expected " + description() + "; found " + std::to_string(matching) + " among " +
               std::to_string(requests.size() - others) + " of this kind and " + std::to_string(others) +
               (others == 1 ? " other request" : " other requests");
    if (matching > most_)
        return out + matches +
               (matching > max_matches ? "\n  and " + std::to_string(matching - max_matches) + " more" : std::string());
    std::ranges::stable_sort(misses, {}, &detail::near_miss::distance);
    constexpr std::size_t max_misses = 3;
    for (std::size_t i = 0; i != std::min(misses.size(), max_misses); ++i)
        out += "\n  near: " + detail::description_of(requests[misses[i].number - 1], misses[i].number) +
               misses[i].differences;
    return out;
}

} // namespace linkspan::test

#endif
