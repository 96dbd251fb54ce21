#ifndef LINKSPAN_TEST_SUPPORT_NESTED_ESCAPES_HPP
#define LINKSPAN_TEST_SUPPORT_NESTED_ESCAPES_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns a message with a key whose invalid escape becomes another escape each time that its escapes are decoded.
inline std::string message_with_nested_escapes(std::size_t depth)
{
    std::string key;
    for (std::size_t i = 0; i != depth; ++i)
        key += R"(\u0)";
    key += R"(\u0030)";
    for (std::size_t i = 0; i != depth; ++i)
        key += "30";
    return R"({"id":1,"method":"ping","params":{},")" + key + R"(":1})";
}

} // namespace linkspan::test

#endif
