#ifndef LINKSPAN_SERVER_DETAIL_SERVER_CORE_HPP
#define LINKSPAN_SERVER_DETAIL_SERVER_CORE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/protocol/server/offer.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/server/client_session.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/detail/served_tasks.hpp>
#include <linkspan/server/detail/subscriber_hub.hpp>
#include <linkspan/server/detail/suspended_requests.hpp>
#include <linkspan/server/request_handler.hpp>
#include <linkspan/server/server_counters.hpp>
#include <linkspan/server/serving_options.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Handler of a tool, a resource or a prompt.
struct offered_handler {
    request_handler run;
    std::shared_ptr<schema_validator const> input{};  // of the arguments; null: not validated
    std::shared_ptr<schema_validator const> output{}; // of structured content; null: not validated
    mirrored_arguments mirrored{};                    // arguments that HTTP clients repeat as headers
    std::string mime_type{};                          // of a resource; empty: not specified
    task_support tasks = task_support::forbidden;     // of a tool
};

using template_function = std::function<void(server_request, uri_template::values)>;

// Handler of a resource template.
struct template_handler {
    template_function run;
    std::string mime_type; // empty: not specified
};

// Schemas that a server validates for a tool, as far as the options permit.
struct validated_parts {
    bool arguments = true;
    bool results = true;
};

using handler_table = std::map<std::string, std::shared_ptr<offered_handler const>, std::less<>>;
using notification_handler = std::function<void(client_info const&, std::string_view params, client_session)>;

// State of a `server`: the offer with its handlers, the clients, and the requests that wait for input.
//
// Clients and requests share the ownership. close() ends all of them.
//
// Invariants: `tools_`, `resources_`, `templates_` and `prompts_` have exactly the entries of the lists of `offer_`.
// `clients_` has the clients that exist. `kept_params_` is at most `serving_options::max_kept_params`.
class server_core final : public std::enable_shared_from_this<server_core> {
public:
    LINKSPAN_DECL server_core(asio::any_io_executor executor, implementation self, serving_options options);
    server_core(server_core const&) = delete;
    server_core& operator=(server_core const&) = delete;

    asio::any_io_executor const& get_executor() const noexcept { return executor_; }
    implementation const& identity() const noexcept { return self_; }
    serving_options const& options() const noexcept { return options_; }
    server_counters& counters() noexcept { return counters_; }
    bool is_stopping() const noexcept { return is_stopping_; }

    // Returns whether a request with a method is handled: while the server stops, only those about tasks are.
    bool accepts(std::string_view method) const noexcept { return !is_stopping_ || is_needed_by_tasks(method); }
    LINKSPAN_DECL server_counters count() noexcept;
    suspended_requests& waiting() noexcept { return *waiting_; }
    subscriber_hub& subscribers() noexcept { return subscribers_; }
    served_tasks& tasks() noexcept { return tasks_of_clients_; }

    // Returns the dialogue at the beginning of a connection. `only`: as in serve().
    LINKSPAN_DECL server_dialogue const& dialogue(std::optional<protocol_version> only);

    // Add an entry with its handler. Throw `std::invalid_argument` with the reason if the entry is rejected. Exception
    // safety: strong, also of remove().
    LINKSPAN_DECL void add(tool what, request_handler run, validated_parts checks);
    LINKSPAN_DECL void add(resource what, request_handler run);
    LINKSPAN_DECL void add(resource_template what, template_function run);
    LINKSPAN_DECL void add(prompt what, request_handler run);
    LINKSPAN_DECL bool remove(offer_list from, std::string_view name);

    // Replaces all entries by those that a function adds. Notifies clients of the lists that differ. If `fill` throws,
    // the entries are as before.
    LINKSPAN_DECL void replace_entries(std::function<void()> const& fill);

    // Event: the contents of a resource have changed.
    LINKSPAN_DECL void on_updated(std::string_view uri);

    // Reserves one of `max_clients` for a client of `server::async_serve`, until the destruction of the result; null:
    // there are `max_clients` such clients.
    std::shared_ptr<void> take_place() const
    {
        auto const max = options_.max_clients;
        bool const is_full = max != 0 && static_cast<std::size_t>(places_.use_count()) > max;
        return is_full ? nullptr : places_;
    }

    // Counts bytes of params that are kept after a response. Returns false if they would exceed the maximum. The caller
    // calls release_params() with the same number later.
    bool keep_params(std::size_t bytes) noexcept
    {
        if (bytes > options_.max_kept_params - kept_params_)
            return false;
        kept_params_ += bytes;
        return true;
    }
    void release_params(std::size_t bytes) noexcept { kept_params_ -= bytes; }

    // Counts bytes in the same way until the destruction of the result; null: they would exceed the maximum.
    LINKSPAN_DECL std::shared_ptr<void> keep_bytes(std::size_t bytes);

    // account: name under which the client is limited; empty: not known. only: the protocol version of the client;
    // empty: the client determines it. `done` may be empty. `method`: that of the first message; empty: not known.
    // Returns the client; null: the server was stopped, and does not accept the method.
    LINKSPAN_DECL std::shared_ptr<served_client> serve(any_transport client, std::string principal, std::string account,
                                                       std::optional<protocol_version> only,
                                                       pending_handler<void(error_code)> done,
                                                       std::string_view method = {});
    LINKSPAN_DECL void stop(duration grace, pending_handler<void(error_code)> done);
    LINKSPAN_DECL void close();

