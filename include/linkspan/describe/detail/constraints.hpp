#ifndef LINKSPAN_DESCRIBE_DETAIL_CONSTRAINTS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_CONSTRAINTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/describe/notes.hpp>
#include <linkspan/json/detail/written_number.hpp>
#include <linkspan/schema/pattern.hpp>

#include <boost/json/fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::detail {

// What the notes about a member ask of its value, which may be a list of such values.
struct constraints {
    member_notes const* notes = nullptr; // null: nothing
    schema_pattern const& (*pattern)() = nullptr;
    bool of_elements = false; // what is about lists and objects was looked at already

    constraints elements() const noexcept { return {notes, pattern, true}; }
    explicit operator bool() const noexcept { return notes != nullptr; }
};

// "an integer from 1 to 14"
LINKSPAN_DECL std::string expected_number(std::string_view what, constraints const& with);

// Precondition of these two: there is something to check.
LINKSPAN_DECL void check_number(written_number const& value, std::string_view what, constraints const& with,
                                findings& to, place const& at);
LINKSPAN_DECL void check_text(std::string_view value, constraints const& with, findings& to, place const& at);
LINKSPAN_DECL void check_items(std::size_t count, constraints const& with, findings& to, place const& at);
LINKSPAN_DECL void check_properties(std::size_t count, constraints const& with, findings& to, place const& at);

// Of a member of an object whose names are not known.
LINKSPAN_DECL void check_name(std::string_view name, findings& to, place const& of);

// Of free-form JSON: what JSON can say, and no deeper than the limit.
LINKSPAN_DECL void check_json(boost::json::value const& value, findings& to, place const& at);
LINKSPAN_DECL void check_json(boost::json::object const& object, findings& to, place const& at);
LINKSPAN_DECL void check_json(boost::json::array const& array, findings& to, place const& at);

// The elements as canonical JSON text: equal ones have equal texts.
LINKSPAN_DECL void check_unique(std::vector<std::string> texts, findings& to, place const& at);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/constraints.ipp>
#endif

#endif
