#ifndef LINKSPAN_SERVER_DETAIL_STATE_CLAIM_HPP
#define LINKSPAN_SERVER_DETAIL_STATE_CLAIM_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/server/detail/served_request.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A stateless request whose state is accepted, and that waits until `serving_options::claim_state` reports whether
// another instance of the server has accepted the state before.
//
// Owned by the handler of its timer, until the function has reported or the timeout has elapsed.
class state_claim final : public std::enable_shared_from_this<state_claim> {
public:
    LINKSPAN_DECL explicit state_claim(served_request_pointer request);

    // Calls the function. `sealed`: the state, as the client sent it.
    LINKSPAN_DECL void start(std::string_view sealed);

private:
    void complete(bool is_first);
    void fail(std::string const& defect);

    std::shared_ptr<server_core> server_; // set by the constructor; not null
    served_request_pointer request_;      // set by the constructor, moved out by the end of the claim
    timer timeout_;                       // of the function
};

} // namespace linkspan::detail

#endif
