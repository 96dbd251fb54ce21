#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_DECLARATION_TEXT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_DECLARATION_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Appends a tool as an element of the result of `tools/list`, which is its form in a script too.
inline void append_declaration(std::string& to, tool_declaration const& of)
{
    linkspan::detail::object_writer object(to);
    object.text("name", of.name);
    object.optional_text("title", of.title);
    object.optional_text("description", of.description);
    object.raw("inputSchema", of.input_schema);
    object.optional_raw("outputSchema", of.output_schema);
    object.optional_raw("annotations", of.annotations);
    object.optional_raw("execution", of.execution);
    object.optional_raw("icons", of.icons);
    object.optional_raw("_meta", of.meta);
    object.close();
}

} // namespace linkspan::test::detail

#endif
