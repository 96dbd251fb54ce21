#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_ESCAPE_EXPRESSIONS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_ESCAPE_EXPRESSIONS_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Replaces `${` in the strings of a value by `$${`, because a script would read an expression.
inline void escape_expressions(boost::json::value& in)
{
    if (auto* const text = in.if_string()) {
        for (auto at = text->find("${"); at != text->npos; at = text->find("${", at + 3))
            text->insert(at, "$");
    } else if (auto* const object = in.if_object()) {
        for (auto& member : *object)
            escape_expressions(member.value());
    } else if (auto* const array = in.if_array()) {
        for (auto& element : *array)
            escape_expressions(element);
    }
}

} // namespace linkspan::test::detail

#endif
