#ifndef LINKSPAN_DESCRIBE_DETAIL_PATTERN_SEARCHES_HPP
#define LINKSPAN_DESCRIBE_DETAIL_PATTERN_SEARCHES_HPP

#include <linkspan/schema/pattern.hpp>

#include <cstddef>
#include <string_view>

namespace linkspan::detail {

// All searches for patterns in what is read or checked: they share memory, and the steps that they may take.
class pattern_searches {
public:
    schema_pattern::outcome search(schema_pattern const& pattern, std::string_view text)
    {
        steps_left_ += steps_of_text + steps_of_byte * text.size();
        return pattern.search(text, memory_, steps_left_);
    }

private:
    // A processor takes some hundreds in a microsecond. Patterns of identifiers and addresses take less than ten a
    // byte; one of a thousand words takes two thousand where it begins, which is what the least is for.
    static constexpr std::size_t least_steps = 30'000'000;
    static constexpr std::size_t steps_of_text = 64;
    static constexpr std::size_t steps_of_byte = 32;

    schema_pattern::memory memory_;
    std::size_t steps_left_ = least_steps;
};

} // namespace linkspan::detail

#endif
