#ifndef LINKSPAN_CONNECTOR_DETAIL_SCHEMA_CHECKS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SCHEMA_CHECKS_HPP

#include <linkspan/connector/call_validation.hpp>
#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/schema/validator.hpp>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Validates calls against the schemas that the server lists. A schema is compiled when it is first needed, and kept
// while the server lists the same text.
class schema_checks final : public tool_checks {
public:
    explicit schema_checks(call_validation wanted) : wanted_(wanted) {}

    LINKSPAN_DECL void set_tools(std::span<catalog_entry const> tools) override;
    LINKSPAN_DECL std::string argument_errors(std::string_view tool, std::string_view text,
                                              reporter const& report) override;
    LINKSPAN_DECL std::string result_errors(std::string_view tool, call_result const& result,
                                            reporter const& report) override;

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
#include <linkspan/connector/impl/schema_checks.ipp>
#endif

#endif
