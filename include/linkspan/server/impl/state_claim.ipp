#ifndef LINKSPAN_SERVER_IMPL_STATE_CLAIM_IPP
#define LINKSPAN_SERVER_IMPL_STATE_CLAIM_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/detail/state_claim.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL state_claim::state_claim(served_request_pointer request)
    : request_(std::move(request)), limit_(request_->server().get_executor())
{}

LINKSPAN_DECL void state_claim::start(std::string_view sealed)
{
    auto const& options = request_->server().options();
    limit_.run_in_background();
    limit_.expires_after(options.claim_timeout);
    start_wait(limit_, [self = shared_from_this()](error_code ec) {
        if (!ec)
            self->fail("claim_state has not completed within the time limit");
    });
    auto const claim = options.claim_state; // which may destroy the server
    try {
        // The last part is the authentication code, which no other state has.
        claim(sealed.substr(sealed.rfind('.') + 1), options.input_timeout, [weak = weak_from_this()](bool is_first) {
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
    limit_.cancel();
    if (!request || request->is_over())
        return;
    if (is_first)
        request->server().run(request);
    else
        request->server().reject_state(*request);
}

LINKSPAN_DECL void state_claim::fail(std::string const& defect)
{
    auto const request = std::exchange(request_, nullptr);
    limit_.cancel();
    if (!request || request->is_over())
        return;
    request->fail(-32603, "Internal error");
    request->server().report_defect(*request, defect);
}

} // namespace linkspan::detail

#endif
