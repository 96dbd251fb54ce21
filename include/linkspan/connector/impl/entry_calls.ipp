#ifndef LINKSPAN_CONNECTOR_IMPL_ENTRY_CALLS_IPP
#define LINKSPAN_CONNECTOR_IMPL_ENTRY_CALLS_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_entries.hpp>
#include <linkspan/connector/detail/entry_calls.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/post_handler.hpp>

#include <boost/asio/error.hpp>

#include <tuple>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Adds the last list of a server, and its failure.
template<class Entry>
void add_list_of(merged_list<Entry>& out, entry_lister const& lister, server_entry const& server)
{
    constexpr auto kind = kind_of_entry<Entry>;
    if (auto const known = lister.find(server, kind)) {
        auto const& list = std::get<entry_list<Entry>>(known->list);
        out.dropped += list.dropped;
        for (auto const& entry : list.entries)
            out.entries.push_back({server.id, server.key, std::shared_ptr<Entry const>(known, &entry)});
    }
    switch (server.life.state()) {
    case server_state::opening:
    case server_state::waiting:
    case server_state::failed:
    case server_state::closed:
        if (entry_lister::was_disconnected(server))
            break;
        out.failures.push_back({server.id, server.key, error::not_connected, server.diagnostics()});
        break;
    case server_state::ready:
        if (auto [ec, detail] = lister.last_error(server, kind); ec)
            out.failures.push_back({server.id, server.key, ec, std::move(detail)});
        else if (lister.lacks_list(server, kind)) // the server was connected again during the operation
            out.failures.push_back({server.id, server.key, error::not_connected, server.diagnostics()});
        break;
    default: break;
    }
}

template<class Entry>
merged_list<Entry> merge_lists(connector_core& core)
{
    merged_list<Entry> out;
    auto const& lister = entries_of(core).lister;
    for (auto const& server : core.servers().order())
        add_list_of(out, lister, *server);
    return out;
}

template<class Entry>
void list_all(core_pointer const& core, pending_handler<void(error_code, merged_list<Entry>)> done)
{
    auto const here = core->enter();
    auto const operation = core->epoch().next_operation();
    auto const waiting = make_cancellable(std::move(done), core->executor());
    waiting->on_cancel(terminal_or_partial, [core, operation] {
        core->driver().release(operation, true);
        return std::tuple(merged_list<Entry>());
    });
    auto finish = [core, operation, waiting, start = core->epoch().now()] {
        core->driver().release(operation, false);
        if (core->epoch().was_closed_since(start))
            return waiting->complete(asio::error::operation_aborted, {});
        if (core->epoch().is_closed())
            return waiting->complete(error::not_connected, {});
        auto out = merge_lists<Entry>(*core);
        auto const ec =
            out.entries.empty() && !out.failures.empty() ? error_code(error::all_servers_failed) : error_code();
        waiting->complete(ec, std::move(out));
    };
    if (core->epoch().is_closed() ||
        !entries_of(*core).lister.request_lists(kind_of_entry<Entry>, entry_lister::demand::wanted, operation, finish))
        post_handler(core->executor(), std::move(finish));
}

LINKSPAN_DECL entry_call_pointer prepare_read(core_pointer const& core, std::string_view uri)
{
    return entry_call::prepare_read(core, uri);
}

LINKSPAN_DECL entry_call_pointer prepare_prompt(core_pointer const& core, std::string_view prompt,
                                                argument_values const& arguments)
{
    return entry_call::prepare_prompt(core, prompt, arguments);
}

LINKSPAN_DECL void set_options(call_operation& call, call_options options)
{
    call.request().set_options(std::move(options));
}

LINKSPAN_DECL void start_entry_call(core_pointer const&, entry_call_pointer call,
                                    pending_handler<void(error_code, call_result)> done)
{
    entry_call::start(std::move(call), std::move(done));
}

LINKSPAN_DECL void limit_stored_results(core_pointer const& core, std::size_t max_bytes)
{
    entries_of(*core).stored.limit(max_bytes);
}

LINKSPAN_DECL void drop_stored_results(core_pointer const& core) { entries_of(*core).stored.clear(); }

LINKSPAN_DECL request_origin origin_of(core_pointer const& core) { return {nullptr, core->operations().secrets()}; }

#if defined(LINKSPAN_SEPARATE_COMPILATION)
template void list_all(core_pointer const&, pending_handler<void(error_code, merged_list<resource>)>);
template void list_all(core_pointer const&, pending_handler<void(error_code, merged_list<resource_template>)>);
template void list_all(core_pointer const&, pending_handler<void(error_code, merged_list<prompt>)>);
#endif

} // namespace linkspan::detail

#endif
