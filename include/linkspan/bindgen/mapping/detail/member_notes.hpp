#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_MEMBER_NOTES_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_MEMBER_NOTES_HPP

#include <linkspan/bindgen/mapping/detail/mapped_type.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

// Returns notes for ranges, lengths, patterns and formats of a schema, as far as they apply to a member of this type.
// The other constraint keywords are appended to `unchecked`.
LINKSPAN_DECL std::vector<std::string> constraint_notes(json::object const& schema, mapped_type const& type,
                                                        std::vector<std::string>& unchecked);

// Returns the constraint keywords of a schema without a member.
LINKSPAN_DECL std::vector<std::string> constraint_keywords(json::object const& schema);

// Returns a note for a default or an example, such as `linkspan::note::default_value{3}`. Empty: the value is not valid
// for the type, or is too large.
LINKSPAN_DECL std::string value_note(std::string_view note, json::value const& value, mapped_type const& type);

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/member_notes.ipp>
#endif

#endif
