#ifndef LINKSPAN_SERVER_IMPL_SERVED_REQUEST_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_REQUEST_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/protocol/related_task.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/server/detail/content_check.hpp>
#include <linkspan/server/detail/json_object_check.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns whether a result is well-formed and has only a content with one text without escapes, as most results. The
// search for the end of the text takes a tenth of the time that reading the members takes.
inline bool is_plain_text(std::string_view result) noexcept
{
    auto const text = result.starts_with('{') ? plain_text_of_members(result.substr(1)) : std::nullopt;
    return text && std::string_view(text->data() + text->size(), result.data() + result.size()) == R"("}]})";
}

LINKSPAN_DECL served_request::~served_request()
{
    if (counts_params_)
        server_->release_params(params_.size());
}

LINKSPAN_DECL std::string served_request::account() const
{
    auto const client = origin_.client.lock();
    return client ? client->account() : std::string();
}

LINKSPAN_DECL void served_request::complete(std::string_view members, server_dialogue::contained_members contains)
{
    if (is_over())
        return;
    auto const self = shared_from_this();
    if (is_task())
        server_->counters().refused +=
            server_->tasks().on_completed(task_id_, members, is_tool_error_ && !is_stateless()) ? 0 : 1;
    else if (auto const client = origin_.client.lock(); client && stage_ == stage::running)
        client->respond(*this, members, contains);
    else if (stage_ == stage::suspended)
        keep_outcome(members.size(),
                     [kept = std::string(members), contains](served_request& to) { to.complete(kept, contains); });
    end();
}

LINKSPAN_DECL void served_request::complete_object(std::string_view result)
{
    if (is_over())
        return;
    server_dialogue::contained_members contains;
    std::string_view structured;
    bool is_empty = true, is_error = false, is_complete = true;
    if (is_plain_text(result)) {
        is_empty = false;
    } else {
        json_scan::reader each(result);
        while (auto const one = each.next()) {
            is_empty = false;
            contains.type |= one->key == "resultType";
            is_complete &= one->key != "resultType" || one->value == R"("complete")";
            contains.meta |= one->key == "_meta";
            contains.cache |= one->key == "ttlMs" || one->key == "cacheScope";
            is_error |= one->key == "isError" && one->value == "true";
            if (one->key == "structuredContent")
                structured = one->value;
        }
        if (!each.is_object() || !each.ok())
            return fail_with_defect("the result is not a JSON object");
    }
    if (is_complete && !is_error && !matches_schema(structured))
        return;
    is_tool_error_ = is_error;
    auto const open = result.find('{') + 1;
    auto const members = is_empty ? std::string_view() : result.substr(open, result.rfind('}') - open);
    bool const has_hints = !is_complete ? false : method() == "resources/read" || method().ends_with("/list");
    auto hints = has_hints && !contains.cache ? server_->cache_members(*this) : std::string();
    if (hints.empty())
        return complete(members, contains);
    if (is_empty)
        hints.erase(0, 1); // the comma
    complete(std::string(members) + hints, contains);
}

LINKSPAN_DECL std::string served_request::with_identity(std::string_view meta) const
{
    std::string out(meta);
    if (is_stateless() && json_scan::reader(meta).next())
        out.insert(out.find('{') + 1, std::string(server_->dialogue(std::nullopt).identity_member()) + ",");
    return out;
}

// Returns true if structured content matches the output schema of the tool. Otherwise reports a defect of the server,
// and fails the request.
LINKSPAN_DECL bool served_request::matches_schema(std::string_view structured)
{
    if (!validate)
        return true;
    error_code ec;
    auto const value = parse_json(structured, ec);
    auto const verdict = ec ? schema_verdict() : validate->validate(value);
    if (!ec && verdict.errors.empty())
        return true;
    server_->report_defect(*this, "the structured content does not match the output schema: " +
                                      (ec ? ec.message() : to_string(verdict.errors.front())));
    fail(-32603, "Internal error");
    return false;
}

