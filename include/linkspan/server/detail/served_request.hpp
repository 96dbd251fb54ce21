#ifndef LINKSPAN_SERVER_DETAIL_SERVED_REQUEST_HPP
#define LINKSPAN_SERVER_DETAIL_SERVED_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/server/request_params.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/server/client_info.hpp>
#include <linkspan/server/detail/client_request.hpp>
#include <linkspan/server/detail/client_task.hpp>
#include <linkspan/server/required_input.hpp>
#include <linkspan/server/task_options.hpp>
#include <linkspan/server/tool_output.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class schema_validator;

namespace detail {

class server_core;
class served_client;

// One request of a client: the state behind a `server_request`.
//
// The response to a stateless request that waits for input is `input_required`. The client then sends the request again
// with the input, with another id and possibly over another connection. The object continues with the origin of this
// new request.
//
// Invariant: `is_over()` is true exactly if `stage_` is `over`. Only an object in the stage `running` is in the list of
// its client. The table of the server contains the objects in the stage `suspended`. If the handler completes the
// request in this stage, the entry of the table receives the outcome and keeps the object.
class served_request final : public std::enable_shared_from_this<served_request> {
public:
    // Origin of a request: everything that differs when the client sends it again.
    struct origin {
        std::weak_ptr<served_client> client;     // connection
        std::uint64_t stream = 0;                // HTTP exchange of the response; 0: none
        std::string raw_id;                      // JSON text
        std::string progress_token;              // JSON text; empty: no progress is requested
        std::optional<log_level> min_level;      // of log messages; empty: none are requested
        std::shared_ptr<client_info const> from; // not null
    };

    // parts: views of `params`.
    served_request(std::shared_ptr<server_core> server, origin&& from, protocol_version version,
                   std::string_view method, std::string_view params, request_params const& parts)
        : server_(std::move(server)),
          origin_(std::move(from)),
          version_(version),
          method_(method),
          params_(params),
          parts_(parts.in_copy(params, params_))
    {}

    served_request(served_request const&) = delete;
    served_request& operator=(served_request const&) = delete;
    LINKSPAN_DECL ~served_request();

    origin const& from() const noexcept { return origin_; }
    protocol_version version() const noexcept { return version_; }
    std::string_view method() const noexcept { return method_; }
    std::string const& params() const noexcept { return params_; }
    request_params const& parts() const noexcept { return parts_; }
    server_core& server() const noexcept { return *server_; }
    // Returns the name under which the client is limited; empty: not known, or the client has disconnected.
    LINKSPAN_DECL std::string account() const;
    bool is_over() const noexcept { return stage_ == stage::over; }
    // Returns whether abandon() has ended the request.
    bool is_abandoned() const noexcept { return is_abandoned_; }
    // Returns whether the method may require input of the client. Specification: MCP 2026-07-28, "Multi Round-Trip
    // Requests".
    bool may_require_input() const noexcept
    {
        return method() == "tools/call" || method() == "prompts/get" || method() == "resources/read";
    }
    bool is_stateless() const noexcept { return traits_of(version_).era == era::stateless; }

    // Sends a response and ends the request. `members`: the members of the result object as JSON text, without braces.
    // `contains`: which of the members that the protocol version requires are in `members`; the others are added. The
    // outcome of a task is stored in the task, and no response is sent. While the request is suspended, the outcome is
    // stored, for the next request of the client. Has no effect if the request is over.
    LINKSPAN_DECL void complete(std::string_view members, server_dialogue::contained_members contains = {});
    LINKSPAN_DECL void complete_object(std::string_view result);
    LINKSPAN_DECL void complete(tool_output const& result);
    LINKSPAN_DECL void fail(int code, std::string_view message, std::string_view data = {});

    // Fails the request with the error response for an error of a request to the client. Other errors than
    // `unsupported_input_request`, `invalid_argument` and `timed_out` mean that the client did not send the input.
    LINKSPAN_DECL void fail(error_code ec);

    // Reports a defect of the handler, and fails the request. Has no effect if the request is over.
    LINKSPAN_DECL void fail_with_defect(std::string_view what);

