#ifndef LINKSPAN_TEST_SCRIPT_IMPL_TO_SCRIPT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_TO_SCRIPT_IPP

#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/script_writer.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/to_script.hpp>

#include <boost/json/object.hpp>

#include <string_view>
#include <utility>

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

// The reader decides whether the script is valid, so that its rules exist once.
LINKSPAN_DECL std::string to_script(scripted_server const& from, std::vector<any_expectation> const& expected)
{
    constexpr std::string_view name = "to_script";
    detail::script_writer writer(from);
    auto out = detail::lines_of(writer.write(expected));
    auto problems = writer.problems();
    try {
        mock_script::parse(out, name);
    } catch (script_error const& failure) {
        for (auto problem : failure.problems()) {
            problem.subject = writer.subject_at(problem.pointer);
            problems.push_back(std::move(problem));
        }
    }
    if (!problems.empty())
        throw script_error(name, std::move(problems));
    return out;
}

} // namespace linkspan::test

#endif
