#ifndef LINKSPAN_SERVER_IMPL_STATE_CLAIM_IPP
#define LINKSPAN_SERVER_IMPL_STATE_CLAIM_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/detail/state_claim.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL state_claim::state_claim(served_request_pointer request)
    : server_(request->server().shared_from_this()), request_(std::move(request)), timeout_(server_->get_executor())
{}

LINKSPAN_DECL void state_claim::start(std::string_view sealed)
{
    auto const& options = server_->options();
    timeout_.run_in_background();
    timeout_.expires_after(options.claim_timeout);
    start_wait(timeout_, [self = shared_from_this()](error_code ec) {
        using std::chrono::milliseconds;
        auto const timeout = std::chrono::duration_cast<milliseconds>(self->server_->options().claim_timeout);
        if (!ec && self->request_) // a result of this turn precedes
            self->fail("claim_state passed no result within " + std::to_string(timeout.count()) + " ms");
    });
    auto const claim = options.claim_state; // which may destroy the server
    try {
        // The last part is the authentication code, which no other state has. Expiry is compared in whole seconds.
        auto const id = sealed.substr(sealed.rfind('.') + 1);
        auto const validity = std::min<duration>(options.input_timeout, suspended_requests::max_validity);
        claim(id, validity + std::chrono::seconds(1), [weak = weak_from_this()](bool is_first) {
            if (auto const self = weak.lock())
                self->complete(is_first);
        });
    } catch (std::exception const& failure) {
        fail(failure.what());
    } catch (...) {
        fail("unknown exception");
    }
}

LINKSPAN_DECL void state_claim::complete(bool is_first)
{
    auto const request = std::exchange(request_, nullptr);
    timeout_.cancel();
    if (!request || request->is_over())
        return;
    if (is_first)
        server_->run(request);
    else
        server_->reject_state(*request);
}

// A function that has called `done` may also throw. The request then keeps the response that followed from the result.
LINKSPAN_DECL void state_claim::fail(std::string const& defect)
{
    auto const request = std::exchange(request_, nullptr);
    timeout_.cancel();
    if (!request)
        return server_->report_defect({.method = {}, .name = {}, .request_id = {}, .what = defect});
    request->fail(-32603, "Internal error"); // no effect if the request is over
    server_->report_defect(*request, defect);
}

} // namespace linkspan::detail

#endif
