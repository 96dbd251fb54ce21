#ifndef LINKSPAN_PROTOCOL_URI_TEMPLATE_HPP
#define LINKSPAN_PROTOCOL_URI_TEMPLATE_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// URI template with expressions of the levels 1 to 3: `{x}`, `{x,y}`, and these with an operator, such as `{?x,y}`.
///
/// The class expands a template with values, and finds the values with which a template expands to a URI.
///
///     std::string problem;
///     auto const files = linkspan::uri_template::parse("file:///{+path}", problem);
///     files->match("file:///notes/today.md"); // {{"path", "notes/today.md"}}
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
/// \par Specification
/// RFC 6570, without the modifiers of level 4 (`:3`, `*`); MCP 2026-07-28, server/resources, "Resource Templates".
class uri_template {
public:
    /// Names and values of variables, without percent-encoding. The names are unique.
    using values = std::vector<std::pair<std::string, std::string>>;

    /// Maximum length in bytes of a template, and of a URI that `match` accepts.
    static constexpr std::size_t max_size = 2048;

    /// Reads a template.
    ///
    /// \param text The template, at most `max_size` bytes. Each variable must occur once.
    /// \param problem Receives the reason if the text is not a template, such as "expected '}' after position 7".
    /// \returns The template; empty if the text is not a template, or has modifiers of level 4.
    /// \throws std::bad_alloc
    LINKSPAN_DECL static std::optional<uri_template> parse(std::string_view text, std::string& problem);

    /// Returns the text of the template.
    std::string const& text() const noexcept { return text_; }

    /// Returns the names of the variables in the order of the template.
    LINKSPAN_DECL std::vector<std::string> names() const;

    /// Returns the URI that the template expands to. Variables without a value are undefined and omitted.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string expand(values const& given) const;

    /// Returns the values with which the template expands to the URI; empty: the template does not match.
    ///
    /// A variable matches at least one character, except after `?`, `&` and `;`, where it also matches no characters or
    /// is missing. A variable without the operators `+` and `#` matches no reserved characters such as '/'; its value
    /// contains such a character only if the URI contains the character with percent-encoding, such as `%2F`. Of
    /// several possible values, the first variable has the longest one. The run time is at most proportional to the
    /// number of variables and to the square of the size of the URI.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::optional<values> match(std::string_view uri) const;

private:
    class matcher;

    // Literal text (`name` is empty), or a variable.
    struct part {
        std::string text;        // literal: the text; variable: text before the value, such as "?x="
        std::string name;        // of the variable; empty: literal
        bool is_first = false;   // the first variable of its expression
        bool is_named = false;   // the text before the value contains the name
        bool allows_all = false; // the value may contain reserved characters
        std::string separator{}; // text before the value if an earlier variable of the expression has a value
        bool operator==(part const&) const = default;
    };

    static std::string add_expression(std::string_view inner, std::vector<part>& parts);

    std::string text_;        // set by parse()
    std::vector<part> parts_; // set by parse()
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/uri_template.ipp>
#endif

#endif
