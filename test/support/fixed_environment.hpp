#ifndef LINKSPAN_TEST_SUPPORT_FIXED_ENVIRONMENT_HPP
#define LINKSPAN_TEST_SUPPORT_FIXED_ENVIRONMENT_HPP

#include <linkspan/core/detail/config.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// Source of environment variables with fixed values; other variables are not set.
struct fixed_environment {
    std::map<std::string, std::string, std::less<>> values;

    std::optional<std::string> operator()(std::string_view name) const
    {
        auto const found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
};

} // namespace linkspan::test

#endif
