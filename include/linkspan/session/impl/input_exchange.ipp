#ifndef LINKSPAN_SESSION_IMPL_INPUT_EXCHANGE_IPP
#define LINKSPAN_SESSION_IMPL_INPUT_EXCHANGE_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/session/detail/input_exchange.hpp>
#include <linkspan/session/session_core.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Pause before a request is sent again if the server returned a `requestState` without input requests, by which a
// server reduces its load.
inline constexpr duration pause_before_retry = std::chrono::milliseconds(100);

// Maximum number of input requests in one round.
inline constexpr std::size_t max_input_requests = 100;

inline constexpr std::string_view elicitation_method = "elicitation/create";

LINKSPAN_DECL input_exchange::input_exchange(session_core& session, request_op& op) : session_(session), op_(&op) {}

LINKSPAN_DECL void input_exchange::begin_round(input_required_result const& wanted)
{
    auto const self = shared_from_this(); // a handler may complete the request
    ++rounds_;
    first_ += requests_.size();
    requests_.clear();
    responses_.clear();
    state_ = wanted.state;
    if (rounds_ > session_.options().max_input_rounds)
        return refuse_input(error::too_many_input_rounds, {});
    if (!check_input_requests(wanted))
        return;
    for (auto const& one : wanted.requests) {
        requests_.push_back({std::string(one.method)});
        responses_.push_back({std::string(one.key), {}});
    }
    outstanding_ = requests_.size();
    if (outstanding_ == 0)
        return pause();
    calling_handlers_ = true;
    try {
        call_handlers(wanted);
    } catch (...) { // an exception of a handler
        calling_handlers_ = false;
        refuse_input(error::input_refused, "handler threw an exception");
        throw;
    }
    calling_handlers_ = false;
    if (outstanding_ == 0 && is_waiting())
        proceed();
}

// Checks all input requests before the first handler is called, so that no user is prompted for a round that fails.
LINKSPAN_DECL bool input_exchange::check_input_requests(input_required_result const& wanted)
{
    if (wanted.requests.size() > max_input_requests) {
        refuse_input(error::too_many_input_rounds,
                     std::to_string(wanted.requests.size()) + " input requests in one round, expected at most 100");
        return false;
    }
    for (auto const& one : wanted.requests)
        if (!session_.handler_of(one.method)) {
            refuse_input(error::unsupported_input_request, std::string(one.method));
            return false;
        }
    return true;
}

LINKSPAN_DECL void input_exchange::call_handlers(input_required_result const& wanted)
{
    for (std::size_t i = 0; i != wanted.requests.size() && is_waiting(); ++i) {
        auto const& one = wanted.requests[i];
        auto const params = one.params.empty() ? std::string_view("{}") : one.params;
        (*session_.handler_of(one.method))(params, responder(weak_from_this(), first_ + i));
    }
}

LINKSPAN_DECL void input_exchange::respond(server_request_id id, std::string_view result)
{
    if (!awaits_response(id))
        return;
    auto const index = static_cast<std::size_t>(id - first_);
    requests_[index].is_open = false;
    responses_[index].result = result;
    if (--outstanding_ == 0 && !calling_handlers_)
        proceed();
}

// A refused elicitation is sent as the result "decline". The other kinds have no such result, so the request fails.
LINKSPAN_DECL void input_exchange::refuse(server_request_id id, int, std::string_view message)
{
    if (!awaits_response(id))
        return;
    auto const& method = requests_[static_cast<std::size_t>(id - first_)].method;
    if (method == elicitation_method)
        return respond(id, R"({"action":"decline"})");
    refuse_input(error::input_refused, method + ": " + std::string(message));
}

LINKSPAN_DECL bool input_exchange::awaits_response(server_request_id id) const
{
    return is_waiting() && id >= first_ && id - first_ < requests_.size() &&
           requests_[static_cast<std::size_t>(id - first_)].is_open;
}

// Returns true if the request is parked: not completed, and its failure is not scheduled.
LINKSPAN_DECL bool input_exchange::is_waiting() const noexcept { return op_ && session_core::is_parked(*op_); }

LINKSPAN_DECL void input_exchange::proceed()
{
    compose_input(members_, responses_, state_);
    session_.send_with_input(*op_);
}

LINKSPAN_DECL void input_exchange::pause()
{
    pause_.emplace(session_.executor());
    pause_->expires_after(pause_before_retry);
    start_wait(*pause_, [weak = weak_from_this(), round = rounds_](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self && self->rounds_ == round && self->is_waiting())
            self->proceed();
    });
}

LINKSPAN_DECL void input_exchange::refuse_input(error_code ec, std::string why)
{
    if (!is_waiting())
        return;
    refusal_ = std::move(why);
    session_.fail_parked(*op_, ec);
}

} // namespace linkspan::detail

#endif
