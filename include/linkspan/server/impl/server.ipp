#ifndef LINKSPAN_SERVER_IMPL_SERVER_IPP
#define LINKSPAN_SERVER_IMPL_SERVER_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/protocol/principal_quota.hpp>
#include <linkspan/server/detail/json_object_check.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/server.hpp>

#include <algorithm>
#include <stdexcept>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

LINKSPAN_DECL server_pointer make_server(asio::any_io_executor executor, implementation self, serving_options options)
{
    return std::make_shared<server_core>(std::move(executor), std::move(self), std::move(options));
}

LINKSPAN_DECL asio::any_io_executor const& executor_of(server_pointer const& server) noexcept
{
    return server->get_executor();
}

LINKSPAN_DECL void add_tool(server_core& server, tool what, request_handler run, bool validates_arguments)
{
    server.add(std::move(what), std::move(run), {.arguments = validates_arguments});
}

LINKSPAN_DECL void add_resource(server_core& server, resource what, request_handler run)
{
    server.add(std::move(what), std::move(run));
}

LINKSPAN_DECL void add_template(server_core& server, resource_template what, template_function run)
{
    server.add(std::move(what), std::move(run));
}

LINKSPAN_DECL void add_prompt(server_core& server, prompt what, request_handler run)
{
    server.add(std::move(what), std::move(run));
}

LINKSPAN_DECL void serve_client(server_pointer const& server, any_transport client, std::string principal,
                                pending_handler<void(error_code)> done)
{
    auto shared = std::make_shared<pending_handler<void(error_code)>>(std::move(done));
    auto place = server->take_place();
    if (!place && !server->is_stopping()) { // serve() below refuses the clients of a server that stops
        client.close();
        post_handler(server->get_executor(),
                     [shared = std::move(shared)] { shared->complete(error::too_many_clients); });
        return;
    }
    auto on_end = [shared = std::move(shared), place = std::move(place)](error_code ec) mutable {
        place.reset(); // the handler may serve the next client
        shared->complete(ec);
    };
    auto account = client_account(principal);
    server->serve(std::move(client), std::move(principal), std::move(account), std::nullopt,
                  {std::move(on_end), server->get_executor()});
}

LINKSPAN_DECL void stop_server(server_pointer const& server, duration grace, pending_handler<void(error_code)> done)
{
    server->stop(grace, std::move(done));
}

// Removes the member `structuredContent` from a result of `local_tool::call`, which has it after the content.
LINKSPAN_DECL void erase_structured_content(std::string& result)
{
    constexpr std::string_view key = R"(,"structuredContent":)";
    auto const value = json_scan::member(result, "structuredContent");
    if (!value.empty())
        result.erase(static_cast<std::size_t>(value.data() - result.data()) - key.size(), key.size() + value.size());
}

LINKSPAN_DECL std::string json_of_values(std::string_view schema, uri_template::values const& values)
{
    auto const properties = json_scan::member(schema, "properties");
    std::string out;
    object_writer object(out);
    for (auto const& [name, value] : values) {
        auto const type = json_scan::member(json_scan::member(properties, name), "type"); // a text or an array
        bool const is_number = type.find("integer") != type.npos || type.find("number") != type.npos;
        bool const is_bool = type.find("boolean") != type.npos && (value == "true" || value == "false");
        if (is_bool || (is_number && json_scan::number(value)))
            object.raw(name, value);
        else
            object.text(name, value);
    }
    object.close();
    return out;
}

LINKSPAN_DECL void check_variables(std::string const& text, std::string_view schema)
{
    std::string problem;
    auto const parsed = uri_template::parse(text, problem);
    auto const variables = parsed ? parsed->names() : std::vector<std::string>();
    for (json_scan::reader names(json_scan::member(schema, "required")); auto const name = names.next();)
        if (auto const member = json_scan::string(name->value).value_or("");
            parsed && std::ranges::find(variables, member) == variables.end())
            throw std::invalid_argument("linkspan: the required member '" + member +
                                        "' is not a variable of the resource template '" + text + "'");
}

