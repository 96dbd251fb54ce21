#ifndef LINKSPAN_TEST_IMPL_CHAOS_PLAN_IPP
#define LINKSPAN_TEST_IMPL_CHAOS_PLAN_IPP

#include <linkspan/bindgen/files.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/script_problems.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL std::string to_json(chaos_plan const& plan)
{
    std::string out;
    encode(out, plan);
    return out;
}

namespace detail {

// Reads a plan. `name`: begin of each line of the exception.
inline chaos_plan read_plan(std::string_view json, std::string_view name)
{
    chaos_plan out;
    mismatches differences;
    if (decode(out, json, differences, {.max_mismatches = detail::max_script_problems}))
        return out;
    std::vector<diagnostic> problems;
    script_problems(json, problems).add(differences);
    throw std::invalid_argument(join_problems(name, problems));
}

} // namespace detail

LINKSPAN_DECL chaos_plan parse_chaos_plan(std::string_view json)
{
    return detail::read_plan(json, "linkspan: plan of faults");
}

LINKSPAN_DECL chaos_plan load_chaos_plan(std::string const& path)
{
    std::error_code ec;
    auto const text = bindgen::read_file(path, ec);
    if (!text)
        throw std::invalid_argument(path + ": expected a file that can be read, found '" + ec.message() + "'");
    return detail::read_plan(*text, path);
}

namespace detail {

LINKSPAN_DECL chaos_plan absent_faults(chaos_plan const& plan, chaos_plan const& occurred)
{
    chaos_plan out;
    for (auto const& one : plan.faults)
        if (std::ranges::find(occurred.faults, one) == occurred.faults.end())
            out.faults.push_back(one);
    return out;
}

// Returns the plan without `count` faults at `first`.
inline chaos_plan without(chaos_plan plan, std::size_t first, std::size_t count)
{
    auto const begin = std::next(plan.faults.begin(), static_cast<std::ptrdiff_t>(first));
    plan.faults.erase(begin, std::next(begin, static_cast<std::ptrdiff_t>(count)));
    return plan;
}

// Removes each part of the given size without which the run still fails. Returns whether a part was removed.
inline bool remove_parts(chaos_plan& plan, std::size_t size, std::function<bool(chaos_plan const&)> const& fails)
{
    bool removed = false;
    for (std::size_t first = 0; first < plan.faults.size();) {
        auto const count = std::min(size, plan.faults.size() - first);
        if (auto smaller = without(plan, first, count); fails(smaller)) {
            plan = std::move(smaller);
            removed = true;
        } else {
            first += count;
        }
    }
    return removed;
}

} // namespace detail

// The loop ends with parts of one fault, and repeats these until none can be removed: the result is then 1-minimal.
LINKSPAN_DECL chaos_plan shrink(chaos_plan plan, std::function<bool(chaos_plan const&)> const& fails)
{
    if (!fails(plan))
        return plan;
    for (auto size = (plan.faults.size() + 1) / 2; size > 1; size = (size + 1) / 2)
        detail::remove_parts(plan, size, fails);
    while (detail::remove_parts(plan, 1, fails)) {
    }
    for (auto& fault : plan.faults)
        while (fault.delay_ms > 1) { // 0 is the default of the kind, which may be longer
            auto const before = std::exchange(fault.delay_ms, fault.delay_ms / 2);
            if (fails(plan))
                continue;
            fault.delay_ms = before;
            break;
        }
    return plan;
}

} // namespace linkspan::test

#endif
