#ifndef LINKSPAN_SESSION_DETAIL_SESSION_REQUEST_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/detail/request_pointer.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// State of one request from its preparation to the completion of its handler.
//
// The objects belong to the pool of the session. A prepared object is owned by a `request_pointer`, and a started one
// by itself: `complete` and `on_dropped` return it to the pool. Until then its address does not change, because the
// session has pointers to it. The views of `request_op` refer to the texts and the options of the object.
//
// Invariant: a started object has one owner of its completion, so that it returns to the pool exactly once: the session
// until on_done(), on_dropped() or a cancellation, and a posted handler after a cancellation or a rejection.
class session_request final : public request_op {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    // Takes an object from the pool. The request has default options, and no parameters.
    LINKSPAN_DECL static request_pointer prepare(session_pointer const& session, std::string_view method);

    // Takes an object from the pool for a call of a tool. The caller appends the arguments to `params_text()`.
    LINKSPAN_DECL static request_pointer prepare_call(session_pointer const& session, std::string_view tool);

    // Takes an object from the pool for a request whose `params` have one member, a text.
    LINKSPAN_DECL static request_pointer prepare_text(session_pointer const& session, request_origin origin,
                                                      std::string_view method, std::string_view key,
                                                      std::string_view text);

    // Returns the text of `params`: a JSON object, or its members without braces. Changed before start() only.
    std::string& params_text() noexcept { return params_; }

    // Sets the options. Call before start().
    void set_options(call_options options) { options_.emplace(std::move(options)); }

    // Returns whether the request is a call of a tool that may become a task. Call before start().
    bool allows_task() const noexcept { return options_ && options_->allow_task && !name_.empty(); }

    // Sets the function that `request_op::can_fail_over` calls; without it, the request cannot fail over. Call before
    // start().
    void fail_over_if(std::function<bool()> condition) { can_fail_over_ = std::move(condition); }

    // Sets the server and the secrets for the result. Call before start().
    void set_origin(request_origin origin)
    {
        if (origin.server)
            origin_ = std::make_unique<request_origin>(std::move(origin));
    }

    // Declares the extension for tasks, in the era `stateless`. Call before start().
    void declare_tasks() noexcept { declares_tasks = true; }

    // Makes the request fail with `invalid_arguments`; nothing is sent. Call before start().
    void reject(std::string_view problem) { problem_ = problem; }

    // Starts the request. The handler is invoked later, never inside this function.
    LINKSPAN_DECL static void start(request_pointer request, handler_type handler);

private:
    friend request_deleter;

    // The references of a request to objects of its initiator.
    struct references {
        handler_type handler;
        std::optional<call_options> options;
        std::function<bool()> can_fail_over;
        std::unique_ptr<request_origin> origin;
    };

    void set_fields();
    std::string server() const { return origin_ ? *origin_->server : std::string(); }
    std::string redacted(std::string_view text) const { return origin_ ? origin_->redacted(text) : std::string(text); }
    references release_references() noexcept;
    std::string called_tool() const;
    void on_progress(progress_update const& update) override
    {
        if (options_ && options_->on_progress)
            options_->on_progress(update);
    }
    bool can_fail_over() override { return can_fail_over_ && can_fail_over_(); }
    void on_done(reply const& completion) override;
    void on_dropped() noexcept override { request_pointer(this, {std::move(session_)}).reset(); }
    void on_cancel(asio::cancellation_type type);
    void complete(error_code ec, call_result&& result);
    void complete_rejected();

    session_pointer session_; // set by prepare(), cleared when the object returns to the pool
    // Set by prepare() and by the initiator; kept in the pool for their memory. `name_`: of the tool, prompt, resource
    // or task.
    std::string method_, name_, params_;
    std::string problem_;                 // set by reject(), cleared by prepare(); not empty: nothing is sent
    std::optional<call_options> options_; // set by set_options(), released with the handler; empty: default options
    handler_type handler_;                // set by start(), moved out by complete()
    // Set by set_origin(), released with the handler. Null: a session without a connector. One pointer, because most
    // requests have no origin.
    std::unique_ptr<request_origin> origin_;
    std::function<bool()> can_fail_over_; // set by fail_over_if(), released with the handler; empty: false
};

// Returns the method with which `async_ping` checks a server: `ping`, or `server/discover` in the stateless era.
LINKSPAN_DECL std::string_view ping_method(session_core const& session) noexcept;

} // namespace linkspan::detail

// The bodies need the class `session_core`: <linkspan/session/session_ops.hpp> includes them.

#endif
