#ifndef LINKSPAN_SESSION_SESSION_OPS_HPP
#define LINKSPAN_SESSION_SESSION_OPS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/session/session_core.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::detail {

// The members of a JSON object given as text, without its braces.
LINKSPAN_DECL std::string_view members_of(std::string_view object) noexcept;

// What people want to know about a failed request: the server's message, or the beginning of what it said.
LINKSPAN_DECL std::string describe(reply const& how);

// One request of a session, from its start to the completion of its handler. It owns itself.
class session_request final : public request_op {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    struct texts {
        std::string method, name, params;
        std::string problem{}; // of the parameters: nothing is sent
    };

    // `can_fail_over`: see `request_op`; empty: it cannot.
    LINKSPAN_DECL static void start(std::shared_ptr<session_core> session, texts what, call_options options,
                                    handler_type handler, std::function<bool()> can_fail_over = {});

private:
    session_request(std::shared_ptr<session_core> session, texts what, call_options options, handler_type handler);

    void on_progress(progress_update const& update) override
    {
        if (options_.on_progress)
            options_.on_progress(update);
    }
    std::string called_tool() const;
    bool can_fail_over() override { return can_fail_over_ && can_fail_over_(); }
    void on_done(reply const& how) override;
    void on_dropped() noexcept override { delete this; }
    void on_cancel(asio::cancellation_type type);
    void complete(error_code ec, call_result result);
    void refuse();

    std::shared_ptr<session_core> session_;
    texts texts_;
    call_options options_;
    handler_type handler_;
    std::function<bool()> can_fail_over_;
};

// The request that asks a server whether it is alive: any answer says so.
LINKSPAN_DECL session_request::texts ping_of(session_core const& session);

// `tools/list` with all its pages. It owns itself.
class list_request final : public request_op {
public:
    using handler_type = pending_handler<void(error_code, tool_list)>;

    LINKSPAN_DECL static void start(std::shared_ptr<session_core> session, handler_type handler);

private:
    list_request(std::shared_ptr<session_core> session, handler_type handler);

    void ask();
    void read_mirrored(std::size_t first);
    void on_done(reply const& how) override;
    void on_dropped() noexcept override { delete this; }
    void on_cancel();
    void complete(error_code ec);

    std::shared_ptr<session_core> session_;
    handler_type handler_;
    pagination pages_;
    std::string cursor_;
    tool_list list_;
    session_core::mirrored_map mirrored_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_ops.ipp>
#endif

#endif
