#ifndef LINKSPAN_SERVER_IMPL_SERVER_CORE_REQUESTS_IPP
#define LINKSPAN_SERVER_IMPL_SERVER_CORE_REQUESTS_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/detail/state_claim.hpp>
#include <linkspan/server/server_request.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace serving {

// Returns a text of the params, decoded; empty: missing, or no string.
inline std::string text_of(served_request const& request, std::string_view key)
{
    return json_scan::string(json_scan::member(request.params(), key)).value_or("");
}

// Returns the message for a tool that the server does not have. `written`: JSON text of its name.
inline std::string unknown_tool(std::string_view written)
{
    auto const name = json_scan::string(written).value_or("");
    return is_utf8(name) ? "Unknown tool: " + name : "Unknown tool";
}

// Returns the entry with a name, as JSON text. A name without escapes, as most names, is not copied. Text other than a
// string is an empty name.
inline handler_table::const_iterator find(handler_table const& entries, std::string_view name)
{
    auto const inner = json_scan::quoted(name);
    if (inner && inner->find('\\') == inner->npos)
        return entries.find(*inner);
    return entries.find(json_scan::string(name).value_or(""));
}

} // namespace serving

LINKSPAN_DECL void server_core::dispatch(served_request_pointer const& request)
{
    try {
        if (take_state(request))
            return;
    } catch (std::bad_alloc const& failure) { // run() handles exceptions of handlers
        request->fail(-32603, "Internal error");
        return report_defect(*request, failure.what());
    }
    run(request);
}

LINKSPAN_DECL void server_core::run(served_request_pointer const& request)
{
    std::string defect;
    try {
        return route(request);
    } catch (std::exception const& failure) {
        defect = failure.what();
    } catch (...) {
        defect = "unknown exception";
    }
    request->fail(-32603, "Internal error");
    report_defect(*request, defect);
}

// Reads the input of the client for an earlier response `input_required`. Returns true if a suspended request has taken
// over, the state is invalid, or the request waits for its claim.
LINKSPAN_DECL bool server_core::take_state(served_request_pointer const& request)
{
    if (!request->is_stateless() || !request->may_require_input())
        return false;
    auto const responses = request->parts().input_responses;
    auto const state = request->parts().request_state;
    if (state.empty()) {
        if (!responses.empty())
            request->add_inputs(responses);
        return false;
    }
    auto found = waiting_->open(*request, json_scan::string(state).value_or(""));
    if (!found) {
        reject_state(*request);
        return true;
    }
    if (found->request) {
        if (found->has_outcome)
            waiting_->send_outcome(found->key, *request);
        else
            resume(*request, *found, responses);
        return true;
    }
    request->add_inputs(found->inputs);
    request->add_inputs(responses);
    request->state = std::move(found->state);
    if (!options_.claim_state)
        return false;
    std::make_shared<state_claim>(request)->start(json_scan::string(state).value_or(""));
    return true;
}

// Continues a suspended request in place of the request that the client has sent again. The suspended request remains
// stored until the last step that can fail for lack of memory.
LINKSPAN_DECL void server_core::resume(served_request& request, suspended_requests::opened const& found,
                                       std::string_view responses)
{
    auto from = request.from();
    found.request->prepare_resume();
    waiting_->remove(found.key);
    if (auto const client = from.client.lock())
        client->replace(request, found.request);
    request.yield_to_suspended();
    found.request->resume(std::move(from), responses);
}

LINKSPAN_DECL void server_core::reject_state(served_request& request)
{
    ++counters_.bad_states;
    request.fail(-32602, "requestState is invalid, expired, or was used before");
}

LINKSPAN_DECL void server_core::route(served_request_pointer const& request)
{
    auto const method = request->method();
    if (auto const own = methods.find(method); own != methods.end()) {
        auto const handler = own->second; // which may replace itself
        return handler(server_request(request));
    }
    if (method == "tools/call" && offer_.is_offered(offer_list::tools))
        return call_tool(request);
    bool const has_resources = offer_.is_offered(offer_list::resources) || offer_.is_offered(offer_list::templates);
    if (method == "tools/list" && offer_.is_offered(offer_list::tools))
        return list(*request, offer_list::tools);
    if (method == "prompts/list" && offer_.is_offered(offer_list::prompts))
        return list(*request, offer_list::prompts);
    if (method == "prompts/get" && offer_.is_offered(offer_list::prompts))
        return get_prompt(request);
    if (has_resources && method == "resources/list")
        return list(*request, offer_list::resources);
    if (has_resources && method == "resources/templates/list")
        return list(*request, offer_list::templates);
    if (has_resources && method == "resources/read")
        return read_resource(request);
    if (method == "completion/complete" && complete_argument) {
        if (auto const problem = problem_of_completion(request->params()); !problem.empty())
            return request->fail(-32602, problem);
        auto const handler = complete_argument; // which may replace itself
        return handler(server_request(request));
    }
    if (method.starts_with("tasks/") && tasks_of_clients_.is_offered &&
        (request->is_stateless() || has_member(request->version(), wire_member::task_support)))
        return tasks_of_clients_.handle(request);
    if (request->is_stateless() && method == "subscriptions/listen")
        return listen(request);
    if (!request->is_stateless() && method == "logging/setLevel")
        return set_log_level(*request);
    if (!request->is_stateless() && has_resources && method == "resources/subscribe")
        return subscribe(*request, true);
    if (!request->is_stateless() && has_resources && method == "resources/unsubscribe")
        return subscribe(*request, false);
    request->fail(-32601, "Method not found");
}