    // Fails the request, because the client does not declare the capabilities `needed`, the text of a JSON object.
    LINKSPAN_DECL void fail_undeclared(std::string_view needed);

    // Event: the `server_request` was destroyed, and its handler will not run again. Fails the request, unless it is
    // over. Without memory for the error response, the request is cancelled, and its connection is closed if the client
    // waits for the response: in the stage `running`, unless the request is a task.
    LINKSPAN_DECL void abandon() noexcept;

    // Event: the client has cancelled the request or disconnected, or the server was closed. Calls the function of
    // on_cancelled() and completes the outstanding requests to the client with `operation_aborted`.
    LINKSPAN_DECL void cancel();

    // Ends the request without calling a function of the user, because the connection is being destroyed.
    LINKSPAN_DECL void drop() noexcept;

    LINKSPAN_DECL void on_cancelled(std::function<void()> callback);
    LINKSPAN_DECL void report_progress(double value, std::optional<double> total, std::string_view message);
    LINKSPAN_DECL void log(log_level level, std::string_view data, std::string_view logger);
    LINKSPAN_DECL void notify(std::string_view method, std::string_view params);

    // Adds a request to the client. All requests to the client of one turn of the event loop are sent together.
    LINKSPAN_DECL void ask(client_request wanted);

    // See server_request::require_input(). Returns whether the handler runs again with another handle.
    LINKSPAN_DECL bool require_input(std::vector<required_input> inputs, std::string_view state);

    // Allocates memory, so that the next call of resume() can replace the origin.
    void prepare_resume() { earlier_clients_.reserve(earlier_clients_.size() + 1); }

    // Event: the client has sent a suspended request again, with input. Requests to the client that have no result are
    // sent again. Precondition: prepare_resume().
    LINKSPAN_DECL void resume(origin from, std::string_view input_responses);

    // Returns whether the client can handle tasks as results: it declares the extension, or requests a task.
    LINKSPAN_DECL bool declares_tasks() const noexcept;

    // See server_request::become_task().
    LINKSPAN_DECL bool become_task(task_options const& options);
    bool is_task() const noexcept { return !task_id_.empty(); }

    // Sends the requests of a task to its client that were not sent yet. Over HTTP, they are sent on the stream of an
    // outstanding request `tasks/result`; without such a request, they remain unsent. Has no effect in the era
    // `stateless`.
    LINKSPAN_DECL void send_task_requests();

    // Event: a request `tasks/result` for the task has ended. The requests to the client that were sent on its stream
    // may have been lost, and are sent again on the next stream. A response to any of the copies is accepted.
    // `may_send`: false if the connection is being destroyed.
    LINKSPAN_DECL void on_result_stream_gone(bool may_send);

    // Event: the client has sent input for the requests of a task, as the text of a JSON object.
    void take_input(std::string_view responses) { take_input(read_input(responses)); }

    // The same in two steps: read_input() allocates the memory for the results, before anything is changed.
    using input_results = std::vector<std::pair<std::string, std::string>>; // by the keys of the requests
    LINKSPAN_DECL input_results read_input(std::string_view responses) const;
    LINKSPAN_DECL void take_input(input_results const& results);

    // Ends the request in favour of a suspended one, which takes over its origin.
    void yield_to_suspended() noexcept { stage_ = stage::over; }

    // Adds inputs of the client, as the text of a JSON object. Inputs that are no objects are ignored.
    LINKSPAN_DECL void add_inputs(std::string_view responses);
    std::string_view input(std::string_view key) const noexcept;

    // Event: no input has arrived in time. If the request is suspended, all outstanding requests to the client complete
    // with `timed_out`, and the request ends. Otherwise, those without a timeout of their own complete with
    // `timed_out`.
    LINKSPAN_DECL void expire();

    // Returns the text of a `_meta` object, with the server's identity in stateless protocol versions.
    LINKSPAN_DECL std::string with_identity(std::string_view meta) const;

    // Function that sends a stored outcome as the response to the request `to`.
    using outcome_function = std::function<void(served_request& to)>;

