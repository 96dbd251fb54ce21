#ifndef LINKSPAN_POLICY_NAMING_NAMING_HPP
#define LINKSPAN_POLICY_NAMING_NAMING_HPP

#include <linkspan/core/detail/sha256.hpp>
#include <linkspan/policy/concepts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linkspan {
namespace naming {

/// The longest name that providers of language models take, in bytes.
inline constexpr std::size_t longest_name = 64;

/// Whether providers of language models take it: 1 to 64 of `A-Za-z0-9_-`.
constexpr bool is_legal_name(std::string_view name) noexcept
{
    constexpr std::string_view legal = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    return !name.empty() && name.size() <= longest_name && name.find_first_not_of(legal) == name.npos;
}

/// `name` if it is legal. Else one that is, and that no other pair of server and tool will get: up to 55 bytes of it,
/// in which `_` stands for what is not legal, then `_` and 8 digits of the SHA-256 of the pair.
inline std::string legal_name(std::string name, std::string_view server_key, std::string_view tool)
{
    if (is_legal_name(name))
        return name;
    name.resize(std::min<std::size_t>(name.size(), 55));
    std::ranges::replace_if(
        name,
        [](char c) {
            return !is_legal_name({&c, 1});
        },
        '_');
    auto const pair = std::string(server_key).append(1, '\0').append(tool);
    return name + '_' + detail::sha256_digits(pair);
}

/// `server__tool`, made legal; but models are shown the tool's own name where that is clear: when there is one server
/// only, or when all that have it stand in for each other. The default.
struct qualified {
    using role = naming_role;

    bool keeps(std::string_view tool) const noexcept { return is_legal_name(tool); }

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return legal_name(std::string(server_key).append("__").append(tool), server_key, tool);
    }
};

/// The tool's own name, made legal. Tools of one name on several servers share it: it stands for all of them when they
/// take the same input, and for none when they do not.
struct bare {
    using role = naming_role;

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return legal_name(std::string(tool), server_key, tool);
    }
};

/// `mcp_server_tool`, made legal.
struct mcp_underscore {
    using role = naming_role;

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return legal_name(std::string("mcp_").append(server_key).append("_").append(tool), server_key, tool);
    }
};

/// `server: tool`, for people; providers of language models refuse it.
struct display {
    using role = naming_role;

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return std::string(server_key).append(": ").append(tool);
    }
};

/// `server.tool`, for looking up; many providers of language models refuse it.
struct dotted {
    using role = naming_role;

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return std::string(server_key).append(".").append(tool);
    }
};

/// A naming policy of this header.
enum class naming_style {
    qualified,      ///< `server__tool`, or the tool's own name where it is unambiguous
    bare,           ///< the tool's own name
    mcp_underscore, ///< `mcp_server_tool`
    display,        ///< `server: tool`
    dotted,         ///< `server.tool`
};

/// The policy that `style` selects, at run time instead of by its type.
struct configured_naming {
    using role = naming_role;

    naming_style style = naming_style::qualified;

    bool keeps(std::string_view tool) const noexcept
    {
        return style == naming_style::qualified && qualified().keeps(tool);
    }

    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        switch (style) {
        case naming_style::qualified: return qualified().expose(server_key, tool);
        case naming_style::bare: return bare().expose(server_key, tool);
        case naming_style::mcp_underscore: return mcp_underscore().expose(server_key, tool);
        case naming_style::display: return display().expose(server_key, tool);
        case naming_style::dotted: return dotted().expose(server_key, tool);
        }
        return {};
    }
};

static_assert(check_policy<configured_naming>());
static_assert(check_policy<qualified>());
static_assert(check_policy<bare>());
static_assert(check_policy<mcp_underscore>());
static_assert(check_policy<display>());
static_assert(check_policy<dotted>());

} // namespace naming

using naming::configured_naming;
using naming::naming_style;
using naming::qualified;

} // namespace linkspan

#endif