// Returns the reason for which the params of `completion/complete` are refused; empty: none.
LINKSPAN_DECL std::string server_core::problem_of_completion(std::string_view params) const
{
    auto const wanted = read_completion_request(params);
    if (!wanted)
        return "Invalid params: expected 'ref' and 'argument' with a name and a value";
    auto const& name = wanted->name;
    if (wanted->subject == completion_request::kind::resource_template) {
        bool const is_known = templates_.contains(name) || resources_.contains(name) || offer_.match(name);
        return is_known ? std::string() : "Unknown resource template: " + name;
    }
    auto const* const found = offer_.find_prompt(name);
    if (!found)
        return "Unknown prompt: " + name;
    bool const is_known = found->arguments.empty() || // the prompt declares none
                          std::ranges::count(found->arguments, wanted->argument, &prompt_argument::name) != 0;
    return is_known ? std::string() : "Unknown argument: " + wanted->argument;
}

LINKSPAN_DECL void server_core::list(served_request& request, offer_list which)
{
    auto const written = json_scan::member(request.params(), "cursor");
    std::optional<std::string> cursor;
    if (!written.empty() && written != "null")
        cursor = json_scan::string(written).value_or("");
    auto const* const page = offer_.page(which, cursor, request.version());
    if (!page)
        return request.fail(-32602, "Invalid cursor");
    request.complete(*page + cache_members(request), {.cache = true});
}

LINKSPAN_DECL void server_core::call_tool(served_request_pointer const& request)
{
    auto const found = serving::find(tools_, request->parts().name);
    if (found == tools_.end())
        return request->fail(-32602, serving::unknown_tool(request->parts().name));
    auto const tool = found->second; // the handler may remove the tool
    if (!accepts_task(*tool, *request) || !accepts_arguments(*tool, *request))
        return;
    request->validate = tool->output;
    if (!request->is_stateless() && request->declares_tasks() && !request->become_task({})) {
        ++counters_.refused;
        return request->fail(-32603, "Too many tasks");
    }
    tool->run(server_request(request));
}

// A tool that requires tasks is refused to clients without tasks. In 2025-11-25, a task must not be requested of a tool
// without tasks; later, the request is ignored.
LINKSPAN_DECL bool server_core::accepts_task(offered_handler const& tool, served_request& request) const
{
    if (tool.tasks == task_support::required && !request.declares_tasks()) {
        if (request.is_stateless())
            request.fail(-32021, "Missing required client capability",
                         R"({"requiredCapabilities":{"extensions":{")" + std::string(tasks_extension) + R"(":{}}}})");
        else
            request.fail(-32601, "The tool requires a task");
        return false;
    }
    if (tool.tasks == task_support::forbidden && !request.is_stateless() && request.declares_tasks()) {
        request.fail(-32601, "The tool does not support tasks");
        return false;
    }
    return true;
}

// Returns a description of the first problem of the arguments of a tool; empty: none. A duplicate key is a problem if
// the handler could read another value than the one that was validated, or compared with a header field.
inline std::string problem_of(std::string_view arguments, offered_handler const& tool)
{
    if (!tool.input && tool.mirrored.all.empty())
        return {};
    if (auto problem = problem_of_arguments(arguments); !problem.empty() || !tool.input)
        return problem;
    error_code ec;
    auto const verdict = tool.input->validate(parse_json(arguments, ec));
    if (ec)
        return ec.message();
    return verdict.errors.empty() ? std::string() : to_string(verdict.errors.front());
}

// Before 2025-11-25, arguments that do not match the schema are an error of the protocol; since then, a failure that
// the model can correct.
LINKSPAN_DECL bool server_core::accepts_arguments(offered_handler const& tool, served_request& request) const
{
    auto const given = request.parts().arguments;
    if (!given.empty() && !given.starts_with('{')) {
        request.fail(-32602, "Invalid params: 'arguments' is not an object");
        return false;
    }
    auto const problem = problem_of(given.empty() ? "{}" : given, tool);
    if (problem.empty())
        return true;
    auto const why = "Invalid arguments: " + problem;
    if (request.version() >= protocol_version::v2025_11_25)
        request.complete(tool_output::failure(why));
    else
        request.fail(-32602, why);
    return false;
}

