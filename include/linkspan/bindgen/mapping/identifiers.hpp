#ifndef LINKSPAN_BINDGEN_MAPPING_IDENTIFIERS_HPP
#define LINKSPAN_BINDGEN_MAPPING_IDENTIFIERS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Limit of an identifier in bytes. A longer identifier is cut and receives the suffix `_` and 8 digits of the SHA-256
/// of its name.
inline constexpr std::size_t max_identifier = 100;

/// Returns the C++ identifier for a name of a server.
///
/// A name that is a usable identifier is returned unchanged. In another name, each sequence of other characters becomes
/// `_`, a leading digit receives the prefix `n`, and a keyword, a name that may be a macro, or a reserved name receives
/// the suffix `_`.
///
/// \returns An identifier of `A-Za-z0-9_`. Equal names result in equal identifiers; different names may result in equal
/// identifiers, which `identifier_scope` distinguishes.
LINKSPAN_DECL std::string identifier_for(std::string_view name);

/// Returns an identifier that is neither a keyword nor a likely macro.
///
/// Names in upper case of at least three characters, and known macros of POSIX, Boost and OpenSSL, are treated as
/// macros. They receive the suffix `_`. Macros of Boost and of this library receive the prefix `n` instead, because
/// their names may end in `_`.
LINKSPAN_DECL std::string safe_identifier(std::string identifier);

/// Returns the identifier of an entity within another one: "create_page" and "parent" result in "create_page_parent".
///
/// \param outer Identifier of the outer entity.
/// \param name Name of the inner entity; any text.
LINKSPAN_DECL std::string nested_identifier(std::string_view outer, std::string_view name);

/// Returns whether `identifier_for(name)` is the name itself.
LINKSPAN_DECL bool is_usable_identifier(std::string_view name);

/// Returns whether a name is a namespace: identifiers separated by `::`. A name that may be a macro is accepted,
/// because the user chose it.
LINKSPAN_DECL bool is_usable_namespace(std::string_view name);

/// Returns a namespace for the bindings of a server: its identifier, with the suffix `_tools` if that may be a name of
/// the C library or a macro.
LINKSPAN_DECL std::string namespace_for(std::string_view server);

/// Set of the identifiers of one C++ scope.
///
///     identifier_scope scope;
///     scope.take("city"); // "city"
///     scope.take("city"); // "city_2"
///
/// Invariant: `take` returns each identifier once, unless it is released.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class identifier_scope {
public:
    /// Adds an identifier and returns it: `wanted`, or `wanted` with the suffix "_2", "_3" and so on if it is in use.
    LINKSPAN_DECL std::string take(std::string const& wanted);

    /// Adds an identifier, so that `take` does not return it.
    void reserve(std::string name) { taken_.insert(std::move(name)); }

    /// Removes an identifier, so that `take` may return it again.
    void release(std::string const& name) { taken_.erase(name); }

    /// Returns whether an identifier is in use.
    bool contains(std::string const& name) const { return taken_.count(name) != 0; }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> numbers_; // next suffix by identifier, against quadratic time for equal names
};

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/identifiers.ipp>
#endif

#endif