LINKSPAN_DECL void served_request::complete(tool_output const& result)
{
    if (is_over())
        return;
    bool const is_object = result.structured.starts_with('{');
    bool has_structured = false;
    if (!result.structured.empty()) {
        if (!json_scan::is_value(result.structured))
            return fail_with_defect("the structured content is not JSON");
        has_structured = has_member(version_, wire_member::tool_output) &&
                         (is_object || has_member(version_, wire_member::any_structured_content));
    }
    if (!result.is_error && !matches_schema(result.structured))
        return;
    if (auto const problem = problem_of_content(result.content); !problem.empty())
        return fail_with_defect(problem);
    std::string members = R"("content":)";
    if (result.content.empty() && !result.structured.empty())
        append_content(members, std::vector<content_block>{text_content{result.structured, {}, {}}}, version_);
    else
        append_content(members, result.content, version_);
    if (has_structured)
        (members += R"(,"structuredContent":)") += result.structured;
    if (result.is_error)
        members += R"(,"isError":true)";
    is_tool_error_ = result.is_error;
    if (!result.meta.empty()) {
        if (!is_json_object(result.meta))
            return fail_with_defect("'_meta' of the result is not a JSON object");
        (members += R"(,"_meta":)") += with_identity(result.meta);
    }
    complete(members, {.meta = !result.meta.empty()});
}

LINKSPAN_DECL void served_request::fail(int code, std::string_view message, std::string_view data)
{
    if (is_over())
        return;
    auto const self = shared_from_this();
    if (is_task()) {
        std::string problem;
        object_writer object(problem);
        object.number("code", code);
        object.text("message", message);
        object.optional_raw("data", data);
        object.close();
        server_->counters().refused += server_->tasks().on_failed(task_id_, std::move(problem)) ? 0 : 1;
    } else if (auto const client = origin_.client.lock(); client && stage_ == stage::running) {
        client->refuse(*this, code, message, data);
    } else if (stage_ == stage::suspended) {
        auto const bytes = message.size() + data.size();
        keep_outcome(bytes, [code, text = std::string(message), more = std::string(data)](served_request& to) {
            to.fail(code, text, more);
        });
    }
    end();
}

LINKSPAN_DECL void served_request::fail_with_defect(std::string_view what)
{
    if (is_over())
        return;
    server_->report_defect(*this, what);
    fail(-32603, "Internal error");
}

LINKSPAN_DECL void served_request::fail(error_code ec)
{
    if (ec == error::unsupported_input_request)
        return fail_undeclared(needed_);
    if (ec == asio::error::invalid_argument) // a defect of the handler, which was reported
        return fail(-32603, "Internal error");
    fail(-32603, ec == asio::error::timed_out ? "The client did not send the required input in time"
                                              : "The client did not send the required input");
}

LINKSPAN_DECL void served_request::fail_undeclared(std::string_view needed)
{
    std::string data = R"({"requiredCapabilities":)";
    (data += needed.empty() ? "{}" : needed) += '}';
    if (is_stateless())
        return fail(-32021, "Missing required client capability", data);
    fail(-32602,
         "The client does not declare a required capability in protocol version " + std::string(to_string(version_)),
         data);
}

LINKSPAN_DECL void served_request::abandon() noexcept
{
    if (is_over())
        return;
    is_abandoned_ = true;
    try {
        return fail(-32603, "Internal error");
    } catch (std::bad_alloc const&) {
    }
    try {
        auto const client = origin_.client.lock();
        if (client && stage_ == stage::running && !is_task())
            client->close(); // the client would wait for the response
        cancel();
    } catch (std::bad_alloc const&) {
    }
}

LINKSPAN_DECL void served_request::cancel()
{
    if (is_over())
        return;
    auto const self = shared_from_this();
    ++server_->counters().cancelled;
    if (is_task())
        server_->tasks().on_cancelled(task_id_);
    else if (auto const client = origin_.client.lock(); client && stage_ == stage::running)
        client->forget_cancelled(*this);
    auto const callback = std::exchange(cancelled_, {});
    end();
    if (callback)
        callback();
}

LINKSPAN_DECL void served_request::drop() noexcept
{
    stage_ = stage::over;
    cancelled_ = nullptr;
    client_requests_.clear();
    if (client_tasks_)
        end_client_tasks(&client_task::drop);
    if (auto const callback = std::exchange(on_end, {}))
        callback();
}

LINKSPAN_DECL void served_request::end()
{
    if (std::exchange(stage_, stage::over) == stage::suspended)
        server_->waiting().forget(*this);
    cancelled_ = nullptr;
    timer_.cancel();
    if (!client_requests_.empty())
        abort_client_requests();
    if (client_tasks_)
        end_client_tasks(&client_task::abort);
    if (auto const callback = std::exchange(on_end, {}))
        callback();
}

