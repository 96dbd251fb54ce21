#ifndef LINKSPAN_TEST_DETAIL_SECRET_NAMES_HPP
#define LINKSPAN_TEST_DETAIL_SECRET_NAMES_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Parts of the names of members and HTTP headers whose values are secrets; the name ends with `key`.
inline constexpr std::array<std::string_view, 7> secret_names{"token",  "secret",     "password", "authorization",
                                                              "cookie", "credential", "key"};

inline std::string lower_case(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// Returns whether the name of a member or of an HTTP header suggests that its value is a secret.
inline bool suggests_secret(std::string_view name)
{
    auto const lower = lower_case(name);
    if (lower == "progresstoken")
        return false;
    return lower.ends_with("key") || std::ranges::any_of(secret_names, [&](auto part) {
               return part != "key" && lower.find(part) != lower.npos;
           });
}

} // namespace linkspan::test::detail

#endif
