#ifndef LINKSPAN_BINDGEN_DRIFT_DIFFERENCE_HPP
#define LINKSPAN_BINDGEN_DRIFT_DIFFERENCE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Effect of a difference on a caller that was built for the older tools.
enum class drift {
    additive, ///< No effect: the server offers more.
    risky,    ///< Possible effect: defaults, hints or texts differ, or the schemas cannot be compared.
    breaking, ///< Calls that were valid are refused, or results have another form.
};

/// Returns the name of an effect: "additive", "risky" or "breaking"; "?" for a value that is no enumerator.
constexpr std::string_view to_string(drift effect) noexcept
{
    switch (effect) {
    case drift::additive: return "additive";
    case drift::risky: return "risky";
    case drift::breaking: return "breaking";
    }
    return "?";
}

/// Difference between the older and the newer tools of a server.
struct difference {
    /// Effect on callers. Default: `drift::additive`.
    drift effect = drift::additive;

    /// Name of the tool.
    std::string tool;

    /// Place of the difference in the tool, as a JSON Pointer (RFC 6901). Empty: the tool as a whole.
    std::string pointer;

    /// Human-readable description.
    std::string message;
};

/// Returns a difference as one human-readable line.
///
///     "breaking: tool 'x': /inputSchema/properties/city: now required"
inline std::string to_string(difference const& one)
{
    std::string out(to_string(one.effect));
    out += ": ";
    linkspan::detail::append_diagnostic(out, "tool '" + one.tool + '\'', one.pointer, one.message);
    return out;
}

} // namespace linkspan::bindgen

#endif
