#ifndef LINKSPAN_TEST_SCRIPT_IMPL_RULE_CONDITIONS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_RULE_CONDITIONS_IPP

#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <stdexcept>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL parameter_condition detail::condition_on(std::string pointer, boost::json::value const& definition,
                                                       std::string const& subject)
{
    if (header_of_pointer(pointer).empty() && !is_json_pointer(pointer) && !pointer_into_message(pointer))
        throw std::invalid_argument(
            "linkspan: " + subject + ": " +
            expected_but_found("a JSON Pointer into the parameters, or, after '#', into the message, or a header "
                               "field, such as '#/http/headers/authorization'",
                               short_json(pointer)));
    std::vector<diagnostic> problems;
    auto expected = matcher::read(definition, pointer, problems);
    if (!problems.empty())
        throw std::invalid_argument("linkspan: " + subject + ": " + to_string(problems.front()));
    return {std::move(pointer), std::move(expected)};
}

LINKSPAN_DECL void script_values::store_response(std::string const& variable, std::string_view response)
{
    auto value = detail::parse_params(response);
    if (auto* const members = value.if_object()) {
        members->erase("jsonrpc");
        members->erase("id");
    }
    vars[variable] = std::move(value);
}

} // namespace linkspan::test

#endif
