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

namespace linkspan::detail {

// Holds the calls of one server against the schemas that it lists. A schema is compiled when it is first needed, and
// kept for as long as the server lists the same text.
class tool_checks {
public:
    // Of a schema that cannot be used: the tool, and why. Once for each text; what it would check goes unchecked.
    using reporter = std::function<void(std::string const& detail)>;

    explicit tool_checks(call_validation wanted) : wanted_(wanted) {}

    LINKSPAN_DECL void learn(std::span<catalog_entry const> tools);

    // What is wrong, for people and without values; empty: nothing, or nobody can tell.
    LINKSPAN_DECL std::string lacks_of_arguments(std::string_view tool, std::string_view text, reporter const& report);
    LINKSPAN_DECL std::string lacks_of_result(std::string_view tool, call_result const& result, reporter const& report);

private:
    struct compiled {
        bool is_tried = false;
        std::optional<schema_validator> check; // nothing: it cannot be used
    };

    struct known_tool {
        std::shared_ptr<tool const> definition;
        compiled input, output;
    };

    known_tool* find(std::string_view tool);
    static schema_validator const* compile(compiled& into, std::string const& tool, char const* which,
                                           std::string_view schema, reporter const& report);

    call_validation wanted_;
    std::map<std::string, known_tool, std::less<>> tools_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/tool_checks.ipp>
#endif

#endif
