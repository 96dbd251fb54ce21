#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_OPERATIONS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_OPERATIONS_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/connector/detail/server_driver.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The operations of a connector on one server that the caller names, and the creation of servers.
//
// Invariant: handlers of callers are never invoked inside an initiating function.
class server_operations {
public:
    using server_pointer = connector_context::server_pointer;
    using report_handler = pending_handler<void(error_code, server_report)>;
    using done_handler = pending_handler<void(error_code)>;
    using pins_handler = pending_handler<void(error_code, std::vector<pin_difference>)>;

    // Function that is applied to each server, whose session exists: to existing servers and to those that are added
    // later.
    using preparation = std::function<void(server_entry&)>;

    server_operations(connector_context& context, tool_lister& lister, server_driver& driver)
        : context_(context), lister_(lister), driver_(driver)
    {}

    // Implementations of `add`, `async_connect`, `async_disconnect`, `async_enable`, `async_disable`, `async_remove`,
    // `async_replace` and `async_verify_pins` of a connector.
    LINKSPAN_DECL void add(std::string key, std::string_view kind, transport_factory transport, server_options options);
    LINKSPAN_DECL void connect(std::string_view key, report_handler done);
    LINKSPAN_DECL void disconnect(std::string_view key, done_handler done);
    LINKSPAN_DECL void enable(std::string_view key, report_handler done);
    LINKSPAN_DECL void disable(std::string_view key, done_handler done);
    LINKSPAN_DECL void remove(std::string_view key, done_handler done);
    LINKSPAN_DECL void replace(std::string_view key, std::string_view kind, transport_factory transport,
                               server_options options, report_handler done);
    LINKSPAN_DECL void verify(std::string_view key, std::vector<tool_pin> pins, pins_handler done);

    // Applies the function to each server, also to servers that are added later. Replaces the function of the same
    // name.
    LINKSPAN_DECL void prepare_servers(std::string_view name, preparation prepare);

    // Sets the validation of calls to servers that are added later.
    void set_call_validation(validation_choice arguments, validation_choice results) noexcept
    {
        validate_arguments_ = arguments;
        validate_results_ = results;
    }

    // Returns the secrets of all servers, to which each added server adds its own.
    std::shared_ptr<shared_redactor> const& secrets() const noexcept { return secrets_; }

private:
    std::shared_ptr<tool_checks> make_checks(server_options const& options) const;
    server_pointer make_server(std::string key, std::string_view kind, transport_factory transport,
                               server_options options);
    void connect_for(std::uint64_t operation, std::string_view key,
                     std::function<void(error_code, server_report const&)> done);
    std::function<void(error_code)> shutdown_completion(server_pointer const& server, done_handler done);
    server_report install_replacement(server_pointer const& server, server_report report);

    connector_context& context_; // this and the next two: set by the constructor, parts of the same connector
    tool_lister& lister_;
    server_driver& driver_;
    validation_choice validate_arguments_, validate_results_; // set by set_call_validation()
    // By name; added or replaced by prepare_servers().
    std::map<std::string, preparation, std::less<>> preparations_;
    // Secrets of all servers. Extended when a server is added or replaced; secrets of removed servers are kept.
    std::shared_ptr<shared_redactor> const secrets_ = std::make_shared<shared_redactor>();
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/server_operations.ipp>
#endif

#endif
