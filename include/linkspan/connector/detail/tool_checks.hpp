#ifndef LINKSPAN_CONNECTOR_DETAIL_TOOL_CHECKS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TOOL_CHECKS_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Validates arguments and results of the calls of one server. The interface separates the connector from the
// validation against schemas, which header-only units contain only if they enable it: see `validation_choice`.
class tool_checks {
public:
    // Receives the name of the tool and the reason if a schema cannot be used, once per text of the schema. Calls are
    // not validated against such a schema.
    using reporter = std::function<void(std::string const& detail)>;

    virtual ~tool_checks() = default;

    // Replaces the list of tools.
    virtual void set_tools(std::span<catalog_entry const> tools) = 0;

    // Returns the schema errors of arguments as text for human readers. Empty: the arguments are valid, or are not
    // validated, because validation is disabled, or there is no such tool or no usable input schema.
    virtual std::string argument_errors(std::string_view tool, std::string_view text, reporter const& report) = 0;

    // Returns the schema errors of a result as text without values of the result, also if `structuredContent` is
    // missing. Empty: the result is valid, or is not validated, because validation is disabled, there is no such tool
    // or no usable output schema, or the result has `isError` or requests input.
    virtual std::string result_errors(std::string_view tool, call_result const& result, reporter const& report) = 0;
};

} // namespace linkspan::detail

#endif
