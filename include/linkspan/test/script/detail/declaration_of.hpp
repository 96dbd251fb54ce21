#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_DECLARATION_OF_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_DECLARATION_OF_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <boost/json/object.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns the declaration of a tool of a script.
template<class Tool>
tool_declaration declaration_of(Tool const& from)
{
    auto const text = [](auto const& part) { return part ? json_text(*part) : std::string(); };
    auto input = from.input_schema;
    input.emplace("type", "object"); // required; no effect if present
    return {.name = from.name,
            .description = from.description.value_or(""),
            .input_schema = json_text(input),
            .annotations = text(from.annotations),
            .output_schema = text(from.output_schema),
            .execution = text(from.execution),
            .title = from.title.value_or(""),
            .icons = text(from.icons),
            .meta = text(from.meta)};
}

} // namespace linkspan::test::detail

#endif
