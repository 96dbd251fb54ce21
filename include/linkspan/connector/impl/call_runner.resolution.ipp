#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_RESOLUTION_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_RESOLUTION_IPP

#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Publishes the tools that are listed so far. Returns true if the call waits for the publication, which takes several
// turns if the catalog is large; `next` is invoked afterwards. The call waits once per list, so that constant changes
// do not delay it until its deadline.
LINKSPAN_DECL bool call_runner::awaits_catalog(pause_reason why, void (call_runner::*next)())
{
    if (owner().publish_changes() || !owner().publisher().has_changes() || std::exchange(has_awaited_catalog_, true))
        return false;
    auto on_published = later([this, next] {
        resume();
        (this->*next)();
    });
    if (pause(why, deadline))
        owner().publish_changes(std::move(on_published));
    return true;
}

LINKSPAN_DECL void call_runner::refresh_and_resolve()
{
    bool const has_changes = owner().publisher().has_changes();
    if (awaits_catalog(pause_reason::resolving, &call_runner::resolve))
        return;
    if (has_changes && !owner().publisher().has_changes())
        return resolve();
    if (std::exchange(has_refreshed_, true))
        return resolve_among_unknown();
    has_awaited_catalog_ = false;
    auto on_refreshed = later([this] {
        resume();
        resolve();
    });
    auto const& target = request().target();
    auto const server = target.empty() ? nullptr : owner().find(target);
    auto const share =
        request().options().attempt_share.value_or(owner().policies().attempt_share(certainty::not_sent));
    // One server that does not respond must not use the whole time of the call.
    bool const has_others = !server && owner().servers().order().size() > 1;
    auto const due = has_others && share < 1 ? now() + share_of(deadline - now(), share) : deadline;
    if (!pause(pause_reason::resolving, due))
        return;
    if (server)
        owner().lister().refresh(server, std::move(on_refreshed));
    else
        owner().driver().refresh(std::move(on_refreshed));
}

LINKSPAN_DECL void call_runner::resolve_among_unknown()
{
    auto const found = routing().candidates().resolve_among_unknown(request().query(), owner().servers());
    if (found.what == resolution::kind::unknown)
        return fail(unknown_tool_failure(failed()));
    route();
}

} // namespace linkspan::detail

#endif
