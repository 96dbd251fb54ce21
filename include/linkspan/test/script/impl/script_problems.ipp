#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_PROBLEMS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_PROBLEMS_IPP

#include <linkspan/core/similar_names.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/detail/position_of_error.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/script_problems.hpp>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns an expectation of a mismatch. A name that is similar to the value is added to that of a kind of fault, which
// contains a part of the names only.
inline std::string expectation_of(mismatch const& from, boost::json::value const* value)
{
    auto const* const text = value ? value->if_string() : nullptr;
    if (!text || from.expected != linkspan::detail::expected_names<fault_kind>())
        return from.expected;
    std::vector<std::string_view> names;
    for (auto const& one : enum_names<fault_kind>)
        names.push_back(one.name);
    auto const similar = similar_names(*text, names, 1);
    return similar.empty() ? from.expected : from.expected + " (similar: \"" + similar.front() + "\")";
}

LINKSPAN_DECL void script_problems::add(mismatches const& of)
{
    for (auto const& one : of) {
        // The text of a mismatch has the kind of the value. Invalid JSON has no values.
        auto const* const value = value_of(one.pointer);
        auto const found = value                    ? short_json(*value)
                           : one.expected == "JSON" ? "invalid text at " + linkspan::detail::position_of_error(json_)
                                                    : one.found;
        problems_.push_back({.pointer = one.pointer, .message = expected_but_found(expectation_of(one, value), found)});
        reported_.push_back(one.pointer);
    }
    if (of.size() == max_script_problems)
        problems_.push_back({.message = "further problems of types and names may follow: at most " +
                                        std::to_string(max_script_problems) + " are reported at once"});
}

LINKSPAN_DECL void script_problems::reject(std::string const& at, std::string const& expected)
{
    auto const* const value = value_of(at);
    reject(at, expected, value ? short_json(*value) : "nothing");
}

LINKSPAN_DECL void script_problems::reject(std::string const& at, std::string const& expected, std::string const& found)
{
    auto const is_above = [&](std::string const& reported) {
        return at.starts_with(reported) && (at.size() == reported.size() || at[reported.size()] == '/');
    };
    if (std::ranges::none_of(reported_, is_above))
        problems_.push_back({.pointer = at, .message = expected_but_found(expected, found)});
}

LINKSPAN_DECL void script_problems::relocate(std::size_t first_problem, std::string_view from, std::string_view to)
{
    for (auto i = first_problem; i != problems_.size(); ++i)
        if (auto& pointer = problems_[i].pointer; pointer.starts_with(from))
            pointer.replace(0, from.size(), to);
}

inline boost::json::value const* script_problems::value_of(std::string_view at)
{
    error_code ec;
    if (!document_ && json_.size() <= decode_limits().max_size)
        document_ = linkspan::detail::parse_json(json_, ec);
    return document_ && !document_->is_null() ? value_at(*document_, at) : nullptr;
}

} // namespace linkspan::test::detail

#endif
