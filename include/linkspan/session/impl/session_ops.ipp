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

// A request

LINKSPAN_DECL void session_request::start(std::shared_ptr<session_core> session, texts what, call_options options,
                                          handler_type handler, std::function<bool()> can_fail_over)
{
    auto* const op = new session_request(session, std::move(what), std::move(options), std::move(handler));
    if (!op->texts_.problem.empty())
        return op->refuse();
    op->can_fail_over_ = std::move(can_fail_over);
    if (auto slot = op->handler_.cancellation_slot(); slot.is_connected())
        slot.assign([op](asio::cancellation_type type) { op->on_cancel(type); });
    session->start(*op);
}

LINKSPAN_DECL session_request::session_request(std::shared_ptr<session_core> session, texts what, call_options options,
                                               handler_type handler)
    : session_(std::move(session)), texts_(std::move(what)), options_(std::move(options)), handler_(std::move(handler))
{
    auto const& defaults = session_->options();
    method = texts_.method;
    request_kind = kind_of_request(method);
    if (texts_.name.empty()) { // transports over HTTP send the name as a header
        auto const about = method == "resources/read" ? "uri" : "name";
        if (method == "resources/read" || method == "prompts/get" || method == "tools/call")
            texts_.name = json_scan::string(json_scan::member(texts_.params, about)).value_or("");
    }
    name = texts_.name;
    params = texts_.params.starts_with('"') ? std::string_view(texts_.params) : members_of(texts_.params);
    meta = members_of(options_.meta);
    wants_progress = options_.on_progress || method == "tools/call"; // progress restarts `idle_timeout`
    began = session_->time().now();
    idle_timeout = options_.idle_timeout.value_or(defaults.idle_timeout);
    attempt_timeout = options_.attempt_timeout.value_or(defaults.attempt_timeout);
    if (!options_.timeout)
        return;
    timeout = *options_.timeout;
    deadline = session_->time().after(timeout);
}

LINKSPAN_DECL std::string session_request::called_tool() const
{
    return method == "tools/call" ? texts_.name : std::string();
}

// The completion is posted, because the handler must not run inside the initiating function.
LINKSPAN_DECL void session_request::refuse()
{
    post_handler(session_->executor(), [self = std::unique_ptr<session_request>(this)]() mutable {
        call_result result;
        result.trail({}, std::move(self->texts_.problem), self->called_tool());
        self.release()->complete(error::invalid_arguments, std::move(result));
    });
}

LINKSPAN_DECL void session_request::on_done(reply const& completion)
{
    if (!completion.result.ec)
        return complete({}, call_result(completion.text(), {}));
    std::vector<attempt_record> trail(1);
    trail.front() = {{}, id(), completion.result, describe(completion)};
    auto text = completion.result.has_response ? trail.front().detail : std::string();
    call_result result;
    result.trail(std::move(trail), std::move(text), called_tool());
    complete(completion.result.ec, std::move(result));
}

// Total cancellation guarantees that the operation had no effect, so it applies only to requests that are not sent.
LINKSPAN_DECL void session_request::on_cancel(asio::cancellation_type type)
{
    using cancel = asio::cancellation_type;
    if (type == cancel::none || (is_sent() && (type & (cancel::terminal | cancel::partial)) == cancel::none))
        return;
    handler_.cancellation_slot().clear(); // further cancellations have no effect
    std::vector<attempt_record> trail(1);
    trail.front().id = id();
    trail.front().result.started = has_started();
    trail.front().result.certainty = session_->cancel(*this, "cancelled");
    trail.front().result.ec = asio::error::operation_aborted;
    trail.front().result.elapsed = session_->time().now() - began;
    call_result result;
    result.trail(std::move(trail), {}, called_tool());
    // The completion is posted, because the handler must not run inside `emit`.
    post_handler(session_->executor(),
                 [self = std::unique_ptr<session_request>(this), result = std::move(result)]() mutable {
                     self.release()->complete(asio::error::operation_aborted, std::move(result));
                 });
}

LINKSPAN_DECL void session_request::complete(error_code ec, call_result result)
{
    std::unique_ptr<session_request> const self(this);
    handler_.cancellation_slot().clear();
    handler_.complete(ec, std::move(result));
}

LINKSPAN_DECL session_request::texts ping_of(session_core const& session)
{
    bool const stateless = session.version() && traits_of(*session.version()).opening == era::stateless;
    return {stateless ? "server/discover" : "ping", {}, {}};
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
        return complete(completion.result.ec);
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

LINKSPAN_DECL void list_request::complete(error_code ec)
{
    std::unique_ptr<list_request> const self(this);
    handler_.cancellation_slot().clear();
    handler_.complete(ec, ec ? tool_list() : std::move(list_));
}

} // namespace linkspan::detail

#endif
