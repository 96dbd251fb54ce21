#ifndef LINKSPAN_SCHEMA_PATTERN_BUDGET_HPP
#define LINKSPAN_SCHEMA_PATTERN_BUDGET_HPP

#include <linkspan/schema/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace linkspan::detail {

// What all patterns of a schema may become together, in instructions and ranges.
class pattern_budget {
public:
    // The next pattern may become less than one alone.
    bool is_short() const noexcept { return most() != schema_pattern::max_made; }

    schema_pattern make(std::string_view text)
    {
        auto const allowed = most();
        schema_pattern out(text, allowed);
        work_left_ -= out.why() == schema_pattern::fault::too_large ? allowed : out.size();
        size_left_ -= out.why() == schema_pattern::fault::none ? out.size() : 0;
        return out;
    }

private:
    std::size_t most() const noexcept { return std::min({size_left_, work_left_, schema_pattern::max_made}); }

    std::size_t size_left_ = std::size_t{1} << 18; // some megabytes of memory
    std::size_t work_left_ = std::size_t{1} << 22; // with what is made in vain: some tens of milliseconds
};

} // namespace linkspan::detail

#endif
