#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_AUTHENTICATION_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVICE_AUTHENTICATION_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/http/server/http_service.hpp>

#include <chrono>
#include <exception>
#include <new>
#include <utility>

// The authentication of requests by a function of the program.
namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void http_service::handle(http_server_request const& request, http_exchange exchange)
{
    if (!exchange.is_over())
        admit(request, exchange);
}

// Checks the headers Origin and Host before the authentication.
LINKSPAN_DECL void http_service::admit(http_server_request const& what, http_exchange& with)
{
    if (serve_metadata(what, with))
        return;
    if (!options_.authenticate)
        return serve(what, with, {});
    if (!serving().has_allowed_origin(what.head))
        return refuse(with, 403);
    auto const current = std::make_shared<detail::pending_authentication>(what, with);
    auto const alive = std::weak_ptr(alive_);
    auto done = [this, weak = std::weak_ptr(current), alive](http_admission admission) {
        auto const kept = weak.lock(); // a handler may destroy this function
        if (!kept || alive.expired() || kept->admission)
            return;
        kept->admission = std::move(admission);
        if (kept->is_running)
            return;
        authentications_.erase(kept);
        try {
            finish_admission(kept->request, kept->with, *kept->admission);
        } catch (std::bad_alloc const&) { // the caller is a function of the program
            kept->with.fail();
        }
    };
    std::optional<std::string> defect;
    try {
        auto const authenticate = options_.authenticate; // the function may destroy this object
        authenticate(current->request, std::move(done));
    } catch (std::exception const& failure) {
        defect = failure.what();
    } catch (...) {
        defect = "unknown exception";
    }
    current->is_running = false;
    if (alive.expired())
        return;
    if (defect) {
        current->admission.emplace(); // a later call of `done` has no effect
        ++counters_.unauthenticated;
        with.respond(500);
        backend_.on_authentication_defect(*defect);
    } else if (current->admission) {
        finish_admission(current->request, with, *current->admission);
    } else if (!with.is_over()) {
        wait_for_admission(current);
    }
}

// The function that authenticates has a weak reference, so that a request that is lost or refused has no memory.
LINKSPAN_DECL void http_service::wait_for_admission(authentication_pointer const& current)
{
    current->with.on_disconnect([this, weak = std::weak_ptr(current), alive = std::weak_ptr(alive_)] {
        if (auto const lost = weak.lock(); lost && !alive.expired())
            authentications_.erase(lost);
    });
    auto& timeout = current->timeout.in_background(executor_);
    timeout.expires_after(options_.client_limits.authentication_timeout);
    detail::start_wait(timeout, [this, weak = std::weak_ptr(current), alive = std::weak_ptr(alive_)](error_code ec) {
        if (auto const late = weak.lock(); late && !ec && !alive.expired())
            refuse_unauthenticated(late);
    });
    authentications_.insert(current); // the last step, so that only requests with a time limit are stored
}

LINKSPAN_DECL void http_service::refuse_unauthenticated(authentication_pointer const& late)
{
    using std::chrono::milliseconds;
    if (authentications_.erase(late) == 0)
        return; // the result arrived in the same turn of the event loop
    auto const timeout = options_.client_limits.authentication_timeout;
    try {
        refuse(late->with, 503, {{"Retry-After", "1"}});
    } catch (std::bad_alloc const&) {
        late->with.fail();
    }
    backend_.on_authentication_defect("no result of the authentication within " +
                                      std::to_string(std::chrono::duration_cast<milliseconds>(timeout).count()) +
                                      " ms");
}

// Serves an authenticated request, or refuses it. A client that has disconnected meanwhile receives nothing.
LINKSPAN_DECL void http_service::finish_admission(http_server_request const& what, http_exchange& with,
                                                  http_admission const& admission)
{
    if (with.is_over())
        return;
    if (admission.status == 200)
        return serve(what, with, admission.principal);
    ++counters_.unauthenticated;
    http_exchange::fields_type challenge;
    if (!admission.challenge.empty())
        challenge.push_back({"WWW-Authenticate", admission.challenge});
    with.respond(admission.status, challenge);
}

} // namespace linkspan

#endif
