#ifndef LINKSPAN_TEST_SCRIPT_IMPL_TO_SCRIPT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_TO_SCRIPT_IPP

#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/script_writer.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/to_script.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns a script as text, with one line for each tool, each rule and each expectation.
inline std::string lines_of(boost::json::object const& script)
{
    std::string out;
    for (auto const& member : script) {
        out += out.empty() ? "{\n" : ",\n";
        (out += quoted(member.key())) += ": ";
        if (!member.value().is_array()) {
            out += json_text(member.value());
            continue;
        }
        std::string elements;
        for (auto const& element : member.value().get_array())
            (elements += elements.empty() ? "\n  " : ",\n  ") += json_text(element);
        out += "[" + elements + "\n]";
    }
    return out + "\n}\n";
}

} // namespace detail

namespace detail {

// Returns the problems that the reader finds in a script, so that its rules exist once.
inline std::vector<diagnostic> problems_in(std::string const& script, script_writer const& writer)
{
    try {
        mock_script::parse(script, "to_script", {.url = {}, .has_all_tools = true});
        return {};
    } catch (script_error const& failure) {
        auto out = failure.problems();
        for (auto& problem : out)
            problem.subject = writer.subject_at(problem.pointer);
        return out;
    }
}

// Returns whether a location is that of an element of a list, or below it.
inline bool is_in(std::string const& pointer, std::string const& element)
{
    return pointer == element || pointer.starts_with(element + "/");
}

// Removes the elements of a list of the script that have a problem. Returns the former indexes of the other elements.
inline std::vector<std::size_t> remove_elements(boost::json::object& script, std::string const& list,
                                                std::vector<diagnostic> const& problems)
{
    std::vector<std::size_t> out;
    auto* const elements = script.if_contains(list);
    if (!elements)
        return out;
    auto& all = elements->get_array();
    boost::json::array kept;
    for (std::size_t i = 0; i != all.size(); ++i) {
        auto const at = "/" + list + "/" + std::to_string(i);
        if (std::ranges::any_of(problems, [&at](auto const& one) { return is_in(one.pointer, at); }))
            continue;
        kept.push_back(std::move(all[i]));
        out.push_back(i);
    }
    all = std::move(kept);
    return out;
}

// Returns a location in a list with the former index of its element.
inline std::string former_location(std::string const& pointer, std::string const& list,
                                   std::vector<std::size_t> const& former_indexes)
{
    auto const prefix = "/" + list + "/";
    for (std::size_t i = 0; i != former_indexes.size(); ++i)
        if (auto const at = prefix + std::to_string(i); is_in(pointer, at))
            return prefix + std::to_string(former_indexes[i]) + pointer.substr(at.size());
    return pointer;
}

} // namespace detail

LINKSPAN_DECL std::string to_script(scripted_server const& from, std::vector<any_expectation> const& expected)
{
    detail::script_writer writer(from);
    auto out = detail::lines_of(writer.write(expected));
    auto problems = writer.problems();
    std::ranges::move(detail::problems_in(out, writer), std::back_inserter(problems));
    if (!problems.empty())
        throw script_error("to_script", std::move(problems));
    return out;
}

LINKSPAN_DECL partial_script to_partial_script(scripted_server const& from,
                                               std::vector<any_expectation> const& expected)
{
    detail::script_writer writer(from);
    auto script = writer.write(expected);
    partial_script out{.omitted = writer.problems()};
    std::ranges::move(detail::problems_in(detail::lines_of(script), writer), std::back_inserter(out.omitted));
    detail::remove_elements(script, "rules", out.omitted);
    auto const former_indexes = detail::remove_elements(script, "expect", out.omitted);
    out.json = detail::lines_of(script);
    // An expectation may refer to a rule that was omitted.
    auto const left = detail::problems_in(out.json, writer);
    detail::remove_elements(script, "expect", left);
    out.json = detail::lines_of(script);
    for (auto one : left) {
        one.pointer = detail::former_location(one.pointer, "expect", former_indexes);
        one.subject = writer.subject_at(one.pointer);
        out.omitted.push_back(std::move(one));
    }
    if (auto problems = detail::problems_in(out.json, writer); !problems.empty())
        throw script_error("to_partial_script", std::move(problems));
    return out;
}

} // namespace linkspan::test

#endif
