#ifndef LINKSPAN_TEST_DETAIL_REQUEST_EXCHANGE_HPP
#define LINKSPAN_TEST_DETAIL_REQUEST_EXCHANGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/protocol/subscription_filter.hpp>
#include <linkspan/test/detail/acting_exchange.hpp>
#include <linkspan/test/detail/fault_target.hpp>
#include <linkspan/test/script.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

class server_connection;

// A request of a client, with the actions that remain to be executed.
//
// The object is in the list of its connection until the response is sent and the actions are complete, the request is
// passed on to the server behind, the client cancels the request, or the connection ends.
//
// Invariant: `arguments_` and `meta_` refer to `params_` or to static text.
class request_exchange final : public acting_exchange {
public:
    // `line`: the message. `stream`: number of its HTTP stream; 0: none.
    LINKSPAN_DECL request_exchange(server_connection& connection, server_dialogue::action const& what,
                                   std::string_view line, std::uint64_t stream);

    std::string_view id() const override { return id_; }
    std::uint64_t stream() const { return stream_; }
    std::string const& line() const { return line_; }
    std::string const& composed() const { return composed_; }
    protocol_version version() const { return version_; }
    bool has_response() const { return has_response_; }
    std::string_view method() const override { return method_; }
    std::string_view tool() const override { return tool_; }
    std::string_view arguments() const override { return arguments_; }
    std::string_view params() const override { return params_; }
    LINKSPAN_DECL std::string message() const override;

    LINKSPAN_DECL void reply(std::string_view members) override;
    LINKSPAN_DECL void refuse(int code, std::string_view message, std::string_view data = {}) override;
    LINKSPAN_DECL void send(std::string_view bytes) override;
    LINKSPAN_DECL void notify(std::string_view method, std::string_view params) override;
    LINKSPAN_DECL void progress(double value, double total) override;
    using exchange::send_request;
    LINKSPAN_DECL void send_request(std::string_view method, std::string_view params,
                                    std::function<void(std::string_view response)> next) override;
    LINKSPAN_DECL void drop() override;
    LINKSPAN_DECL http_exchange* http() override;
    LINKSPAN_DECL std::optional<std::string> http_header(std::string_view name) const override;
    LINKSPAN_DECL std::string nearest_rule() const override;
    LINKSPAN_DECL header_fields http_headers() const override;
    LINKSPAN_DECL void respond_by_default() override;
    LINKSPAN_DECL void mark_complete() override;
    LINKSPAN_DECL void declare_tool(tool_declaration const& what) override;
    LINKSPAN_DECL bool has_tool(std::string_view name) const override;
    LINKSPAN_DECL void remove_tool(std::string_view name) override;
    LINKSPAN_DECL void respond_http(std::string_view text) override;
    LINKSPAN_DECL script_values& values() override;
    LINKSPAN_DECL duration since_start() const override;

    // Acknowledges `subscriptions/listen`, which stays open. `capabilities`: of the server, as JSON text.
    LINKSPAN_DECL void subscribe(std::string_view capabilities);
    // Sends a notification of a change, if the request is a subscription that receives it.
    LINKSPAN_DECL void notify_subscriber(std::string_view method, std::string_view params);

    void set_fault(fault_setting const& fault) override { fault_ = fault; }
    // Returns the properties of the request that the response depends on. Valid as long as this object.
    responded_request responded() const { return {.method = method_, .meta = meta_, .fault = fault_}; }

    // Event: the client cancels the request, or the connection ends.
    LINKSPAN_DECL void cancel() override;

    std::size_t number = 0; // in the journal; set before the first action
    time_point since{};     // time of receipt; set before the first action

    // The message, while the rule is selected; else empty, so that requests whose rules do not need it are not copied.
    std::string_view received;

private:
    void on_action() override { is_scripted_ = true; }
    void on_actions_complete() override { remove_if_complete(); }
    void finish(std::string_view response);
    LINKSPAN_DECL void remove_if_complete();

    server_connection* connection_; // owns this object; cancels it before its own destruction
    std::uint64_t stream_;          // stream of the response
    // Set by the constructor. `params_` and `id_` are JSON texts.
    std::string line_, composed_, id_, method_, params_, tool_;
    std::string_view arguments_ = "{}", meta_; // JSON texts in `params_`; set by the constructor
    protocol_version version_;
    std::unique_ptr<subscription_filter> granted_; // set by subscribe(); null: the request is no subscription
    std::optional<fault_setting> fault_;           // of the response; set by set_fault()
    bool has_response_ = false;                    // set when the response is sent
    bool is_scripted_ = false; // set when the first action of a rule starts, cleared by respond_by_default()
};

} // namespace linkspan::test::detail

#endif
