#ifndef LINKSPAN_DESCRIBE_BINDINGS_HPP
#define LINKSPAN_DESCRIBE_BINDINGS_HPP

// All that a header of `linkspan-bindgen` needs.

#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/types.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan {

/// The characters of several literals as one text, for one that is longer than compilers take.
template<std::size_t... Sizes>
constexpr auto joined_literals(char const (&... parts)[Sizes])
{
    std::array<char, (0 + ... + (Sizes - 1))> out{};
    std::size_t at = 0;
    auto const append = [&](char const* part, std::size_t size) {
        for (std::size_t i = 0; i != size; ++i)
            out[at++] = part[i];
    };
    (append(parts, Sizes - 1), ...);
    return out;
}

} // namespace linkspan

#endif
