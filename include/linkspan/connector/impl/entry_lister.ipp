#ifndef LINKSPAN_CONNECTOR_IMPL_ENTRY_LISTER_IPP
#define LINKSPAN_CONNECTOR_IMPL_ENTRY_LISTER_IPP

#include <linkspan/connector/detail/entry_lister.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/session_ops.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The method and the notification of a kind of list, and the capability of servers that have it.
struct entry_kind_names {
    std::string_view method, notification, capability;
};

inline entry_kind_names const& names_of(entry_kind kind) noexcept
{
    static constexpr std::string_view resources_changed = "notifications/resources/list_changed";
    static constexpr entry_kind_names names[] = {
        {"resources/list", resources_changed, "resources"},
        {"resources/templates/list", resources_changed, "resources"},
        {"prompts/list", "notifications/prompts/list_changed", "prompts"},
    };
    return names[static_cast<std::size_t>(kind)];
}

LINKSPAN_DECL listed_entries::listed_entries(entry_kind kind)
{
    switch (kind) {
    case entry_kind::resources: break;
    case entry_kind::templates: list.emplace<resource_template_list>(); break;
    case entry_kind::prompts: list.emplace<prompt_list>(); break;
    }
}

LINKSPAN_DECL bool entry_lister::offers(server_entry const& server, entry_kind kind)
{
    return !json_scan::member(server.session->server().capabilities, names_of(kind).capability).empty();
}

LINKSPAN_DECL bool entry_lister::lacks_list(server_entry const& server, entry_kind kind) const
{
    auto const* const known = find_list(server.id, kind);
    return offers(server, kind) && (!known || !known->entries || known->epoch != server.life.epoch());
}

LINKSPAN_DECL bool entry_lister::request_lists(entry_kind kind, demand which, std::uint64_t operation,
                                               std::function<void()> done)
{
    struct asking {
        std::function<void()> done;
        std::size_t left = 1;

        void finish_one()
        {
            if (--left == 0)
                done();
        }
    };
    forget_removed_servers();
    auto const all = std::make_shared<asking>();
    all->done = std::move(done);
    auto const finish = [all] { all->finish_one(); };
    for (auto const& server : context_.servers().order()) {
        auto const state = server->life.state();
        bool const is_lazy = server->options.start == start_mode::lazy;
        bool const is_opened = state == server_state::opening || (state == server_state::idle && !is_lazy) ||
                               (state == server_state::idle && which == demand::lazy);
        if (state == server_state::ready && needs(*server, kind, which)) {
            ++all->left;
            list(server, kind, finish);
        } else if (is_opened && (which != demand::missing || !find(*server, kind))) {
            ++all->left;
            auto on_opened = [self = context_.share(this), server, kind, which, finish](server_report const&) {
                if (server->life.state() == server_state::ready && self->needs(*server, kind, which))
                    self->list(server, kind, finish);
                else
                    finish();
            };
            driver_.await(server, std::move(on_opened), false, operation);
        }
    }
    if (all->left == 1)
        return false;
    post_handler(context_.executor(), finish);
    return true;
}

LINKSPAN_DECL void entry_lister::refresh(entry_kind kind)
{
    for (auto const& server : context_.servers().order())
        if (server->life.state() == server_state::ready && needs(*server, kind, demand::stale))
            list(server, kind, [] {});
}

// Returns whether the list of a ready server has to be requested.
LINKSPAN_DECL bool entry_lister::needs(server_entry const& server, entry_kind kind, demand which)
{
    if (!offers(server, kind))
        return false;
    auto const now = context_.time().now();
    auto const& life = sync(server, kind).life;
    if (life.state_at(now) == server_list::state::current || (which != demand::wanted && life.is_pausing(now)))
        return false;
    return which != demand::missing || !life.has_list();
}

// Returns the list of a server, and makes it stale if the server was connected again since the last use.
LINKSPAN_DECL entry_lister::known_list& entry_lister::sync(server_entry const& server, entry_kind kind)
{
    auto& out = servers_[server.id].lists[static_cast<std::size_t>(kind)];
    if (std::exchange(out.epoch, server.life.epoch()) != server.life.epoch()) {
        out.life.on_reconnected();
        out.waiting.reset();
        out.ec = {};
        out.detail.clear();
    }
    return out;
}

