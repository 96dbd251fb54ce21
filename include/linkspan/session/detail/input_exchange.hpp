#ifndef LINKSPAN_SESSION_DETAIL_INPUT_EXCHANGE_HPP
#define LINKSPAN_SESSION_DETAIL_INPUT_EXCHANGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/request_op.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class session_core;

// Input that a stateless server requests before it completes one request, over all rounds. The object calls the
// handlers of the session, collects their responses, and then resumes the request: the session sends it again with
// these responses.
//
// Invariants: each request has its own object, which the request owns. Responders have weak references, so responses
// after the completion of the request are ignored. Responses to an earlier round are ignored, because their ids are
// less than `first_`. `requests_` and `responses_` have equal sizes.
//
// Specification: 2026-07-28, basic, "Multi Round-Trip Requests".
class input_exchange final : public response_sink, public std::enable_shared_from_this<input_exchange> {
public:
    LINKSPAN_DECL input_exchange(session_core& session, request_op& op);

    // Detaches the object from its request, which has completed.
    void end() noexcept
    {
        op_ = nullptr;
        pause_.reset();
    }

    // Starts a round. The request must be parked (`request_scheduler::park_for_input`); it may have completed when this
    // function returns.
    LINKSPAN_DECL void begin_round(input_required_result const& wanted);

    // Returns the number of rounds that were started.
    unsigned rounds() const noexcept { return rounds_; }

    // Returns the members that are added to `params` when the request is sent again.
    std::string_view members() const noexcept { return members_; }

    // Returns the reason why the input was refused, as text for a human reader; empty: not refused, or no reason known.
    std::string const& refusal() const noexcept { return refusal_; }

    // Implements `response_sink`: responses of the handlers.
    LINKSPAN_DECL void respond(server_request_id id, std::string_view result) override;
    LINKSPAN_DECL void refuse(server_request_id id, int code, std::string_view message) override;
    void report_progress(server_request_id, progress_update const&) override {} // not in the era `stateless`
    LINKSPAN_DECL bool awaits_response(server_request_id id) const override;

private:
    struct input_request {
        std::string method;
        bool is_open = true; // cleared by the response of the handler
    };

    bool is_waiting() const noexcept;
    bool check_input_requests(input_required_result const& wanted);
    void call_handlers(input_required_result const& wanted);
    void proceed();
    void pause();
    void refuse_input(error_code ec, std::string why);

    session_core& session_;               // set by the constructor; valid while `op_` is not null
    request_op* op_;                      // set by the constructor, set to null by `end`
    unsigned rounds_ = 0;                 // incremented by each `begin_round`
    server_request_id first_ = 1;         // id of the first input request of the current round; set by `begin_round`
    std::vector<input_request> requests_; // input requests of the current round; replaced by `begin_round`
    // Responses of the current round, at the index of their request. Keys: set by `begin_round`; results: by `respond`.
    std::vector<input_response> responses_;
    std::size_t outstanding_ = 0;   // elements of `requests_` with `is_open`; changed by `begin_round` and `respond`
    bool calling_handlers_ = false; // true inside `call_handlers`: the last response must not resume the request there
    std::string state_;             // `requestState`, sent back unchanged; replaced by `begin_round`; empty: none
    std::string members_;           // replaced when all responses of a round are complete
    std::string refusal_;           // set by `refuse_input`, never cleared
    std::optional<timer> pause_;    // set by a round without input requests; reset by `end`
};

} // namespace linkspan::detail

// <linkspan/session/session_core.hpp> includes the definitions, because they need the complete type `session_core`.

#endif
