#ifndef LINKSPAN_BINDGEN_MAPPING_IDENTIFIERS_HPP
#define LINKSPAN_BINDGEN_MAPPING_IDENTIFIERS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace linkspan::bindgen {

/// bytes; a longer identifier is cut, and gets 8 digits of the SHA-256 of its name
inline constexpr std::size_t max_identifier = 100;

/// The C++ identifier that stands for a name of a server: that name where C++ takes it. Else a `_` stands for each run
/// of other characters, `n` before a leading digit, and `_` behind what is a keyword, may be a macro, or is otherwise
/// not ours to use. It has only `A-Za-z0-9_`, whatever the name holds. The same name always gets the same identifier.
LINKSPAN_DECL std::string identifier_for(std::string_view name);

/// `identifier`, or another one in its place where it is a keyword, or may be a macro: those are all names of three
/// characters and more that are all of upper case, and the others that come with POSIX, Boost and OpenSSL. They get a
/// `_` behind; those of Boost and of this library, which may end in one themselves, an `n` before.
LINKSPAN_DECL std::string harmless_identifier(std::string identifier);

/// The identifier of something within `outer`, which is one already: "create_page" and "parent" give
/// "create_page_parent".
LINKSPAN_DECL std::string nested_identifier(std::string_view outer, std::string_view name);

/// Whether `name` can be written in C++ as it is.
LINKSPAN_DECL bool is_usable_identifier(std::string_view name);

/// Whether `name` can be a namespace: identifiers with `::` between them. They may look like macros, because it is the
/// user who names it.
LINKSPAN_DECL bool is_usable_namespace(std::string_view name);

/// A namespace for what belongs to a server: its identifier, with `_tools` behind it where C may have one that is
/// alike, or a macro may.
LINKSPAN_DECL std::string namespace_for(std::string_view server);

/// Identifiers of one scope, each given once.
class identifier_scope {
public:
    /// `wanted`, or with "_2", "_3" and so on behind it where it is taken.
    LINKSPAN_DECL std::string take(std::string const& wanted);

    void reserve(std::string name) { taken_.insert(std::move(name)); }
    void release(std::string const& name) { taken_.erase(name); }
    bool contains(std::string const& name) const { return taken_.count(name) != 0; }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> numbers_; // what to try next, so that many of one name take no longer
};

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/identifiers.ipp>
#endif

#endif
