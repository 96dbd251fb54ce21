#ifndef LINKSPAN_SESSION_IMPL_SESSION_OPS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_OPS_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
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

LINKSPAN_DECL std::string_view error_data(reply const& completion) noexcept
{
    bool const is_response = completion.result.has_response && completion.result.ec.category() == rpc_category();
    return is_response ? read_failure(completion.body).data : std::string_view();
}

// Lists

LINKSPAN_DECL page_request::page_request(std::shared_ptr<session_core> session, std::string_view list_method)
    : session_(std::move(session)), pages_(session_->options().max_pages)
{
    method = list_method;
    idle_timeout = session_->options().idle_timeout;
    attempt_timeout = session_->options().attempt_timeout;
}

LINKSPAN_DECL void page_request::begin(asio::cancellation_slot slot)
{
    slot_ = slot;
    if (slot_.is_connected())
        slot_.assign([this, known = std::weak_ptr(exists_)](asio::cancellation_type type) {
            if (!known.expired() && type != asio::cancellation_type::none)
                on_cancel();
        });
    request_page();
}

LINKSPAN_DECL void page_request::request_page()
{
    params = cursor_;
    began = session_->time().now();
    session_->start(*this);
}

LINKSPAN_DECL void page_request::on_done(reply const& completion)
{
    auto page = completion.body;
    std::string detail;
    try {
        if (completion.result.ec)
            detail = describe(completion);
        else if (reads_in_parts() && page.size() > max_page_step)
            page = (page_ = completion.text()).view();
    } catch (...) {
        end(asio::error::no_memory);
        throw;
    }
    if (completion.result.ec)
        return end(completion.result.ec, std::move(detail));
    read(page);
}

// Reads a page, or the next part of `page_`. If that throws, the operation has failed.
LINKSPAN_DECL void page_request::read(std::string_view page)
{
    error_code ec;
    bool has_next = false;
    try {
        bool const is_read = on_page(page, ec);
        if (!ec && size() > session_->options().max_tools)
            ec = error::list_too_long;
        if (!ec && !is_read)
            return read_later();
        if (!ec) {
            auto const next = pages_.on_page(page);
            ec = next.ec;
            has_next = next.what == pagination::action::kind::next_page;
            if (has_next)
                (cursor_ = R"("cursor":)") += next.cursor;
        }
    } catch (...) {
        session_->release(*this);
        end(asio::error::no_memory);
        throw;
    }
    if (ec || !has_next)
        return end(ec);
    page_ = {};
    request_page();
}

// Posts the next call of `read`, which has no effect if the request fails or is cancelled before.
LINKSPAN_DECL void page_request::read_later()
{
    session_->hold(*this);
    post_handler(session_->executor(), [this, known = std::weak_ptr(exists_), session = session_] {
        if (known.expired() || !session->release(*this))
            return;
        read(page_.view());
        session->report_drained();
    });
}

LINKSPAN_DECL void page_request::on_cancel()
{
    slot_.clear();
    slot_ = {}; // the caller may use the signal for another operation before `end`
    session_->cancel(*this, "cancelled");
    post_handler(session_->executor(), [self = std::unique_ptr<page_request>(this)]() mutable {
        self.release()->end(asio::error::operation_aborted);
    });
}

LINKSPAN_DECL void page_request::end(error_code ec, std::string detail)
{
    slot_.clear();
    on_end(ec, std::move(detail));
}

LINKSPAN_DECL void list_request::start(std::shared_ptr<session_core> session, handler_type handler)
{
    auto* const op = new list_request(std::move(session), std::move(handler));
    op->begin(op->handler_.cancellation_slot());
}

LINKSPAN_DECL list_request::list_request(std::shared_ptr<session_core> session, handler_type handler)
    : page_request(std::move(session), "tools/list"), handler_(std::move(handler))
{}

LINKSPAN_DECL bool list_request::on_page(std::string_view result, error_code& ec)
{
    if (!reader_)
        reader_.emplace(list_, result);
    if (!reader_->is_valid()) {
        ec = error::malformed_message;
        return true;
    }
    auto const known = list_.tools.size();
    bool const is_read = reader_->step(max_page_step);
    if (session().mirror().is_enabled())
        header_mirror::read(list_, known, mirrored_);
    if (is_read)
        reader_.reset();
    return is_read;
}

LINKSPAN_DECL void list_request::on_end(error_code ec, std::string detail)
{
    std::unique_ptr<list_request> const self(this);
    if (!ec && session().mirror().is_enabled())
        session().mirror().replace(std::move(mirrored_));
    if (ec)
        list_ = tool_list();
    list_.detail = std::move(detail);
    handler_.complete(ec, std::move(list_));
}

LINKSPAN_DECL void entries_request::start(std::shared_ptr<session_core> session, std::string_view method,
                                          request_origin origin, page_reader read, handler_type handler)
{
    auto* const op =
        new entries_request(std::move(session), method, std::move(origin), std::move(read), std::move(handler));
    op->begin(op->handler_.cancellation_slot());
}

LINKSPAN_DECL entries_request::entries_request(std::shared_ptr<session_core> session, std::string_view list_method,
                                               request_origin origin, page_reader read, handler_type handler)
    : page_request(std::move(session), list_method),
      origin_(std::move(origin)),
      read_(std::move(read)),
      handler_(std::move(handler))
{
    declares_tasks = list_method.starts_with("tasks/");
}

LINKSPAN_DECL void entries_request::on_end(error_code ec, std::string detail)
{
    std::unique_ptr<entries_request> const self(this);
    handler_.complete(ec, origin_.redacted(detail));
}

} // namespace linkspan::detail

#endif
