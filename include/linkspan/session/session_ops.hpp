#ifndef LINKSPAN_SESSION_SESSION_OPS_HPP
#define LINKSPAN_SESSION_SESSION_OPS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/session/detail/session_request.hpp>
#include <linkspan/session/session_core.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the members of a JSON object, without the braces; empty for a text without braces.
LINKSPAN_DECL std::string_view members_of(std::string_view object) noexcept;

// Returns a human-readable text about a failed request: the message of the error response, or the beginning of the
// body.
LINKSPAN_DECL std::string describe(reply const& completion);

// State of a `tools/list` operation over all pages.
//
// The object owns itself: `complete` and `on_dropped` delete it. At most one of its requests is outstanding at a time.
class list_request final : public request_op {
public:
    using handler_type = pending_handler<void(error_code, tool_list)>;

    LINKSPAN_DECL static void start(std::shared_ptr<session_core> session, handler_type handler);

private:
    list_request(std::shared_ptr<session_core> session, handler_type handler);

    void request_page();
    void on_done(reply const& completion) override;
    void on_dropped() noexcept override { delete this; }
    void on_cancel();
    // `detail`: `tool_list::detail`.
    void complete(error_code ec, std::string detail = {});

    std::shared_ptr<session_core> session_; // set by the constructor
    handler_type handler_;                  // set by the constructor, emptied by `complete`
    pagination pages_;                      // cursors received so far; extended by each page
    std::string cursor_;                    // `params` of the next request, set by each page; empty for the first page
    tool_list list_;                        // tools of all pages received so far; moved to the handler by `complete`
    header_mirror::arguments_by_tool
        mirrored_; // mirrored arguments of `list_`; moved to the session after the last page
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/input_exchange.ipp>
#include <linkspan/session/impl/session_core.ipp>
#include <linkspan/session/impl/session_core.receiving.ipp>
#include <linkspan/session/impl/session_core.recovery.ipp>
#include <linkspan/session/impl/session_core.requests.ipp>
#include <linkspan/session/impl/session_ops.ipp>
#include <linkspan/session/impl/session_request.ipp>
#endif

#endif
