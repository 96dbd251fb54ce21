#ifndef LINKSPAN_SERVER_IMPL_SERVER_CORE_IPP
#define LINKSPAN_SERVER_IMPL_SERVER_CORE_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/detail/json_object_check.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/server_request.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace serving {

// Throws the reason for which an offer has rejected an entry; empty: the entry was added.
inline void require_added(std::string const& problem)
{
    if (!problem.empty())
        throw std::invalid_argument("linkspan: " + problem);
}

// Throws `std::invalid_argument` if `meta` of an entry would make the list unreadable for clients.
inline void require_meta(std::string_view meta)
{
    if (!meta.empty() && !is_json_object(meta))
        throw std::invalid_argument("linkspan: the member 'meta' of an entry is not a JSON object");
}

// Compiles a schema of a tool. Throws `std::invalid_argument` if the schema is invalid.
inline std::shared_ptr<schema_validator const> compile(tool const& of, std::string const& schema,
                                                       std::string_view which)
{
    error_code ec;
    auto const parsed = parse_json(schema, ec);
    auto const compiled = std::make_shared<schema_validator const>(parsed);
    if (ec || !compiled->ok())
        throw std::invalid_argument("linkspan: tool \"" + of.name + "\" has an invalid " + std::string(which) + ": " +
                                    (ec ? ec.message() : to_string(compiled->problems().front())));
    return compiled;
}

// Returns whether a schema accepts all objects, so that nothing needs to be validated.
inline bool accepts_all_objects(std::string_view schema) noexcept
{
    for (json_scan::reader each(schema); auto const one = each.next();)
        if (one->key != "$schema" && (one->key != "type" || one->value != R"("object")"))
            return false;
    return true;
}

} // namespace serving

LINKSPAN_DECL server_core::server_core(asio::any_io_executor executor, implementation self, serving_options options)
    : executor_(std::move(executor)),
      self_(std::move(self)),
      options_(std::move(options)),
      offer_(options_.page_size),
      subscribers_(executor_, options_.max_subscriptions, options_.max_subscriptions_per_principal,
                   options_.max_subscribed_resources_per_principal),
      tasks_of_clients_(executor_,
                        {options_.max_tasks, options_.max_tasks_per_principal, options_.max_kept_results,
                         options_.max_kept_results_per_principal},
                        [this](std::string_view id) {
                            subscribers_.on_task_changed(weak_from_this().lock(), id);
                            on_progress_of_stop();
                        }),
      waiting_(std::make_shared<suspended_requests>(executor_, options_.state_key, options_.input_timeout,
                                                    options_.max_suspended, options_.max_suspended_per_principal))
{
    if (options_.protocol_versions.empty())
        throw std::invalid_argument("linkspan: a server needs at least one protocol version");
}

LINKSPAN_DECL server_counters server_core::count() noexcept
{
    auto out = counters_;
    auto const counts = [](auto const& entry) {
        auto const client = entry.second.lock();
        return client && !client->is_kept();
    };
    out.clients = static_cast<std::size_t>(std::ranges::count_if(clients_, counts));
    out.subscriptions = subscribers_.streams();
    out.suspended = waiting_->size();
    out.tasks = tasks_of_clients_.count();
    return out;
}

LINKSPAN_DECL std::shared_ptr<void> server_core::keep_bytes(std::size_t bytes)
{
    if (!keep_params(bytes))
        return nullptr;
    // Invoked also if the construction of the result throws.
    return {this, [self = shared_from_this(), bytes](void*) noexcept { self->release_params(bytes); }};
}

LINKSPAN_DECL server_dialogue const& server_core::dialogue(std::optional<protocol_version> only)
{
    auto& found = dialogues_[only];
    if (found)
        return *found;
    server_dialogue::options out;
    static_cast<implementation&>(out) = self_;
    out.protocol_versions = only ? std::vector{*only} : options_.protocol_versions;
    out.instructions = options_.instructions;
    out.capabilities_of = [self = weak_from_this()](protocol_version id) {
        auto const alive = self.lock();
        return alive ? alive->capabilities(id) : std::string("{}");
    };
    return found.emplace(std::move(out));
}

LINKSPAN_DECL std::string server_core::capabilities(protocol_version id) const
{
    std::string out;
    object_writer object(out);
    if (offer_.is_offered(offer_list::tools))
        object.raw("tools", R"({"listChanged":true})");
    if (offer_.is_offered(offer_list::resources) || offer_.is_offered(offer_list::templates))
        object.raw("resources", R"({"subscribe":true,"listChanged":true})");
    if (offer_.is_offered(offer_list::prompts))
        object.raw("prompts", R"({"listChanged":true})");
    if (complete_argument && has_member(id, wire_member::completions))
        object.raw("completions", "{}");
    object.raw("logging", "{}");
    bool const has_tasks = tasks_of_clients_.is_offered;
    if (has_tasks && has_member(id, wire_member::task_support))
        object.raw("tasks", R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})");
    if ((has_tasks || !extensions.empty()) && has_member(id, wire_member::extensions)) {
        object_writer declared(object.key("extensions"));
        if (has_tasks)
            declared.raw(tasks_extension, "{}");
        for (auto const& [name, settings] : extensions)
            declared.raw(name, settings);
        declared.close();
    }
    object.close();
    return out;
}