    std::string mime_type;                            // of the resource that is read; empty: not specified
    std::string state;                                // passed to the next run of the handler
    std::shared_ptr<schema_validator const> validate; // checks structured content; null: not checked
    std::function<void()> on_end;                     // called once when the request is over; empty: none

private:
    enum class stage { running, suspended, over };
    // A JSON-RPC request to a client.
    struct sent_request {
        std::weak_ptr<served_client> to;
        std::uint64_t id = 0;
    };
    struct pending_client_request {
        std::string key;
        client_request what;
        bool is_sent = false;
        std::vector<sent_request> copies{}; // in the order of sending; added by send_client_requests()
        std::shared_ptr<void> counted{};    // bytes of the params; set by count_client_requests()
    };

    void end();

    // Returns the params of a message to the client, with the id of the task to which it belongs.
    std::string params_of_message(std::string params) const;
    bool matches_schema(std::string_view structured);
    void abort_client_requests() noexcept;
    void abort_client_requests(error_code ec, std::size_t count);
    void post_client_requests();
    void send_client_requests();
    void send_new_client_requests();
    void send_client_requests(std::shared_ptr<served_client> const& to, std::uint64_t stream);
    void suspend();

    // Starts the wait for the results of the requests to the client without a timeout of their own.
    void wait_for_input(duration span);
    void on_wait_over();
    void keep_outcome(std::size_t bytes, outcome_function send);

    // Counts the params, which remain until the destruction, for the limit of the server. Returns false if they would
    // exceed it.
    bool keep_params() noexcept;
    bool count_client_requests();
    void follow_task(std::shared_ptr<served_client> const& of, client_request what, std::string_view created);
    std::uint64_t stream_of_tasks(served_client const& of) const;
    void end_client_tasks(void (client_task::*by)());
    // id: of the copy with the response; 0: none.
    void finish(std::string_view key, error_code ec, std::string_view result, std::uint64_t id = 0);
    // Cancels the copies of a request to the client that have no response.
    static void cancel_copies(pending_client_request const& of);
    void add_client_request(client_request what, std::string key);
    bool accept(client_request& what);
    void limit_time(client_request& what, std::string const& key);
    void publish_client_requests();
    void take_required_input(std::size_t& missing, std::string_view key, std::string_view result);
    void run_again();

    std::shared_ptr<server_core> server_;                             // set by the constructor
    origin origin_;                                                   // set by the constructor, replaced by resume()
    std::vector<std::shared_ptr<client_info const>> earlier_clients_; // of replaced origins; added by resume()
    bool counts_params_ = false;                                      // set by keep_params(), never cleared
    protocol_version version_;                                        // set by the constructor
    std::string method_, params_;                                     // set by the constructor
    request_params parts_;                                            // views of `params_`; set by the constructor
    std::string task_id_; // set by become_task(), never cleared; empty: the request is no task

    stage stage_ = stage::running;                               // `suspended`: set by suspend(), cleared by resume()
    std::function<void()> cancelled_;                            // set by on_cancelled(), cleared by end()
    double progress_ = -std::numeric_limits<double>::infinity(); // last reported value
    // Requests to the client without a result. Added by add_client_request(), removed by finish(),
    // abort_client_requests() and drop().
    std::vector<pending_client_request> client_requests_;
    // Added by follow_task(), ended by end() and drop(). Null: there was none; a pointer, because few requests have
    // one.
    std::unique_ptr<std::vector<std::weak_ptr<client_task>>> client_tasks_;
    // Number of the last request of ask(), or of the last round of require_input() in a task; part of their keys.
    std::size_t last_client_request_ = 0;
    bool sends_soon_ = false; // send_client_requests() is posted; set by post_client_requests(), cleared by the handler
    bool is_tool_error_ = false; // set by complete(): the result is the error of a tool
    bool is_abandoned_ = false;  // set by abandon(), never cleared
    optional_timer timer_;       // bounds the time of requests to the client while this request is not suspended

    // Capabilities that the client did not declare for the last refused request to it. Set by ask() and
    // require_input().
    std::string_view needed_;

    // Results of the client. Added by add_inputs() and take_required_input().
    std::map<std::string, std::string, std::less<>> inputs_;
};

} // namespace detail
} // namespace linkspan

#endif
