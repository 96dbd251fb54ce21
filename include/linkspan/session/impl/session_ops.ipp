#ifndef LINKSPAN_SESSION_IMPL_SESSION_OPS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_OPS_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::string_view members_of(std::string_view object) noexcept
{
    auto const open = object.find('{');
    auto const close = object.rfind('}');
    return open == object.npos || close == object.npos ? std::string_view() : object.substr(open + 1, close - open - 1);
}

LINKSPAN_DECL std::string describe(reply const& completion)
{
    if (completion.result.ec.category() == rpc_category())
        return json_scan::string(read_failure(completion.body).message).value_or(std::string(completion.body));
    return std::string(completion.body);
}

// A list

LINKSPAN_DECL void list_request::start(std::shared_ptr<session_core> session, handler_type handler)
{
    auto* const op = new list_request(std::move(session), std::move(handler));
    if (auto slot = op->handler_.cancellation_slot(); slot.is_connected())
        slot.assign([op](asio::cancellation_type type) {
            if (type != asio::cancellation_type::none)
                op->on_cancel();
        });
    op->request_page();
}

LINKSPAN_DECL list_request::list_request(std::shared_ptr<session_core> session, handler_type handler)
    : session_(std::move(session)), handler_(std::move(handler)), pages_(session_->options().max_pages)
{
    method = "tools/list";
    idle_timeout = session_->options().idle_timeout;
    attempt_timeout = session_->options().attempt_timeout;
}

LINKSPAN_DECL void list_request::request_page()
{
    params = cursor_;
    began = session_->time().now();
    session_->start(*this);
}

LINKSPAN_DECL void list_request::on_done(reply const& completion)
{
    using kind = pagination::action::kind;
    if (completion.result.ec)
        return complete(completion.result.ec, describe(completion));
    auto const known = list_.tools.size();
    if (auto const ec = append_page(list_, completion.body))
        return complete(ec);
    if (session_->mirror().is_enabled())
        header_mirror::read(list_, known, mirrored_);
    if (list_.tools.size() > session_->options().max_tools)
        return complete(error::list_too_long);
    auto const next = pages_.on_page(completion.body);
    if (next.what != kind::next_page) {
        if (!next.ec && session_->mirror().is_enabled())
            session_->mirror().replace(std::move(mirrored_));
        return complete(next.ec);
    }
    (cursor_ = R"("cursor":)") += next.cursor;
    request_page();
}

LINKSPAN_DECL void list_request::on_cancel()
{
    handler_.cancellation_slot().clear();
    session_->cancel(*this, "cancelled");
    post_handler(session_->executor(), [self = std::unique_ptr<list_request>(this)]() mutable {
        self.release()->complete(asio::error::operation_aborted);
    });
}

LINKSPAN_DECL void list_request::complete(error_code ec, std::string detail)
{
    std::unique_ptr<list_request> const self(this);
    handler_.cancellation_slot().clear();
    if (ec)
        list_ = tool_list();
    list_.detail = std::move(detail);
    handler_.complete(ec, std::move(list_));
}

} // namespace linkspan::detail

#endif
