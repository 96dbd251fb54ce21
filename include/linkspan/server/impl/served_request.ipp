#ifndef LINKSPAN_SERVER_IMPL_SERVED_REQUEST_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_REQUEST_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void served_request::complete(std::string_view members)
{
    if (is_over())
        return;
    auto const self = shared_from_this();
    if (is_task())
        server_->tasks().on_completed(task_id_, members);
    else if (auto const client = origin_.client.lock(); client && stage_ == stage::running)
        client->respond(*this, members);
    end();
}

LINKSPAN_DECL void served_request::complete_object(std::string_view result)
{
    constexpr std::string_view whitespace = " \t\r\n";
    auto const first = std::min(result.find_first_not_of(whitespace), result.size());
    auto const object = result.substr(first, result.find_last_not_of(whitespace) - first + 1);
    if (object.starts_with('{') && json_scan::is_value(object))
        return complete(object.substr(1, object.size() - 2));
    if (!is_over())
        server_->report_defect(method_, "the result is not a JSON object");
    fail(-32603, "Internal error");
}

LINKSPAN_DECL void served_request::complete(tool_output const& result)
{
    if (is_over())
        return;
    bool const is_object = result.structured.starts_with('{');
    bool const has_structured = !result.structured.empty() && has_member(version_, wire_member::tool_output) &&
                                (is_object || has_member(version_, wire_member::any_structured_content));
    if (validate && !result.is_error) {
        error_code ec;
        auto const value = boost::json::parse(result.structured, ec);
        auto const verdict = ec ? schema_verdict() : validate->validate(value);
        if (ec || !verdict.errors.empty()) {
            server_->report_defect(method_, "the structured content does not match the output schema: " +
                                                (ec ? ec.message() : to_string(verdict.errors.front())));
            return fail(-32603, "Internal error");
        }
    }
    std::string members = R"("content":)";
    if (result.content.empty() && !result.structured.empty())
        append_content(members, std::vector<content_block>{text_content{result.structured, {}, {}}}, version_);
    else
        append_content(members, result.content, version_);
    if (has_structured)
        (members += R"(,"structuredContent":)") += result.structured;
    if (result.is_error)
        members += R"(,"isError":true)";
    if (!result.meta.empty())
        (members += R"(,"_meta":)") += result.meta;
    complete(members);
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
        server_->tasks().on_failed(task_id_, std::move(problem));
    } else if (auto const client = origin_.client.lock(); client && stage_ == stage::running) {
        client->refuse(*this, code, message, data);
    }
    end();
}

LINKSPAN_DECL void served_request::fail(error_code ec)
{
    if (ec != error::unsupported_input_request)
        return fail(-32603, ec == asio::error::timed_out ? "The client did not send the required input in time"
                                                         : "The client did not send the required input");
    if (!is_stateless())
        return fail(-32602, "The client does not declare a required capability",
                    R"({"requiredCapabilities":)" + std::string(needed_) + "}");
    fail(-32021, "Missing required client capability", R"({"requiredCapabilities":)" + std::string(needed_) + "}");
}

LINKSPAN_DECL void served_request::abandon()
{
    if (!is_over() && !runs_again_ && stage_ == stage::running)
        fail(-32603, "Internal error");
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
        client->forget(*this);
    auto const callback = std::exchange(cancelled_, {});
    end();
    if (callback)
        callback();
}

LINKSPAN_DECL void served_request::drop() noexcept
{
    stage_ = stage::over;
    cancelled_ = nullptr;
    on_end = nullptr;
    questions_.clear();
}

LINKSPAN_DECL void served_request::end()
{
    stage_ = stage::over;
    cancelled_ = nullptr;
    timer_.cancel();
    abort_questions(asio::error::operation_aborted);
    if (auto const callback = std::exchange(on_end, {}))
        callback();
}

// The functions are posted, because this function may be called inside the function that initiates an operation.
LINKSPAN_DECL void served_request::abort_questions(error_code ec)
{
    for (auto& each : std::exchange(questions_, {}))
        post_handler(server_->get_executor(), [done = std::move(each.what.done), ec] { done(ec, {}); });
}

LINKSPAN_DECL void served_request::on_cancelled(std::function<void()> callback)
{
    if (!is_over())
        cancelled_ = std::move(callback);
}