// After an exception, nothing was added: the addition to the offer is the last step that can fail.
template<class Entry, class Table>
void server_core::add_with_handler(offer_list which, Entry what, Table& handlers, std::string name,
                                   typename Table::mapped_type handler)
{
    subscribers_.prepare(weak_from_this().lock());
    auto const [place, is_new] = handlers.try_emplace(std::move(name), std::move(handler));
    try {
        serving::require_added(offer_.add(std::move(what)));
    } catch (...) {
        if (is_new) // otherwise, another entry has the name
            handlers.erase(place);
        throw;
    }
    on_changed(which);
}

LINKSPAN_DECL void server_core::add(tool what, request_handler run, validated_parts checks)
{
    auto handler = std::make_shared<offered_handler>();
    handler->run = std::move(run);
    auto name = what.name;
    if (what.input_schema.starts_with('{') &&
        json_scan::quoted(json_scan::member(what.input_schema, "type")) != "object")
        throw std::invalid_argument("linkspan: tool \"" + name +
                                    "\" has an invalid input schema: expected \"type\": \"object\" at its root");
    // Both schemas are compiled once, also if they are only checked.
    if (what.input_schema.starts_with('{') && !serving::accepts_all_objects(what.input_schema))
        if (auto compiled = serving::compile(what, what.input_schema, "input schema");
            checks.arguments && options_.validate_arguments)
            handler->input = std::move(compiled);
    if (what.output_schema.starts_with('{'))
        if (auto compiled = serving::compile(what, what.output_schema, "output schema");
            checks.results && options_.validate_results)
            handler->output = std::move(compiled);
    handler->mirrored = read_mirrored_arguments(what.input_schema);
    if (!handler->mirrored.fault.empty()) // clients over HTTP must not use the tool
        throw std::invalid_argument("linkspan: tool \"" + name +
                                    "\" has an invalid input schema: " + handler->mirrored.fault);
    handler->tasks = what.tasks;
    bool const supports_tasks = what.tasks != task_support::forbidden;
    serving::require_meta(what.meta);
    add_with_handler(offer_list::tools, std::move(what), tools_, std::move(name), std::move(handler));
    tasks_of_clients_.is_offered |= supports_tasks;
}

LINKSPAN_DECL void server_core::add(resource what, request_handler run)
{
    auto uri = what.uri;
    auto handler = std::make_shared<offered_handler>();
    handler->run = std::move(run);
    handler->mime_type = what.mime_type;
    serving::require_meta(what.meta);
    add_with_handler(offer_list::resources, std::move(what), resources_, std::move(uri), std::move(handler));
}

LINKSPAN_DECL void server_core::add(resource_template what, template_function run)
{
    auto text = what.uri_template;
    template_handler handler{std::move(run), what.mime_type};
    serving::require_meta(what.meta);
    add_with_handler(offer_list::templates, std::move(what), templates_, std::move(text), std::move(handler));
}

LINKSPAN_DECL void server_core::add(prompt what, request_handler run)
{
    auto name = what.name;
    auto handler = std::make_shared<offered_handler>();
    handler->run = std::move(run);
    serving::require_meta(what.meta);
    add_with_handler(offer_list::prompts, std::move(what), prompts_, std::move(name), std::move(handler));
}

LINKSPAN_DECL bool server_core::remove(offer_list from, std::string_view name)
{
    subscribers_.prepare(weak_from_this().lock());
    if (!offer_.remove(from, name))
        return false;
    auto const erase = [name](auto& table) {
        if (auto const found = table.find(name); found != table.end())
            table.erase(found);
    };
    switch (from) {
    case offer_list::tools: erase(tools_); break;
    case offer_list::resources: erase(resources_); break;
    case offer_list::templates: erase(templates_); break;
    case offer_list::prompts: erase(prompts_); break;
    }
    on_changed(from);
    return true;
}

LINKSPAN_DECL void server_core::on_changed(offer_list which) noexcept
{
    if (is_replacing_)
        return;
    using change = subscription_table::change;
    auto const what = which == offer_list::tools     ? change::tools
                      : which == offer_list::prompts ? change::prompts
                                                     : change::resources;
    subscribers_.on_list_changed(what);
}

LINKSPAN_DECL void server_core::on_updated(std::string_view uri)
{
    subscribers_.on_updated(weak_from_this().lock(), uri);
}