    // Handles a request. Each request is completed, now or later.
    LINKSPAN_DECL void dispatch(served_request_pointer const& request);

    // Refuses a request whose state is not valid, and counts it.
    LINKSPAN_DECL void reject_state(served_request& request);

    // Calls the handler of a request, also another time.
    LINKSPAN_DECL void run(served_request_pointer const& request);
    LINKSPAN_DECL void on_notification(client_info const& from, std::string_view method, std::string_view params,
                                       std::weak_ptr<served_client> client);

    // Event: a client is being destroyed.
    void on_client_gone(served_client const& client) noexcept { clients_.erase(&client); }

    // Event: a client has ended, a request has a response, or a task has changed.
    LINKSPAN_DECL void on_progress_of_stop();

    // Returns the hints for caches as members of a result, with a leading comma; empty: the protocol version has none.
    LINKSPAN_DECL std::string cache_members(served_request const& request) const;

    // Reports a defect to the options.
    LINKSPAN_DECL void report_defect(server_defect const& defect);
    LINKSPAN_DECL void report_defect(served_request const& of, std::string_view what);

    // Returns the mirrored arguments of a tool; null: the tool does not exist.
    LINKSPAN_DECL mirrored_arguments const* mirrored(std::string_view tool) const;

    std::map<std::string, request_handler, std::less<>> methods;            // by method; set by the server
    std::map<std::string, notification_handler, std::less<>> notifications; // by method; set by the server
    request_handler complete_argument;                                      // `completion/complete`; empty: not offered
    std::map<std::string, std::string, std::less<>> extensions;             // declared extensions and their settings

private:
    std::string capabilities(protocol_version id) const;
    bool take_state(served_request_pointer const& request);
    void resume(served_request& request, suspended_requests::opened const& found, std::string_view responses);
    void route(served_request_pointer const& request);
    std::string problem_of_completion(std::string_view params) const;
    void list(served_request& request, offer_list which);
    void call_tool(served_request_pointer const& request);
    void read_resource(served_request_pointer const& request);
    void get_prompt(served_request_pointer const& request);
    bool has_room_for(std::size_t added, std::size_t present) const noexcept;
    void subscribe(served_request& request, bool subscribes);
    void set_log_level(served_request& request);
    void listen(served_request_pointer const& request);
    bool accepts_task(offered_handler const& tool, served_request& request) const;
    bool accepts_arguments(offered_handler const& tool, served_request& request) const;

    // Adds an entry to the offer, and its handler to a table.
    template<class Entry, class Table>
    void add_with_handler(offer_list which, Entry what, Table& handlers, std::string name,
                          typename Table::mapped_type handler);

    // Event: a list has changed. Precondition: subscriber_hub::prepare(), in the same function.
    void on_changed(offer_list which) noexcept;
    void finish_stop(error_code ec);
    LINKSPAN_DECL bool is_needed_by_tasks(std::string_view method) const noexcept;
    std::vector<std::shared_ptr<served_client>> open_clients();

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    implementation self_;
    serving_options options_;

    // By the only protocol version of the client; added by the first call of dialogue(), never removed.
    std::map<std::optional<protocol_version>, std::optional<server_dialogue>> dialogues_;

    offer offer_; // changed by add(), remove() and replace_entries(), with the tables below
    handler_table tools_, resources_, prompts_;
    std::map<std::string, template_handler, std::less<>> templates_; // by URI template
    // Added by serve(), removed by on_client_gone().
    std::map<served_client const*, std::weak_ptr<served_client>> clients_;
    std::shared_ptr<void> places_ = std::make_shared<char>(); // each client of `server::async_serve` has a copy
    std::uint64_t served_ = 0;                    // number of clients that were served; incremented by serve()
    subscriber_hub subscribers_;                  // clients and streams that are notified of changes
    served_tasks tasks_of_clients_;               // calls that continue as tasks
    std::shared_ptr<suspended_requests> waiting_; // set by the constructor
    std::size_t kept_params_ = 0;                 // bytes; increased by keep_params(), decreased by release_params()
    bool is_stopping_ = false;                    // set by stop() and close(); see accepts()
    bool is_replacing_ = false;                   // during replace_entries(), which notifies the clients at its end
    std::vector<pending_handler<void(error_code)>> stopped_; // added by stop(), completed by finish_stop()
    optional_timer stop_timer_;                              // bounds the time of stop()
    server_counters counters_; // incremented by this class and by the objects of clients and requests
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
// the bodies of all classes that refer to each other
#include <linkspan/server/impl/client_session.ipp>
#include <linkspan/server/impl/client_task.ipp>
#include <linkspan/server/impl/read_wait.ipp>
#include <linkspan/server/impl/served_client.ipp>
#include <linkspan/server/impl/served_client.requests.ipp>
#include <linkspan/server/impl/served_request.input.ipp>
#include <linkspan/server/impl/served_request.ipp>
#include <linkspan/server/impl/served_request.require_input.ipp>
#include <linkspan/server/impl/served_tasks.ipp>
#include <linkspan/server/impl/server_core.ipp>
#include <linkspan/server/impl/server_core.replacing.ipp>
#include <linkspan/server/impl/server_core.requests.ipp>
#include <linkspan/server/impl/server_request.ipp>
#include <linkspan/server/impl/state_claim.ipp>
#include <linkspan/server/impl/subscriber_hub.ipp>
#include <linkspan/server/impl/suspended_requests.ipp>
#endif

#endif