LINKSPAN_DECL void served_request::report_progress(double value, std::optional<double> total, std::string_view message)
{
    auto const client = origin_.client.lock();
    if (stage_ != stage::running || !client || origin_.progress_token.empty())
        return;
    if (!(value > progress_)) {
        ++server_->counters().dropped_progress;
        return;
    }
    progress_ = value;
    std::string params;
    object_writer object(params);
    object.raw("progressToken", origin_.progress_token);
    object.number("progress", value);
    object.optional_number("total", total);
    if (has_member(version_, wire_member::progress_message))
        object.optional_text("message", message);
    object.close();
    client->notify("notifications/progress", params, origin_.stream);
}

LINKSPAN_DECL void served_request::log(log_level level, std::string_view data, std::string_view logger)
{
    auto const client = origin_.client.lock();
    if (stage_ != stage::running || !client || !origin_.least_level || level < *origin_.least_level)
        return;
    std::string params;
    object_writer object(params);
    object.text("level", to_string(level));
    object.optional_text("logger", logger);
    object.raw("data", data);
    object.close();
    client->notify("notifications/message", params, origin_.stream);
}

LINKSPAN_DECL void served_request::ask(client_question what)
{
    if (!what.is_declared || is_over()) {
        needed_ = what.needed;
        auto const ec =
            is_over() ? error_code(asio::error::operation_aborted) : error_code(error::unsupported_input_request);
        return post_handler(server_->get_executor(), [done = std::move(what.done), ec] { done(ec, {}); });
    }
    add_question(std::move(what), "input-" + std::to_string(++last_question_));
}

LINKSPAN_DECL void served_request::add_question(client_question what, std::string key)
{
    questions_.push_back({std::move(key), std::move(what)});
    if (!std::exchange(sends_soon_, true))
        post_handler(server_->get_executor(), [self = shared_from_this()] { self->send_questions(); });
}

LINKSPAN_DECL void served_request::send_questions()
{
    sends_soon_ = false;
    if (stage_ != stage::running || questions_.empty())
        return;
    if (is_task())
        publish_questions();
    else if (is_stateless())
        return suspend();
    for (auto& each : questions_)
        if (!is_stateless() && !std::exchange(each.is_sent, true))
            send_question(each);
    auto& waits = timer_.in_background(server_->get_executor());
    waits.expires_after(server_->options().input_timeout);
    start_wait(waits, [weak = weak_from_this()](error_code ec) {
        if (auto const self = weak.lock(); self && !ec)
            self->expire();
    });
}

LINKSPAN_DECL void served_request::send_question(question& which)
{
    auto params = which.what.params;
    if (is_task()) {
        params.back() = params.size() > 2 ? ',' : ' ';
        append_quoted(params += R"("_meta":{"io.modelcontextprotocol/related-task":{"taskId":)", task_id_);
        params += "}}}";
    }
    if (auto const client = origin_.client.lock())
        client->send_request(which.what.method, params, origin_.stream,
                             [weak = weak_from_this(), key = which.key](error_code ec, std::string_view result) {
                                 if (auto const self = weak.lock())
                                     self->finish(key, ec, result);
                             });
}

// Writes the questions into the task, so that clients find them there.
LINKSPAN_DECL void served_request::publish_questions()
{
    std::string requests;
    if (!questions_.empty()) {
        object_writer object(requests);
        for (auto const& each : questions_) {
            object_writer request(object.key(each.key));
            request.text("method", each.what.method);
            request.raw("params", each.what.params);
            request.close();
        }
        object.close();
    }
    server_->tasks().on_input_required(task_id_, std::move(requests));
}

LINKSPAN_DECL bool served_request::declares_tasks() const noexcept
{
    if (is_stateless())
        return json_scan::member(json_scan::member(origin_.from->capabilities, "extensions"), tasks_extension)
            .starts_with('{');
    return has_member(version_, wire_member::task_support) && json_scan::member(params_, "task").starts_with('{');
}

LINKSPAN_DECL bool served_request::become_task(task_options const& options)
{
    auto const client = origin_.client.lock();
    if (is_task() || stage_ != stage::running || !client || method_ != "tools/call" || !declares_tasks())
        return is_task();
    auto const* const created = server_->tasks().create(shared_from_this(), options);
    if (!created)
        return false;
    std::string members = is_stateless() ? R"("resultType":"task",)" : R"("task":{)";
    append_members(members, *created, version_, false);
    client->respond(*this, is_stateless() ? members : members + "}");
    task_id_ = created->id;
    origin_.stream = 0;
    if (is_stateless()) { // notifications of tasks are not part of the extension
        origin_.progress_token.clear();
        origin_.least_level.reset();
    }
    return true;
}

