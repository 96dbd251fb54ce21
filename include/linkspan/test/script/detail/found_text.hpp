#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_FOUND_TEXT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_FOUND_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a value as JSON text for a message; "..." replaces the end of a text of more than 128 bytes. The time does
// not depend on the size of the value.
LINKSPAN_DECL std::string short_json(boost::json::value const& value);

// Returns a text for a message as a JSON string, shortened in the same way.
LINKSPAN_DECL std::string short_json(std::string_view text);

// Returns a name for a message in single quotes, shortened in the same way.
LINKSPAN_DECL std::string quoted_text(std::string_view name);

// Returns the message for a value that is not as expected.
inline std::string expected_but_found(std::string const& expected, std::string const& found)
{
    return "expected " + expected + ", found " + found;
}

// As above, with the value itself. Null: the value is absent.
inline std::string expected_but_found(std::string const& expected, boost::json::value const* found)
{
    return expected_but_found(expected, found ? short_json(*found) : "nothing");
}

// Returns one line for each problem, which begins with `name`.
LINKSPAN_DECL std::string join_problems(std::string_view name, std::vector<diagnostic> const& problems);

// Returns the value at a location in a document; null: there is none. `pointer`: a JSON Pointer, whose long keys may
// have the form of `shortened_key`.
LINKSPAN_DECL boost::json::value const* value_at(boost::json::value const& document, std::string_view pointer);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/found_text.ipp>
#endif

#endif