LINKSPAN_DECL std::vector<prompt_argument> prompt_arguments(std::string_view schema)
{
    std::vector<prompt_argument> out;
    for (json_scan::reader each(json_scan::member(schema, "properties")); auto const property = each.next();) {
        prompt_argument argument;
        argument.name = json_scan::string('"' + std::string(property->key) + '"').value_or("");
        argument.title = json_scan::string(json_scan::member(property->value, "title")).value_or("");
        argument.description = json_scan::string(json_scan::member(property->value, "description")).value_or("");
        for (json_scan::reader names(json_scan::member(schema, "required")); auto const name = names.next();)
            argument.required |= json_scan::string(name->value) == argument.name;
        out.push_back(std::move(argument));
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL implementation const& server::identity() const noexcept { return core_->identity(); }

LINKSPAN_DECL std::vector<protocol_version> const& server::protocol_versions() const noexcept
{
    return core_->options().protocol_versions;
}

LINKSPAN_DECL server::~server() { core_->close(); }

LINKSPAN_DECL server& server::add(local_tool const& entry)
{
    auto const run = [entry](server_request request) {
        auto result = "{" + entry.call(request.arguments()) + "}";
        if (!has_member(request.protocol_version(), wire_member::tool_output))
            detail::erase_structured_content(result);
        request.complete(raw_json(std::move(result)));
    };
    core_->add(entry.definition(), run, {.arguments = false, .results = false});
    return *this;
}

LINKSPAN_DECL void server::replace_entries(std::function<void()> const& fill)
{
    auto const core = core_; // `fill` may destroy the server
    core->replace_entries(fill);
}

LINKSPAN_DECL bool server::remove_tool(std::string_view name) { return core_->remove(offer_list::tools, name); }

LINKSPAN_DECL bool server::remove_resource(std::string_view uri) { return core_->remove(offer_list::resources, uri); }

LINKSPAN_DECL bool server::remove_resource_template(std::string_view uri_template)
{
    return core_->remove(offer_list::templates, uri_template);
}

LINKSPAN_DECL bool server::remove_prompt(std::string_view name) { return core_->remove(offer_list::prompts, name); }

LINKSPAN_DECL void server::resource_updated(std::string_view uri) { core_->on_updated(uri); }

LINKSPAN_DECL void server::set_completion(request_handler run) { core_->complete_argument = std::move(run); }

LINKSPAN_DECL void server::set_method(std::string method, request_handler run)
{
    core_->methods.insert_or_assign(std::move(method), std::move(run));
}

LINKSPAN_DECL void
server::set_notification(std::string method,
                         std::function<void(client_info const&, std::string_view, client_session)> run)
{
    core_->notifications.insert_or_assign(std::move(method), std::move(run));
}

LINKSPAN_DECL void server::on_roots_changed(std::function<void(client_session from)> handler)
{
    set_notification("notifications/roots/list_changed",
                     [handler = std::move(handler)](client_info const& from, std::string_view, client_session session) {
                         auto const declared = from.declared().roots;
                         if (declared && declared->list_changed)
                             handler(std::move(session));
                     });
}

LINKSPAN_DECL void server::declare_extension(std::string id, std::string settings)
{
    if (id == tasks_extension)
        throw std::invalid_argument("linkspan: extension '" + id +
                                    "' is declared by the server if a tool supports tasks");
    if (!detail::is_json_object(settings))
        throw std::invalid_argument("linkspan: the settings of extension '" + id + "' are not a JSON object");
    core_->extensions.insert_or_assign(std::move(id), std::move(settings));
}

LINKSPAN_DECL void server::close() { core_->close(); }

LINKSPAN_DECL server_counters server::counters() const { return core_->count(); }

} // namespace linkspan

#endif
