#ifndef LINKSPAN_POLICY_NAMING_HPP
#define LINKSPAN_POLICY_NAMING_HPP

#include <linkspan/core/detail/sha256.hpp>
#include <linkspan/policy/concepts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {
namespace naming {

/// Maximum length in bytes of tool names that providers of language models accept.
inline constexpr std::size_t max_name_length = 64;

/// Returns whether providers of language models accept the name: 1 to 64 characters of `A-Za-z0-9_-`.
constexpr bool is_legal_name(std::string_view name) noexcept
{
    constexpr std::string_view legal = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    return !name.empty() && name.size() <= max_name_length && name.find_first_not_of(legal) == name.npos;
}

/// Returns `name` if it is legal, else a legal name that contains a hash of the pair of server and tool.
///
/// The legal name consists of up to 55 bytes of `name`, with `_` in place of illegal characters, then `_` and 8
/// hexadecimal digits of the SHA-256 of the pair. Equal arguments give equal names.
///
/// \param name Desired name.
/// \param server_key Name of the server.
/// \param tool Name of the tool on the server.
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

/// Exposes `server__tool`, made legal by `legal_name`. The default policy.
///
/// Models receive the tool's own name instead if that name is unambiguous and legal, and either the connector has only
/// one server, or all tools with this name are interchangeable.
///
///     qualified().expose("files", "read_file"); // "files__read_file"
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct qualified {
    using role = naming_role;

    /// Returns whether the tool's own name is legal, and therefore accepted where it is unambiguous.
    bool accepts_own_name(std::string_view tool) const noexcept { return is_legal_name(tool); }

    /// Returns `server__tool`, or its legal replacement.
    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return legal_name(std::string(server_key).append("__").append(tool), server_key, tool);
    }
};

/// Exposes the tool's own name, made legal by `legal_name`.
///
/// A name that tools of several servers share identifies all of these tools if they are interchangeable, and is
/// ambiguous otherwise.
///
///     bare().expose("files", "read_file"); // "read_file"
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct bare {
    using role = naming_role;

    /// Returns the tool's own name, or its legal replacement.
    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return legal_name(std::string(tool), server_key, tool);
    }
};

/// Exposes `mcp_server_tool`, made legal by `legal_name`.
///
///     mcp_underscore().expose("files", "read_file"); // "mcp_files_read_file"
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct mcp_underscore {
    using role = naming_role;

    /// Returns `mcp_server_tool`, or its legal replacement.
    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return legal_name(std::string("mcp_").append(server_key).append("_").append(tool), server_key, tool);
    }
};

/// Exposes `server: tool`, for human readers. Providers of language models reject such names.
///
///     display().expose("files", "read_file"); // "files: read_file"
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct display {
    using role = naming_role;

    /// Returns `server: tool`.
    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return std::string(server_key).append(": ").append(tool);
    }
};

/// Exposes `server.tool`, for programs. Many providers of language models reject such names.
///
///     dotted().expose("files", "read_file"); // "files.read_file"
///
/// \par Thread safety
/// Stateless: safe from any thread.
struct dotted {
    using role = naming_role;

    /// Returns `server.tool`.
    std::string expose(std::string_view server_key, std::string_view tool) const
    {
        return std::string(server_key).append(".").append(tool);
    }
};

/// Selects a naming policy of this header at run time, for example from a configuration file.
enum class naming_style {
    qualified,      ///< `server__tool`, or the tool's own name, as the policy `qualified` specifies
    bare,           ///< the tool's own name
    mcp_underscore, ///< `mcp_server_tool`
    display,        ///< `server: tool`
    dotted,         ///< `server.tool`
};

/// Naming policy whose style is selected at run time.
///
///     linkspan::configured_naming naming{linkspan::naming_style::mcp_underscore};
///
/// \par Thread safety
/// Distinct objects and concurrent reads of the same object: safe.
struct configured_naming {
    using role = naming_role;

    /// The policy to which all functions forward.
    naming_style style = naming_style::qualified;

    /// Returns whether the tool's own name is accepted where it is unambiguous: if the style is `qualified` and the own
    /// name is legal.
    bool accepts_own_name(std::string_view tool) const noexcept
    {
        return style == naming_style::qualified && qualified().accepts_own_name(tool);
    }

    /// Returns the exposed name of the selected policy.
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
