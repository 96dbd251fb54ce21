#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_MEMBER_NOTES_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_MEMBER_NOTES_HPP

#include <linkspan/bindgen/mapping/detail/mapped_type.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace linkspan::bindgen::detail {

/// Ranges, lengths, patterns and formats of a schema, as far as notes on a member of this type can say them. The
/// keywords of the others are appended to `unchecked`.
LINKSPAN_DECL std::vector<std::string> constraint_notes(json::object const& schema, mapped_type const& type,
                                                        std::vector<std::string>& unchecked);

/// Keywords that are constraints, of a schema that no member stands for.
LINKSPAN_DECL std::vector<std::string> constraint_keywords(json::object const& schema);

/// A default or an example, as `linkspan::note::default_value{3}`. Empty when it is no value of this type.
LINKSPAN_DECL std::string value_note(std::string_view note, json::value const& value, mapped_type const& type);

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/member_notes.ipp>
#endif

#endif