LINKSPAN_DECL std::shared_ptr<served_client> server_core::serve(any_transport client, std::string principal,
                                                                std::string account,
                                                                std::optional<protocol_version> only,
                                                                pending_handler<void(error_code)> done,
                                                                std::string_view method)
{
    if (!accepts(method)) {
        post_handler(executor_, [done = std::make_shared<pending_handler<void(error_code)>>(std::move(done))] {
            if (*done)
                done->complete(asio::error::operation_aborted);
        });
        return nullptr;
    }
    auto const added = std::make_shared<served_client>(shared_from_this(), std::move(client), std::move(principal),
                                                       std::move(account), only, ++served_, std::move(done));
    clients_.emplace(added.get(), added);
    added->run();
    return added;
}

LINKSPAN_DECL std::vector<std::shared_ptr<served_client>> server_core::open_clients()
{
    std::vector<std::shared_ptr<served_client>> out;
    for (auto const& [key, each] : clients_)
        if (auto client = each.lock())
            out.push_back(std::move(client));
    return out;
}

LINKSPAN_DECL void server_core::stop(duration grace, pending_handler<void(error_code)> done)
{
    is_stopping_ = true;
    stopped_.push_back(std::move(done));
    subscribers_.send(); // changes of this turn of the event loop
    subscribers_.end_streams();
    waiting_->clear();
    auto& waits = stop_timer_.in_background(executor_);
    waits.expires_after(grace);
    start_wait(waits, [weak = weak_from_this()](error_code ec) {
        if (auto const self = weak.lock(); self && !ec)
            self->finish_stop(asio::error::timed_out);
    });
    post_handler(executor_, [self = shared_from_this()] { self->on_progress_of_stop(); });
}

LINKSPAN_DECL bool server_core::is_needed_by_tasks(std::string_view method) const noexcept
{
    bool const is_stop_in_progress = !stopped_.empty();
    return is_stop_in_progress &&
           (method == "tasks/get" || method == "tasks/result" || method == "tasks/update" || method == "tasks/cancel");
}

LINKSPAN_DECL void server_core::on_progress_of_stop()
{
    auto const is_idle = [](auto const& entry) {
        auto const client = entry.second.lock();
        return !client || client->requests() == 0;
    };
    if (stopped_.empty() || tasks_of_clients_.has_running() || !std::ranges::all_of(clients_, is_idle))
        return;
    try {
        post_handler(executor_, [self = shared_from_this()] { self->finish_stop({}); });
    } catch (std::bad_alloc const&) { // `stop_timer_` ends the stop
    }
}

LINKSPAN_DECL void server_core::finish_stop(error_code ec)
{
    auto finished = std::exchange(stopped_, {});
    if (finished.empty())
        return;
    stop_timer_.cancel();
    close();
    for (auto& each : finished)
        each.complete(ec);
}

LINKSPAN_DECL void server_core::close()
{
    is_stopping_ = true;
    waiting_->clear();
    tasks_of_clients_.clear();
    for (auto const& client : open_clients())
        client->close();
}

LINKSPAN_DECL void server_core::on_notification(client_info const& from, std::string_view method,
                                                std::string_view params, std::weak_ptr<served_client> client)
{
    auto const found = notifications.find(method);
    if (found == notifications.end())
        return;
    auto const function = found->second; // which may replace itself
    try {
        function(from, params, client_session({executor_, std::move(client)}));
    } catch (std::exception const& failure) {
        report_defect({.method = method, .what = failure.what()});
    } catch (...) {
        report_defect({.method = method, .what = "unknown exception"});
    }
}

LINKSPAN_DECL std::string server_core::cache_members(served_request const& request) const
{
    if (!has_member(request.version(), wire_member::cache_hints))
        return {};
    auto const ttl = std::chrono::duration_cast<std::chrono::milliseconds>(options_.list_ttl).count();
    return R"(,"ttlMs":)" + std::to_string(std::max<std::int64_t>(ttl, 0)) +
           (options_.is_public ? R"(,"cacheScope":"public")" : R"(,"cacheScope":"private")");
}

LINKSPAN_DECL void server_core::report_defect(server_defect const& defect)
{
    ++counters_.defects;
    if (auto const report = options_.on_defect) // a copy, because the function may destroy the server
        report(defect);
}

LINKSPAN_DECL void server_core::report_defect(served_request const& of, std::string_view what)
{
    auto const raw = of.method() == "resources/read" ? json_scan::member(of.params(), "uri") : of.parts().name;
    auto const name = json_scan::string(raw).value_or("");
    report_defect({.method = of.method(), .name = name, .request_id = of.from().raw_id, .what = what});
}

LINKSPAN_DECL mirrored_arguments const* server_core::mirrored(std::string_view tool) const
{
    auto const found = tools_.find(tool);
    return found == tools_.end() ? nullptr : &found->second->mirrored;
}

} // namespace linkspan::detail

#endif