LINKSPAN_DECL entry_lister::known_list* entry_lister::find_list(server_id server, entry_kind kind) noexcept
{
    auto const found = servers_.find(server);
    return found == servers_.end() ? nullptr : &found->second.lists[static_cast<std::size_t>(kind)];
}

LINKSPAN_DECL entry_lister::known_list const* entry_lister::find_list(server_id server, entry_kind kind) const noexcept
{
    auto const found = servers_.find(server);
    return found == servers_.end() ? nullptr : &found->second.lists[static_cast<std::size_t>(kind)];
}

LINKSPAN_DECL entry_lister::list_pointer entry_lister::find(server_entry const& server, entry_kind kind) const
{
    auto const* const known = find_list(server.id, kind);
    return known && !was_disconnected(server) ? known->entries : nullptr;
}

LINKSPAN_DECL std::pair<error_code, std::string> entry_lister::last_error(server_entry const& server,
                                                                          entry_kind kind) const
{
    auto const* const known = find_list(server.id, kind);
    if (!known || known->epoch != server.life.epoch())
        return {};
    return {known->ec, known->detail};
}

// Requests pages

// Joins the outstanding request, or starts one.
LINKSPAN_DECL void entry_lister::list(server_pointer const& server, entry_kind kind, std::function<void()> done)
{
    auto& known = sync(*server, kind);
    switch (known.life.on_used(context_.time().now())) {
    case server_list::action::use: return post_handler(context_.executor(), std::move(done));
    case server_list::action::wait:
        if (auto const waiting = known.waiting.lock())
            return waiting->push_back(std::move(done));
        known.life.on_failed(context_.time().now()); // there was no memory to process the list
        return post_handler(context_.executor(), std::move(done));
    case server_list::action::list: break;
    }
    try {
        listen(*server, kind);
        auto waiting = std::make_shared<waiting_functions>(1, std::move(done));
        known.waiting = waiting;
        request(server, kind, std::move(waiting));
    } catch (...) { // no memory
        known.life.on_failed(context_.time().now());
        throw;
    }
}

LINKSPAN_DECL void entry_lister::request(server_pointer const& server, entry_kind kind,
                                         std::shared_ptr<waiting_functions> waiting)
{
    auto const received = std::make_shared<listed_entries>(kind);
    auto const is_current = [server, epoch = server->life.epoch()] { return server->life.epoch() == epoch; };
    auto read = [self = context_.share(this), server, kind, received, is_current](std::string_view page,
                                                                                  error_code& ec) {
        if (is_current())
            self->on_page(*server, kind, page);
        auto const append = [&](auto& list) {
            ec = append_page(list, page);
            return list.entries.size();
        };
        return std::visit(append, received->list);
    };
    auto on_end = [self = context_.share(this), server, kind, received, is_current,
                   waiting = std::move(waiting)](error_code ec, std::string detail) {
        auto& context = self->context_;
        auto const here = context.enter();
        server->publish_requests();
        // Posted separately, because a function may throw, and before the list is processed, which may throw.
        for (auto& each : *waiting)
            post_handler(context.executor(), std::move(each));
        if (is_current())
            self->on_end(*server, kind, ec, std::move(detail), received);
    };
    entries_request::start(server->session, names_of(kind).method, {}, std::move(read),
                           {std::move(on_end), context_.executor()});
}

LINKSPAN_DECL void entry_lister::on_page(server_entry const& server, entry_kind kind, std::string_view page)
{
    auto* const known = find_list(server.id, kind);
    if (!known)
        return;
    // In the era `stateless`, the time to live is always present, and the subscription may have been refused.
    auto const declared = json_scan::member(server.session->server().capabilities, names_of(kind).capability);
    bool const has_notifications =
        !server.session->is_stateless() && json_scan::member(declared, "listChanged") == "true";
    known->life.on_page(read_ttl(json_scan::member(page, "ttlMs")), has_notifications, context_.time().now());
}

