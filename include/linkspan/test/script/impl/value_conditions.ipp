#ifndef LINKSPAN_TEST_SCRIPT_IMPL_VALUE_CONDITIONS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_VALUE_CONDITIONS_IPP

#include <linkspan/core/diagnostic.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/test/script/value_conditions.hpp>

#include <boost/json/object.hpp>

#include <stdexcept>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL parameter_condition make_argument_condition(std::string_view member, std::string_view name,
                                                          std::string const& operand)
{
    error_code ec;
    boost::json::object definition;
    definition[name] = linkspan::detail::parse_json(operand, ec);
    auto pointer = "/arguments/" + linkspan::detail::pointer_token(member);
    std::vector<diagnostic> problems;
    auto expected = matcher::read(definition, pointer, problems);
    if (!problems.empty())
        throw std::invalid_argument("linkspan: arg: " + to_string(problems.front()));
    return {std::move(pointer), std::move(expected)};
}

} // namespace linkspan::test::detail

#endif
