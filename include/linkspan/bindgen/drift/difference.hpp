#ifndef LINKSPAN_BINDGEN_DRIFT_DIFFERENCE_HPP
#define LINKSPAN_BINDGEN_DRIFT_DIFFERENCE_HPP

#include <string>
#include <string_view>

namespace linkspan::bindgen {

/// What a difference does to a caller who was built against the older tools.
enum class drift {
    additive, ///< nothing: there is more to use
    risky,    ///< perhaps something: other defaults, hints or texts, or what cannot be compared
    breaking, ///< calls that worked are refused, or results no longer fit
};

constexpr std::string_view to_string(drift how) noexcept
{
    switch (how) {
    case drift::additive: return "additive";
    case drift::risky: return "risky";
    case drift::breaking: return "breaking";
    }
    return "?";
}

/// One difference between the tools of then and those of now.
struct difference {
    drift how = drift::additive;
    std::string tool;
    std::string pointer; ///< JSON Pointer (RFC 6901) in the tool; empty: all of it
    std::string what;    ///< a sentence
};

/// "breaking: tool 'x': /inputSchema/properties/city: it is required now"
inline std::string to_string(difference const& one)
{
    std::string out(to_string(one.how));
    ((out += ": tool '") += one.tool) += "': ";
    if (!one.pointer.empty())
        (out += one.pointer) += ": ";
    return out += one.what;
}

} // namespace linkspan::bindgen

#endif