LINKSPAN_DECL void server_core::read_resource(served_request_pointer const& request)
{
    auto const uri = serving::text_of(*request, "uri");
    if (uri.empty())
        return request->fail(-32602, "Invalid params: 'uri' is missing");
    if (auto const found = resources_.find(uri); found != resources_.end()) {
        auto const handler = found->second; // the function may remove the resource
        request->mime_type = handler->mime_type;
        return handler->run(server_request(request));
    }
    if (auto found = offer_.match(uri)) {
        auto const handler = templates_.find(offer_.template_at(found->first))->second;
        request->mime_type = handler.mime_type;
        return handler.run(server_request(request), std::move(found->second));
    }
    std::string data = R"({"uri":)";
    append_quoted(data, uri);
    request->fail(request->is_stateless() ? -32602 : -32002, "Resource not found", data + "}");
}

LINKSPAN_DECL void server_core::get_prompt(served_request_pointer const& request)
{
    auto const name = json_scan::string(request->parts().name).value_or("");
    auto const found = prompts_.find(name);
    if (found == prompts_.end())
        return request->fail(-32602, "Unknown prompt: " + name);
    auto const arguments = request->parts().arguments;
    for (auto const& each : offer_.find_prompt(name)->arguments)
        if (each.required && json_scan::member(arguments, each.name).empty())
            return request->fail(-32602, "Missing argument: " + each.name);
    auto const handler = found->second; // the function may remove the prompt
    handler->run(server_request(request));
}

// Returns whether a subscriber with `present` resources may subscribe to others.
LINKSPAN_DECL bool server_core::has_room_for(std::size_t added, std::size_t present) const noexcept
{
    auto const max_all = options_.max_all_subscribed_resources;
    return added + present <= options_.max_subscribed_resources &&
           (max_all == 0 || added + subscribers_.all_uris() <= max_all);
}

LINKSPAN_DECL void server_core::subscribe(served_request& request, bool subscribes)
{
    auto const uri = serving::text_of(request, "uri");
    auto const client = request.from().client.lock();
    if (uri.empty())
        return request.fail(-32602, "Invalid params: 'uri' is missing");
    if (!client)
        return;
    auto const subscriber = client->subscriber();
    bool const is_new = subscribes && !subscribers_.has_uri(subscriber, uri);
    bool const is_accepted =
        uri.size() <= uri_template::max_size && (!is_new || (has_room_for(1, subscribers_.uris(subscriber)) &&
                                                             subscribers_.add_uri(subscriber, uri, client->account())));
    if (!is_accepted) {
        ++counters_.refused;
        return request.fail(-32603, "Too many subscribed resources, or too long a URI");
    }
    if (!subscribes)
        subscribers_.remove_uri(subscriber, uri);
    request.complete(std::string_view());
}

LINKSPAN_DECL void server_core::set_log_level(served_request& request)
{
    auto const level = log_level_from(serving::text_of(request, "level"));
    if (!level)
        return request.fail(-32602, "Invalid params: 'level' is not a log level");
    if (auto const client = request.from().client.lock())
        client->set_log_level(*level);
    request.complete(std::string_view());
}

LINKSPAN_DECL void server_core::listen(served_request_pointer const& request)
{
    auto const wanted = json_scan::member(request->params(), "notifications");
    if (!wanted.starts_with('{'))
        return request->fail(-32602, "Invalid params: 'notifications' is missing");
    auto const refuse = [&](std::string_view why) {
        ++counters_.refused;
        request->fail(-32603, why);
    };
    bool const has_resources = offer_.is_offered(offer_list::resources) || offer_.is_offered(offer_list::templates);
    auto granted = read_subscription_filter(wanted);
    granted.tools = granted.tools && offer_.is_offered(offer_list::tools);
    granted.prompts = granted.prompts && offer_.is_offered(offer_list::prompts);
    granted.resources = granted.resources && has_resources;
    if (!has_resources)
        granted.uris.clear();
    bool const has_tasks = tasks_of_clients_.is_offered && request->declares_tasks();
    std::erase_if(granted.task_ids, [&](std::string const& id) {
        return !has_tasks || tasks_of_clients_.describe(id, *request).empty();
    });
    auto const is_long = [](std::string const& uri) { return uri.size() > uri_template::max_size; };
    if (!has_room_for(granted.uris.size(), 0) || std::ranges::any_of(granted.uris, is_long))
        return refuse("Too many subscribed resources, or too long a URI");
    if (!subscribers_.add(request, granted))
        refuse("Too many subscriptions, or subscribed resources");
}

} // namespace linkspan::detail

#endif
