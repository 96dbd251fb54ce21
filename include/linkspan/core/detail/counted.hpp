#ifndef LINKSPAN_CORE_DETAIL_COUNTED_HPP
#define LINKSPAN_CORE_DETAIL_COUNTED_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Noun in both forms, such as "item" and "items".
struct noun {
    std::string_view singular, plural;
};

// Returns a count with its noun, such as "1 item" or "2 items".
inline std::string counted(std::size_t count, noun of)
{
    return std::to_string(count).append(1, ' ').append(count == 1 ? of.singular : of.plural);
}

} // namespace linkspan::detail

#endif
