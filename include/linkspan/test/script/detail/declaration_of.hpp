#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_DECLARATION_OF_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_DECLARATION_OF_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns the declaration of a tool of a script.
template<class Tool>
tool_declaration declaration_of(Tool const& from)
{
    auto const text = [](std::optional<boost::json::object> const& object) {
        return object ? json_text(*object) : std::string();
    };
    auto input = from.input_schema;
    input.emplace("type", "object"); // required; no effect if present
    return {.name = from.name,
            .description = from.description.value_or(""),
            .input_schema = json_text(input),
            .annotations = text(from.annotations),
            .output_schema = text(from.output_schema),
            .execution = text(from.execution)};
}

} // namespace linkspan::test::detail

#endif
