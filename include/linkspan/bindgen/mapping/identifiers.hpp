#ifndef LINKSPAN_BINDGEN_MAPPING_IDENTIFIERS_HPP
#define LINKSPAN_BINDGEN_MAPPING_IDENTIFIERS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Maximum size of an identifier in bytes, without a suffix. A longer identifier is cut to this size, and then receives
/// the suffix `_` and 8 hexadecimal digits of the SHA-256 of its name.
inline constexpr std::size_t max_identifier = 100;

/// Returns the C++ identifier for a name that a server uses, such as the name of a tool or of a property.
///
/// A C++ identifier of at most `max_identifier` bytes that is not reserved, and that `safe_identifier` does not change,
/// is returned unchanged. Otherwise, each sequence of characters other than `A-Za-z0-9` becomes one `_`, and a leading
/// digit receives the prefix `n`. The `_` in front of a leading upper-case letter is moved to the end, because such
/// names are reserved. Keywords and names that may be macros are changed by `safe_identifier`. The empty name results
/// in `empty`; a name without letters and digits results in `symbol`.
///
/// \returns An identifier of `A-Za-z0-9_`. Equal names result in equal identifiers; different names may result in equal
/// identifiers, which `identifier_scope` distinguishes.
LINKSPAN_DECL std::string identifier_for(std::string_view name);

/// Returns `identifier`, changed if it is a keyword, a name that generated headers use (such as `tool` and `std`), or
/// may be the name of a macro.
///
/// Names in upper case of at least three characters, and known macros of POSIX, Boost and OpenSSL, are treated as
/// macros. Such identifiers receive the suffix `_`. Names that begin with `BOOST_`, `LINKSPAN_` or `_m_` receive the
/// prefix `n` instead, because names of macros may end in `_`.
LINKSPAN_DECL std::string safe_identifier(std::string identifier);

/// Returns the identifier of an entity within another one: "create_page" and "parent" result in "create_page_parent".
///
/// \param outer Identifier of the outer entity.
/// \param name Name of the inner entity; any text.
LINKSPAN_DECL std::string nested_identifier(std::string_view outer, std::string_view name);

/// Returns whether `identifier_for(name)` equals `name`.
LINKSPAN_DECL bool is_usable_identifier(std::string_view name);

/// Returns whether a name can be the name of a namespace: identifiers of at most `max_identifier` bytes separated by
/// `::`, none of which is reserved, a keyword, a name that generated headers use, or a macro of a common header. Other
/// names in upper case are accepted, because the user chose the name.
LINKSPAN_DECL bool is_usable_namespace(std::string_view name);

/// Returns a namespace for the bindings of a server: the identifier of the server's name, without `_` at either end.
///
/// The identifier receives the suffix `_tools` if it is a keyword or a macro, or may be a name of the C library: one
/// word, or a name that ends in `_t`. A name without letters and digits results in `server_tools`.
LINKSPAN_DECL std::string namespace_for(std::string_view server);

/// Set of the identifiers of one C++ scope.
///
///     identifier_scope scope;
///     scope.take("city"); // "city"
///     scope.take("city"); // "city_2"
///
/// Invariant: `take` does not return an identifier again until `release` removes the identifier.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class identifier_scope {
public:
    /// Adds an identifier and returns it. The identifier is `wanted`. If `wanted` is in use, the identifier is `wanted`
    /// with the suffix "_2", "_3" and so on, changed by `safe_identifier`.
    LINKSPAN_DECL std::string take(std::string const& wanted);

    /// Adds an identifier, so that `take` does not return it.
    void reserve(std::string name) { taken_.insert(std::move(name)); }

    /// Removes an identifier, so that `take` may return it again.
    void release(std::string const& name) { taken_.erase(name); }

    /// Returns whether an identifier is in use.
    bool contains(std::string const& name) const { return taken_.count(name) != 0; }

private:
    std::set<std::string> taken_;                // identifiers in use
    std::map<std::string, std::size_t> numbers_; // next suffix of each identifier; avoids quadratic time
};

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/identifiers.ipp>
#endif

#endif
