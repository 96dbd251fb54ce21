#ifndef LINKSPAN_TEST_SCRIPT_IMPL_RULE_CONDITIONS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_RULE_CONDITIONS_IPP

#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

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