LINKSPAN_DECL void served_request::take_input(std::string_view responses)
{
    std::vector<std::pair<std::string, std::string>> results;
    for (auto const& each : questions_)
        if (auto const result = json_scan::member(responses, each.key); result.starts_with('{'))
            results.emplace_back(each.key, result);
    for (auto const& [key, result] : results)
        finish(key, {}, result);
}

LINKSPAN_DECL void served_request::suspend()
{
    auto const client = origin_.client.lock();
    auto const sealed = server_->waiting().suspend(shared_from_this());
    if (sealed.empty()) {
        ++server_->counters().refused;
        return fail(-32000, "Too many requests wait for input");
    }
    std::string members = R"("resultType":"input_required","inputRequests":)";
    object_writer requests(members);
    for (auto const& each : questions_) {
        object_writer request(requests.key(each.key));
        request.text("method", each.what.method);
        request.raw("params", each.what.params);
        request.close();
    }
    requests.close();
    append_quoted(members += R"(,"requestState":)", sealed);
    if (client)
        client->respond(*this, members);
    stage_ = stage::suspended;
}

LINKSPAN_DECL void served_request::resume(origin from, std::string_view input_responses)
{
    origin_ = std::move(from);
    stage_ = stage::running;
    take_input(input_responses);
    if (stage_ == stage::running && !questions_.empty() && !std::exchange(sends_soon_, true))
        post_handler(server_->get_executor(), [self = shared_from_this()] { self->send_questions(); });
}

LINKSPAN_DECL void served_request::finish(std::string_view key, error_code ec, std::string_view result)
{
    auto const found = std::ranges::find(questions_, key, &question::key);
    if (found == questions_.end())
        return;
    auto const done = std::move(found->what.done);
    questions_.erase(found);
    if (is_task())
        publish_questions();
    if (questions_.empty())
        timer_.cancel();
    done(ec, result);
}

LINKSPAN_DECL void served_request::expire() { abort_questions(asio::error::timed_out); }

LINKSPAN_DECL void served_request::add_inputs(std::string_view responses)
{
    for (json_scan::reader each(responses); auto const one = each.next();)
        if (auto key = json_scan::string('"' + std::string(one->key) + '"'); key && one->value.starts_with('{'))
            inputs_.insert_or_assign(std::move(*key), std::string(one->value));
}

LINKSPAN_DECL std::string_view served_request::input(std::string_view key) const noexcept
{
    auto const found = inputs_.find(key);
    return found == inputs_.end() ? std::string_view() : std::string_view(found->second);
}

LINKSPAN_DECL void served_request::require_input(std::vector<required_input> inputs, std::string_view next_state)
{
    if (stage_ != stage::running)
        return;
    auto const undeclared = std::ranges::find(inputs, false, &required_input::is_declared);
    if (undeclared != inputs.end()) {
        needed_ = undeclared->needed;
        return fail(error_code(error::unsupported_input_request));
    }
    if (!is_stateless() || is_task()) {
        state = next_state;
        runs_again_ = true;
        auto const missing = std::make_shared<std::size_t>(inputs.size());
        for (auto& each : inputs) {
            client_question what{std::move(each.method), std::move(each.params), each.needed, true, {}};
            what.done = [weak = weak_from_this(), missing, key = each.key](error_code ec, std::string_view result) {
                if (auto const self = weak.lock())
                    ec ? self->fail(ec) : self->run_again(missing, key, result);
            };
            add_question(std::move(what), each.key);
        }
        return;
    }
    std::string known, members = R"("resultType":"input_required")";
    object_writer so_far(known);
    for (auto const& [key, value] : inputs_)
        so_far.raw(key, value);
    so_far.close();
    if (!inputs.empty()) {
        object_writer requests(members += R"(,"inputRequests":)");
        for (auto const& each : inputs) {
            object_writer request(requests.key(each.key));
            request.text("method", each.method);
            request.raw("params", each.params);
            request.close();
        }
        requests.close();
    }
    append_quoted(members += R"(,"requestState":)", server_->waiting().seal(*this, next_state, known));
    complete(members);
}

// Runs the handler again when all inputs have arrived.
LINKSPAN_DECL void served_request::run_again(std::shared_ptr<std::size_t> const& missing, std::string_view key,
                                             std::string_view result)
{
    inputs_.insert_or_assign(std::string(key), std::string(result));
    if (--*missing != 0 || is_over())
        return;
    runs_again_ = false;
    server_->dispatch(shared_from_this());
}

} // namespace linkspan::detail

#endif
