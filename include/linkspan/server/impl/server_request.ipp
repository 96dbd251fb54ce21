#ifndef LINKSPAN_SERVER_IMPL_SERVER_REQUEST_IPP
#define LINKSPAN_SERVER_IMPL_SERVER_REQUEST_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/server/detail/content_check.hpp>
#include <linkspan/server/detail/input_check.hpp>
#include <linkspan/server/detail/read_wait.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/server_request.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

LINKSPAN_DECL asio::any_io_executor const& executor_of(served_request_pointer const& request) noexcept
{
    return request->server().get_executor();
}

LINKSPAN_DECL void wait_until_read(served_request_pointer const& request, std::size_t max_bytes,
                                   pending_handler<void(error_code)> done)
{
    std::make_shared<read_wait>(request, max_bytes, std::move(done))->start();
}

LINKSPAN_DECL client_info const& client_of(served_request const& request) noexcept { return *request.from().from; }

LINKSPAN_DECL protocol_version version_of(served_request const& request) noexcept { return request.version(); }

LINKSPAN_DECL void request_of_client(served_request_pointer const& request, client_request wanted)
{
    request->ask(std::move(wanted));
}

LINKSPAN_DECL bool is_valid_input(served_request const& request, std::string_view method, std::string_view params,
                                  std::string_view result)
{
    return !request.server().options().validate_input || problem_of_input(method, params, result).empty();
}

LINKSPAN_DECL void report_exception(served_request const& request, std::exception_ptr failure)
try {
    if (failure)
        std::rethrow_exception(failure);
} catch (boost::system::system_error const& thrown) {
    // A coroutine of a cancelled request usually ends by an aborted operation. The exception of another coroutine has
    // destroyed its handle, which has ended the request.
    bool const is_cancelled = request.is_over() && !request.is_abandoned();
    if (!is_cancelled || thrown.code() != asio::error::operation_aborted)
        request.server().report_defect(request, thrown.what());
} catch (std::exception const& thrown) {
    request.server().report_defect(request, thrown.what());
} catch (...) {
    request.server().report_defect(request, "unknown exception");
}

} // namespace detail

LINKSPAN_DECL server_request::~server_request()
{
    if (request_ && !is_replaced_)
        request_->abandon();
}

LINKSPAN_DECL std::string_view server_request::method() const noexcept { return request_->method(); }

LINKSPAN_DECL std::string_view server_request::params() const noexcept { return request_->params(); }

LINKSPAN_DECL std::string_view server_request::arguments() const noexcept
{
    auto const given = request_->parts().arguments;
    return given.starts_with('{') ? given : "{}";
}

LINKSPAN_DECL enum protocol_version server_request::protocol_version() const noexcept { return request_->version(); }

LINKSPAN_DECL client_info const& server_request::client() const noexcept { return *request_->from().from; }

LINKSPAN_DECL client_session server_request::session() const
{
    return client_session(
        {get_executor(), request_->is_stateless() ? std::weak_ptr<detail::served_client>() : request_->from().client});
}

LINKSPAN_DECL bool server_request::is_over() const noexcept { return is_replaced_ || request_->is_over(); }

LINKSPAN_DECL void server_request::on_cancelled(std::function<void()> callback)
{
    if (!is_replaced_)
        request_->on_cancelled(std::move(callback));
}

LINKSPAN_DECL void server_request::complete(raw_json result)
{
    if (!is_replaced_)
        request_->complete_object(result.text());
}

LINKSPAN_DECL void server_request::complete(tool_output const& result)
{
    if (!is_replaced_)
        request_->complete(result);
}

LINKSPAN_DECL void server_request::complete(prompt_result const& result)
{
    if (is_replaced_)
        return;
    for (auto const& each : result.messages)
        if (auto const problem = detail::problem_of_content(each.content); !problem.empty())
            return request_->fail_with_defect(problem);
    std::string members;
    append_members(members, result, request_->version());
    request_->complete(members);
}

LINKSPAN_DECL void server_request::complete(std::vector<resource_contents> result)
{
    if (is_replaced_)
        return;
    auto const uri = json_scan::string(json_scan::member(request_->params(), "uri")).value_or("");
    if (result.empty()) {
        std::string data = R"({"uri":)";
        append_quoted(data, uri);
        return request_->fail(request_->is_stateless() ? -32602 : -32002, "Resource not found", data + "}");
    }
    std::string members = R"("contents":[)";
    for (auto& each : result) {
        if (auto const problem = detail::problem_of_content(each); !problem.empty())
            return request_->fail_with_defect(problem);
        if (each.uri.empty())
            each.uri = uri;
        if (each.mime_type.empty())
            each.mime_type = request_->mime_type;
        if (members.back() != '[')
            members += ',';
        append_json(members, each, request_->version());
    }
    request_->complete(members + "]" + request_->server().cache_members(*request_));
}

LINKSPAN_DECL void server_request::complete(completion_result const& result)
{
    if (is_replaced_)
        return;
    std::string members;
    append_members(members, result);
    request_->complete(members);
}

LINKSPAN_DECL void server_request::fail(int code, std::string_view message, raw_json data)
{
    if (is_replaced_)
        return;
    if (!data.text().empty() && !json_scan::is_value(data.text()))
        return request_->fail_with_defect("the data of the error is not JSON");
    request_->fail(code, message, data.text());
}

LINKSPAN_DECL void server_request::fail(error_code ec)
{
    if (!is_replaced_)
        request_->fail(ec);
}

LINKSPAN_DECL void server_request::report_progress(double value, std::optional<double> total, std::string_view message)
{
    if (!is_replaced_)
        request_->report_progress(value, total, message);
}

LINKSPAN_DECL void server_request::log(log_level level, raw_json data, std::string_view logger)
{
    if (!is_replaced_)
        request_->log(level, data.text(), logger);
}

LINKSPAN_DECL void server_request::notify(std::string_view method, raw_json params)
{
    if (!is_replaced_)
        request_->notify(method, params.text());
}

LINKSPAN_DECL std::string_view server_request::input_text(std::string_view key) const noexcept
{
    return request_->input(key);
}

LINKSPAN_DECL std::string_view server_request::state() const noexcept { return request_->state; }

LINKSPAN_DECL void server_request::require_input(std::vector<required_input> inputs, std::string_view state)
{
    if (!is_replaced_)
        is_replaced_ = request_->require_input(std::move(inputs), state);
}

LINKSPAN_DECL bool server_request::become_task(task_options const& options)
{
    return is_replaced_ ? request_->is_task() : request_->become_task(options);
}

LINKSPAN_DECL void server_request::end_exchange()
{
    if (auto const client = request_->from().client.lock(); client && !request_->is_over())
        client->end_exchange(request_->from().stream);
}

LINKSPAN_DECL std::size_t server_request::unread_bytes() const
{
    auto const client = request_->from().client.lock();
    return client ? client->unread_bytes(request_->from().stream) : 0;
}

} // namespace linkspan

#endif