// A server may have resources and no templates, and then does not have the method.
LINKSPAN_DECL void entry_lister::on_end(server_entry& server, entry_kind kind, error_code ec, std::string detail,
                                        std::shared_ptr<listed_entries> received)
{
    auto* const known = find_list(server.id, kind);
    if (!known)
        return;
    bool const has_no_templates =
        kind == entry_kind::templates && ec.category() == rpc_category() && ec.value() == -32601;
    if (has_no_templates) {
        received = std::make_shared<listed_entries>(kind);
        on_page(server, kind, "{}");
    } else if (ec) {
        known->ec = ec;
        known->detail = server.redacted(detail);
        return known->life.on_failed(context_.time().now());
    }
    if (auto const* const list = std::get_if<resource_template_list>(&received->list))
        for (auto const& entry : list->entries) {
            std::string problem;
            received->templates.push_back(uri_template::parse(entry.uri_template, problem));
        }
    known->ec = {};
    known->detail.clear();
    known->entries = std::move(received);
    known->life.on_complete();
}

// Notifications

// Sets the handler of the notification when a list is first needed. In the era `stateless`, the session then requests
// the notifications, before the list. A change between the list and the beginning of the notifications is found at the
// end of the time to live.
LINKSPAN_DECL void entry_lister::listen(server_entry& server, entry_kind kind)
{
    if (set_change_handler(server, kind))
        server.session->changes().on_handler_set();
}

// Returns whether the handler was not set before.
LINKSPAN_DECL bool entry_lister::set_change_handler(server_entry& server, entry_kind kind)
{
    auto const changed = kind == entry_kind::templates ? entry_kind::resources : kind;
    auto& has_handler = servers_[server.id].has_notification_handler[static_cast<std::size_t>(changed)];
    if (has_handler)
        return false;
    auto on_changed = [weak = std::weak_ptr(context_.share(this)), id = server.id, changed](std::string_view) {
        auto const self = weak.lock();
        if (!self)
            return;
        self->on_list_changed(id, changed);
        if (changed == entry_kind::resources) {
            self->on_list_changed(id, entry_kind::templates);
            self->stored_.on_list_changed(id);
        }
        auto const what = changed == entry_kind::resources ? changed_list::resources : changed_list::prompts;
        if (auto const from = self->context_.server(id); from && self->change_handler_)
            self->change_handler_(from->key, what);
    };
    server.session->handle_notification(std::string(names_of(changed).notification), std::move(on_changed));
    return has_handler = true;
}

LINKSPAN_DECL void entry_lister::watch_lists(server_entry& server)
{
    bool const is_new = set_change_handler(server, entry_kind::resources);
    if (set_change_handler(server, entry_kind::prompts) || is_new)
        server.session->changes().on_handler_set(); // once, because each call subscribes again
}

LINKSPAN_DECL void entry_lister::watch_updates(server_entry& server)
{
    auto& has_handler = servers_[server.id].has_update_handler;
    if (has_handler)
        return;
    auto on_updated = [weak = std::weak_ptr(context_.share(this)), id = server.id](std::string_view params) {
        auto const self = weak.lock();
        auto const uri = json_scan::string(json_scan::member(params, "uri"));
        if (!self || !uri)
            return;
        self->stored_.on_updated(id, *uri);
        if (auto const changed = self->context_.server(id); changed && self->update_handler_)
            self->update_handler_(changed->key, *uri);
    };
    server.session->handle_notification("notifications/resources/updated", std::move(on_updated));
    has_handler = true;
}

LINKSPAN_DECL void entry_lister::on_list_changed(server_id server, entry_kind kind)
{
    if (auto* const known = find_list(server, kind))
        known->life.on_list_changed();
}

LINKSPAN_DECL void entry_lister::forget_removed_servers()
{
    std::erase_if(servers_, [&](auto const& known) { return !context_.server(known.first); });
}

} // namespace linkspan::detail

#endif
