#ifndef LINKSPAN_SCHEMA_PATTERN_BUDGET_HPP
#define LINKSPAN_SCHEMA_PATTERN_BUDGET_HPP

#include <linkspan/schema/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Limit for the sum of `schema_pattern::size()` of all patterns of one schema, in instructions and ranges.
///
/// The limit bounds the memory of the patterns and the time to compile them. The compilation of a schema owns one
/// object.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class pattern_budget {
public:
    /// Returns true if the remaining budget is less than the maximum of a single pattern.
    bool is_short() const noexcept { return remaining() != schema_pattern::max_total_size; }

    /// Compiles a pattern within the remaining budget, and reduces the budget. The pattern has `fault::too_large` if
    /// the budget does not suffice.
    schema_pattern make(std::string_view text)
    {
        auto const allowed = remaining();
        schema_pattern out(text, allowed);
        work_left_ -= out.fault_kind() == schema_pattern::fault::too_large ? allowed : out.size();
        size_left_ -= out.fault_kind() == schema_pattern::fault::none ? out.size() : 0;
        return out;
    }

private:
    std::size_t remaining() const noexcept
    {
        return std::min({size_left_, work_left_, schema_pattern::max_total_size});
    }

    // Reduced by each pattern without a fault. The initial value corresponds to some megabytes of memory.
    std::size_t size_left_ = std::size_t{1} << 18;
    // Reduced by each pattern, also by one with a fault. The initial value corresponds to some tens of milliseconds.
    std::size_t work_left_ = std::size_t{1} << 22;
};

} // namespace linkspan

#endif
