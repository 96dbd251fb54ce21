#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_JSON_TEXT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_JSON_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_writer.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a JSON value or object as text, in the form in which the library sends it.
template<class Json>
std::string json_text(Json const& json)
{
    std::string out;
    append_json(out, json);
    return out;
}

} // namespace linkspan::test::detail

#endif
