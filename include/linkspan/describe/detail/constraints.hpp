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

namespace linkspan::inline LINKSPAN_ABI::detail {

// Constraints of a member that apply to its value, or to the elements of its value.
struct constraints {
    member_notes const* notes = nullptr;          // null: no constraints
    schema_pattern const& (*pattern)() = nullptr; // returns the compiled pattern; null only if notes is null
    bool of_elements = false;                     // true: only the constraints of numbers and strings apply

    constraints elements() const noexcept { return {notes, pattern, true}; }
    explicit operator bool() const noexcept { return notes != nullptr; }
};

// Returns an expectation with bounds, such as "an integer from 1 to 14". `what`: the kind of number.
LINKSPAN_DECL std::string expected_number(std::string_view what, constraints const& with);

// The following functions check one aspect of a value and add mismatches to `to`.

// Precondition of check_number and check_text: `with` has constraints.
LINKSPAN_DECL void check_number(written_number const& value, std::string_view what, constraints const& with,
                                findings& to, place const& at);
LINKSPAN_DECL void check_text(std::string_view value, constraints const& with, findings& to, place const& at);
LINKSPAN_DECL void check_items(std::size_t count, constraints const& with, findings& to, place const& at);
LINKSPAN_DECL void check_properties(std::size_t count, constraints const& with, findings& to, place const& at);

// Checks that a name of a map or free-form object is UTF-8. `of`: the place of the object.
LINKSPAN_DECL void check_name(std::string_view name, findings& to, place const& of);

// Checks that a free-form JSON value can be written as JSON (UTF-8, finite numbers) and is within the depth limit.
LINKSPAN_DECL void check_json(boost::json::value const& value, findings& to, place const& at);
LINKSPAN_DECL void check_json(boost::json::object const& object, findings& to, place const& at);
LINKSPAN_DECL void check_json(boost::json::array const& array, findings& to, place const& at);

// Checks that elements differ. `texts`: the elements as canonical JSON, so that equal values have equal texts.
LINKSPAN_DECL void check_unique(std::vector<std::string> texts, findings& to, place const& at);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/constraints.ipp>
#endif

#endif