// Completes all requests to the client with `operation_aborted`, in later handlers. Without memory for these handlers,
// the functions are destroyed, as in drop(): the request may be over already, so that no event repeats this step.
LINKSPAN_DECL void served_request::abort_client_requests() noexcept
{
    for (auto& each : std::exchange(client_requests_, {})) {
        try {
            post_handler(server_->get_executor(),
                         [done = std::move(each.what.done)] { done(asio::error::operation_aborted, {}); });
            cancel_copies(each);
        } catch (std::bad_alloc const&) {
        }
    }
}

// Completes the first requests to the client. The functions are posted, because this function may be called inside the
// function that initiates an operation. After an exception, exactly the requests whose functions are posted are
// removed.
LINKSPAN_DECL void served_request::abort_client_requests(error_code ec, std::size_t count)
{
    std::vector<pending_client_request> aborted;
    aborted.reserve(count);
    auto const take = [&](std::size_t posted) noexcept {
        auto const end = client_requests_.begin() + static_cast<std::ptrdiff_t>(posted);
        aborted.insert(aborted.end(), std::move_iterator(client_requests_.begin()), std::move_iterator(end));
        client_requests_.erase(client_requests_.begin(), end);
    };
    for (std::size_t i = 0; i != count; ++i) {
        try {
            post_handler(server_->get_executor(), [done = client_requests_[i].what.done, ec] { done(ec, {}); });
        } catch (...) {
            take(i);
            throw;
        }
    }
    take(count);
    for (auto const& each : aborted)
        cancel_copies(each);
}

LINKSPAN_DECL void served_request::wait_for_input(duration span)
{
    auto& waits = timer_.in_background(server_->get_executor());
    waits.expires_after(span);
    start_wait(waits, [weak = weak_from_this()](error_code ec) {
        if (auto const self = weak.lock(); self && !ec)
            self->on_wait_over();
    });
}

// If the memory is not sufficient, the same step is repeated after a pause. If it is not sufficient for this wait
// either, all requests to the client end at once, because no later event would end them.
LINKSPAN_DECL void served_request::on_wait_over()
{
    try {
        expire();
    } catch (std::bad_alloc const&) {
        constexpr auto pause = std::chrono::seconds(1);
        try {
            wait_for_input(pause);
        } catch (std::bad_alloc const&) {
            abort_client_requests();
        }
    }
}

LINKSPAN_DECL void served_request::on_cancelled(std::function<void()> callback)
{
    if (!is_over())
        cancelled_ = std::move(callback);
}

LINKSPAN_DECL std::string served_request::params_of_message(std::string params) const
{
    return is_task() ? with_related_task(params, '"' + task_id_ + '"') : params;
}

LINKSPAN_DECL void served_request::report_progress(double value, std::optional<double> total, std::string_view message)
{
    auto const client = origin_.client.lock();
    if (stage_ != stage::running || !client || origin_.progress_token.empty())
        return;
    if (!(value > progress_) || !std::isfinite(value)) {
        ++server_->counters().dropped_progress;
        return;
    }
    progress_ = value;
    std::string params;
    object_writer object(params);
    object.raw("progressToken", origin_.progress_token);
    object.number("progress", value);
    object.optional_number("total", total && std::isfinite(*total) ? total : std::nullopt);
    if (has_member(version_, wire_member::progress_message))
        object.optional_text("message", message);
    object.close();
    client->notify("notifications/progress", params_of_message(std::move(params)), origin_.stream);
}

LINKSPAN_DECL void served_request::log(log_level level, std::string_view data, std::string_view logger)
{
    auto const client = origin_.client.lock();
    if (stage_ != stage::running || !client || !origin_.min_level || level < *origin_.min_level)
        return;
    if (!json_scan::is_value(data))
        return server_->report_defect(*this, "the data of a log message is not JSON");
    auto params = params_of_message(served_client::params_of_log(level, data, logger));
    client->notify("notifications/message", params, origin_.stream);
}

LINKSPAN_DECL void served_request::notify(std::string_view method, std::string_view params)
{
    auto const client = origin_.client.lock();
    if (stage_ != stage::running || !client)
        return;
    if (!params.empty() && !is_json_object(params))
        return server_->report_defect(*this, "the params of '" + std::string(method) + "' are not a JSON object");
    auto const given = params.empty() && is_task() ? std::string_view("{}") : params;
    client->notify(method, params_of_message(std::string(given)), origin_.stream);
}

} // namespace linkspan::detail

#endif
