#ifndef LINKSPAN_TEST_SCRIPT_MATCHER_HPP
#define LINKSPAN_TEST_SCRIPT_MATCHER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/schema/validator.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// A condition on one JSON value of a request, such as `{"ge":1,"lt":5}`.
///
/// A definition that is not an object is the value that is expected. The members of an object are matchers, all of
/// which must match:
///
/// | matcher | operand | matches |
/// |---|---|---|
/// | `eq`, `ne` | any value | a value that is equal, or not equal; numbers are compared by value |
/// | `in` | array of values | a value that is equal to one of them |
/// | `lt`, `le`, `gt`, `ge` | number | a number that is less, not greater, greater, not less |
/// | `between` | `[lowest, highest]` | a number from `lowest` to `highest` |
/// | `approx` | `{"value":v,"abs":d}` | a number that differs from `v` by at most `d` |
/// | `approx` | `{"value":v,"rel":r}` | a number that differs from `v` by at most `r` times the absolute value of `v` |
/// | `re` | regular expression of ECMA-262 without look-around and back-references | a string that contains a match |
/// | `prefix`, `suffix`, `contains` | string | a string that begins with it, ends with it, contains it |
/// | `len` | number, or `[least, most]` | a string, array or object of so many code points, elements or members |
/// | `type` | name or array of names of JSON Schema | a value of one of these types |
/// | `schema` | JSON Schema 2020-12 or draft 7 | a value that is valid |
/// | `like` | any value | an object with at least these members, compared in the same way; an equal other value |
/// | `each`, `any` | matcher | an array all elements of which match; at least one element of which matches |
/// | `unordered` | array of values | an array with these elements in any order |
/// | `all`, `oneOf` | array of matchers | a value that all of them match; that at least one of them matches |
/// | `not` | matcher | a value that it does not match |
/// | `present`, `absent` | `true` or `false` | a value that is present, or absent; with `false`, the reverse |
/// | `capture` | name | a present value, which the selected rule stores as this variable; outermost matcher only |
///
/// `absent` and `{"present":false}` match an absent value. `not` matches an absent value if its operand does not:
/// `{"not":5}` matches an absent value, but `{"ne":5}` does not. `all`, `oneOf` and the members of one object combine
/// the results of their matchers. No other matcher matches an absent value.
///
/// Matchers are nested at most 64 deep; `unordered` has at most 256 values. Beside a `$ref` at the root of a schema of
/// draft 7, only `$id`, `definitions` and `$defs` are used.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
class matcher {
public:
    /// Reads a matcher.
    ///
    /// \param definition The JSON form, as in the table above.
    /// \param pointer Location of the definition, which precedes the locations of problems.
    /// \param problems Receives one error for each part of the definition that is not a matcher. The returned matcher
    /// then matches no value.
    LINKSPAN_DECL static matcher read(boost::json::value const& definition, std::string_view pointer,
                                      std::vector<diagnostic>& problems);

    /// Returns whether the value matches.
    ///
    /// \param value The value; null if the request does not contain it.
    LINKSPAN_DECL bool matches(boost::json::value const* value) const;

    /// Returns the name of the variable of `capture`; empty: there is none.
    std::string const& capture() const noexcept { return capture_; }

    /// Returns the JSON form.
    boost::json::value const& definition() const noexcept { return definition_; }

private:
    matcher(boost::json::value definition, schema_validator check, bool accepts_absent, std::string capture)
        : definition_(std::move(definition)),
          check_(std::move(check)),
          accepts_absent_(accepts_absent),
          capture_(std::move(capture))
    {}

    // Set by read().
    boost::json::value definition_;
    schema_validator check_; // of present values
    bool accepts_absent_;
    std::string capture_;
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/matcher.ipp>
#endif

#endif
