#ifndef LINKSPAN_CONNECTOR_DETAIL_TOOL_CHECKS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TOOL_CHECKS_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/schema/validator.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Validates arguments and results of the calls of one server against the schemas that the server lists. A schema is
// compiled when it is first needed, and kept while the server lists the same text.
class tool_checks {
public:
    // Receives the name of the tool and the reason if a schema cannot be used, once per text of the schema. Calls are
    // not validated against such a schema.
    using reporter = std::function<void(std::string const& detail)>;

    explicit tool_checks(call_validation wanted) : wanted_(wanted) {}

    // Replaces the list of tools; keeps the compiled schemas whose text is unchanged.
    LINKSPAN_DECL void set_tools(std::span<catalog_entry const> tools);

    // Returns the schema errors of arguments as text for human readers. Empty: the arguments are valid, or are not
    // validated, because validation is disabled, or there is no such tool or no usable input schema.
    LINKSPAN_DECL std::string argument_errors(std::string_view tool, std::string_view text, reporter const& report);

    // Returns the schema errors of a result as text without values of the result, also if `structuredContent` is
    // missing. Empty: the result is valid, or is not validated, because validation is disabled, there is no such tool
    // or no usable output schema, or the result has `isError` or requests input.
    LINKSPAN_DECL std::string result_errors(std::string_view tool, call_result const& result, reporter const& report);

private:
    // A schema that is compiled on demand.
    struct compiled {
        bool is_attempted = false;             // set by the first compilation, also if it fails; never cleared
        std::optional<schema_validator> check; // set by a successful compilation, never cleared
    };

    // A listed tool with its schemas.
    struct known_tool {
        std::shared_ptr<tool const> definition;
        compiled input, output;
    };

    known_tool* find(std::string_view tool);
    static schema_validator const* compile(compiled& into, std::string const& tool, char const* which,
                                           std::string_view schema, reporter const& report);

    call_validation wanted_;                               // set by the constructor
    std::map<std::string, known_tool, std::less<>> tools_; // by the tool's own name; set by set_tools()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/tool_checks.ipp>
#endif

#endif
