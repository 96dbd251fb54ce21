#ifndef LINKSPAN_SESSION_IMPL_SERVER_REQUESTS_IPP
#define LINKSPAN_SESSION_IMPL_SERVER_REQUESTS_IPP

#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/session/detail/server_requests.hpp>

#include <array>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void server_requests::set_handler(std::string method, std::string capability, request_handler handler)
{
    handlers_.insert_or_assign(std::move(method), entry{std::move(capability), std::move(handler)});
}

LINKSPAN_DECL server_requests::request_handler const*
server_requests::handler_of(std::string_view method) const noexcept
{
    auto const found = handlers_.find(method);
    return found == handlers_.end() ? nullptr : &found->second.handler;
}

LINKSPAN_DECL server_requests::notification_handler const*
server_requests::notification_handler_of(std::string_view method) const noexcept
{
    auto const found = notification_handlers_.find(method);
    return found == notification_handlers_.end() ? nullptr : &found->second;
}

LINKSPAN_DECL std::string server_requests::capabilities_in(protocol_version version, std::string_view extensions) const
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> offers{{
        {"elicitation/create", "elicitation"},
        {"roots/list", "roots"},
        {"sampling/createMessage", "sampling"},
    }};
    std::string handled;
    object_writer object(handled);
    for (auto const& [method, name] : offers)
        if (auto const found = handlers_.find(method); found != handlers_.end())
            object.raw(name, found->second.capability);
    object.close();
    auto declared = read_client_capabilities(handled);
    if (tasks_)
        declared.tasks = hosted_tasks::capability(declared.sampling.has_value(), declared.elicitation.has_value());
    declared.extensions = extensions;
    std::string out;
    append_json(out, declared, version);
    return out;
}

LINKSPAN_DECL server_requests::action server_requests::on_request(envelope const& request,
                                                                  std::optional<protocol_version> version)
{
    using kind = action::kind;
    bool const is_allowed = !version || traits_of(*version).server_requests;
    if (request.method == "ping")
        return {kind::confirm, is_allowed};
    if (!is_allowed)
        return {kind::refuse, false, -32601, "the protocol version does not allow requests of the server"};
    auto const* const handler = handler_of(request.method);
    if (!handler)
        return {kind::refuse, true, -32601, "the client has no handler for this method"};
    if (outstanding_.size() == max_outstanding)
        return {kind::refuse, true, -32603, "too many requests of the server have no response"};
    auto const meta = json_scan::member(request.params, "_meta");
    auto const if_valid = [](std::string_view value) { return is_without_fault(value) ? value : std::string_view(); };
    std::string token(if_valid(json_scan::member(meta, "progressToken")));
    auto const task = json_scan::member(json_scan::member(meta, meta_keys::related_task), "taskId");
    std::string related(json_scan::quoted(task) ? if_valid(task) : std::string_view());
    outstanding_.emplace(++last_id_, unanswered{std::string(request.raw_id), std::move(token), std::move(related)});
    return {kind::call, true, 0, {}, handler, last_id_};
}

LINKSPAN_DECL void server_requests::on_cancelled(std::string_view raw_id) noexcept
{
    if (tasks_)
        tasks_->on_cancelled(raw_id);
    std::erase_if(outstanding_, [this, raw_id](auto const& request) {
        return request.second.raw_id == raw_id && !tasks_of(request.first);
    });
}

LINKSPAN_DECL std::string server_requests::take(server_request_id id)
{
    auto const found = outstanding_.extract(id);
    return found ? std::move(found.mapped().raw_id) : std::string();
}

LINKSPAN_DECL std::string_view server_requests::progress_token(server_request_id id) const noexcept
{
    auto const found = outstanding_.find(id);
    return found == outstanding_.end() ? std::string_view() : std::string_view(found->second.progress_token);
}

LINKSPAN_DECL std::string_view server_requests::related_task(server_request_id id) const noexcept
{
    auto const found = outstanding_.find(id);
    return found == outstanding_.end() ? std::string_view() : std::string_view(found->second.related_task);
}

} // namespace linkspan::detail

#endif
