#ifndef LINKSPAN_DESCRIBE_DETAIL_PATTERN_SEARCHES_HPP
#define LINKSPAN_DESCRIBE_DETAIL_PATTERN_SEARCHES_HPP

#include <linkspan/schema/pattern.hpp>

#include <cstddef>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The pattern searches of one read or check. All searches share the memory of the matcher and a limit of steps.
class pattern_searches {
public:
    schema_pattern::outcome search(schema_pattern const& pattern, std::string_view text)
    {
        steps_left_ += steps_of_text + steps_of_byte * text.size();
        return pattern.search(text, memory_, steps_left_);
    }

private:
    // A processor executes some hundreds of steps per microsecond. Patterns of identifiers and addresses need less than
    // ten steps per byte. A pattern of a thousand words needs two thousand steps at its first byte, which the constant
    // part of the limit allows.
    static constexpr std::size_t min_steps = 30'000'000;
    static constexpr std::size_t steps_of_text = 64;
    static constexpr std::size_t steps_of_byte = 32;

    schema_pattern::memory memory_;      // grows to the largest pattern
    std::size_t steps_left_ = min_steps; // raised for each text, decremented by searches
};

} // namespace linkspan::detail

#endif
