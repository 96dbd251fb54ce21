#ifndef LINKSPAN_SERVER_IMPL_SUSPENDED_REQUESTS_IPP
#define LINKSPAN_SERVER_IMPL_SUSPENDED_REQUESTS_IPP

#include <linkspan/core/detail/secure_random.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/server/detail/suspended_requests.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL suspended_requests::suspended_requests(asio::any_io_executor executor, std::string const& key,
                                                     duration timeout, std::size_t max_requests, std::size_t max_each)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      timeout_(timeout),
      max_requests_(max_requests),
      accounts_(max_each),
      seal_(key.empty() ? secure_bytes(32) : key),
      instance_(to_hex(secure_bytes(16))),
      nonce_(time_.draw())
{}

LINKSPAN_DECL std::string suspended_requests::seal_payload(served_request const& request, std::string_view payload)
{
    request_seal::binding const of{request.method(), request.params(), request.from().from->principal};
    auto const expiry =
        time_.wall_now() + std::chrono::duration_cast<wall_time::duration>(std::min<duration>(timeout_, max_validity));
    return seal_.seal(of, payload, expiry, ++nonce_);
}

// State of a suspended handler: "k" + seal("k" + instance + key). The instance prevents that another instance, or this
// server after a restart, accepts the key for a different request. State of a handler that runs again: "s" + seal("s" +
// size of the inputs + ":" + inputs + state). The prefix in the payload binds the kind, because the prefix outside of
// it is not sealed.
LINKSPAN_DECL std::string suspended_requests::suspend(served_request_pointer request)
{
    if (!is_waiting_ && !requests_.empty()) // also if there are too many requests, so that they expire
        wait(requests_.begin()->second.deadline);
    if (requests_.size() >= max_requests_)
        return {};
    auto place = accounts_.take(request->account());
    if (!place)
        return {};
    auto sealed = "k" + seal_payload(*request, "k" + instance_ + std::to_string(last_ + 1));
    auto const key = last_ + 1;
    requests_.emplace(key, entry{std::move(request), time_.after(timeout_), std::move(place)});
    try {
        if (!is_waiting_)
            wait(requests_.begin()->second.deadline);
    } catch (...) {
        requests_.erase(key);
        throw;
    }
    last_ = key;
    return sealed;
}

LINKSPAN_DECL std::string suspended_requests::seal(served_request const& request, std::string_view state,
                                                   std::string_view inputs)
{
    auto payload = "s" + std::to_string(inputs.size()) + ":";
    (payload += inputs) += state;
    return "s" + seal_payload(request, payload);
}

LINKSPAN_DECL std::optional<suspended_requests::opened> suspended_requests::open(served_request const& request,
                                                                                 std::string_view sealed)
{
    if (sealed.starts_with('k'))
        return open_suspended(request, sealed.substr(1));
    auto const account = request.account();
    request_seal::binding const of{request.method(), request.params(), request.from().from->principal, account};
    opened out;
    out.inputs.reserve(sealed.size()); // nothing throws after the state is marked as used
    std::string payload;
    if (!sealed.starts_with('s') ||
        seal_.open(of, sealed.substr(1), time_.wall_now(), payload) != request_seal::verdict::accepted ||
        !payload.starts_with('s'))
        return std::nullopt;
    auto const text = std::string_view(payload);
    auto const colon = text.find(':');
    auto const size = static_cast<std::size_t>(json_scan::integer(text.substr(1, colon - 1)).value_or(0));
    out.inputs.assign(text.substr(colon + 1, size));
    payload.erase(0, colon + 1 + out.inputs.size());
    out.state = std::move(payload);
    return out;
}

// The state is verified and not marked as used: it becomes invalid when remove() or send_outcome() removes the entry.
LINKSPAN_DECL std::optional<suspended_requests::opened>
suspended_requests::open_suspended(served_request const& request, std::string_view sealed)
{
    request_seal::binding const of{request.method(), request.params(), request.from().from->principal};
    std::string payload;
    auto const prefix = "k" + instance_;
    if (seal_.verify(of, sealed, time_.wall_now(), payload) != request_seal::verdict::accepted ||
        !payload.starts_with(prefix))
        return std::nullopt;
    auto const key = json_scan::integer(std::string_view(payload).substr(prefix.size())).value_or(0);
    auto const found = requests_.find(static_cast<std::uint64_t>(key));
    if (found == requests_.end())
        return std::nullopt;
    opened out;
    out.request = found->second.request;
    out.key = found->first;
    out.has_outcome = static_cast<bool>(found->second.outcome);
    return out;
}

LINKSPAN_DECL void suspended_requests::send_outcome(std::uint64_t key, served_request& to)
{
    auto outcome = std::move(requests_.at(key).outcome); // a function of the program may remove the entry
    try {
        outcome(to);
    } catch (...) {
        if (auto const found = requests_.find(key); found != requests_.end())
            found->second.outcome = std::move(outcome);
        throw;
    }
    remove(key);
}

LINKSPAN_DECL void suspended_requests::remove(std::uint64_t key)
{
    requests_.erase(key);
    end_wait();
}

LINKSPAN_DECL void suspended_requests::keep_outcome(served_request const& request,
                                                    served_request::outcome_function outcome)
{
    for (auto& [key, each] : requests_)
        if (each.request.get() == &request)
            each.outcome = std::move(outcome);
}

LINKSPAN_DECL void suspended_requests::forget(served_request const& request)
{
    std::erase_if(requests_, [&](auto const& each) { return each.second.request.get() == &request; });
    end_wait();
}

LINKSPAN_DECL void suspended_requests::cancel_of(served_client const& client)
{
    for (auto each = requests_.begin(); each != requests_.end();) {
        auto const [key, request] = std::pair(each->first, each->second.request);
        if (request->from().client.lock().get() == &client) {
            requests_.erase(each);
            request->cancel(); // calls a function of the program, which may remove other requests
        }
        each = requests_.upper_bound(key);
    }
    end_wait();
}

LINKSPAN_DECL void suspended_requests::clear()
{
    while (!requests_.empty()) {
        auto const first = requests_.extract(requests_.begin());
        first.mapped().request->cancel(); // calls a function of the program, which may remove other requests
    }
    end_wait();
}

LINKSPAN_DECL void suspended_requests::wait(time_point until)
{
    auto& waits = timer_.in_background(executor_);
    waits.expires_at(until);
    start_wait(waits, [self = weak_from_this()](error_code ec) {
        if (auto const alive = self.lock(); alive && !ec)
            alive->on_wait_over();
    });
    is_waiting_ = true;
}

// Cancels the wait if no request is stored, so that `io_context::run` can return.
LINKSPAN_DECL void suspended_requests::end_wait()
{
    if (requests_.empty()) {
        timer_.cancel();
        is_waiting_ = false;
    }
}

// If the memory is not sufficient, the same step is repeated after a pause, so that each request expires. If it is not
// sufficient for this wait either, the next suspend() starts a wait.
LINKSPAN_DECL void suspended_requests::on_wait_over()
{
    is_waiting_ = false;
    try {
        expire();
        if (!requests_.empty())
            wait(requests_.begin()->second.deadline);
    } catch (std::bad_alloc const&) {
        constexpr auto pause = std::chrono::seconds(1);
        try {
            if (!requests_.empty())
                wait(time_.after(pause));
        } catch (std::bad_alloc const&) { // the next suspend() starts a wait
        }
    }
}

// A request remains in the table until the last step that can fail.
LINKSPAN_DECL void suspended_requests::expire()
{
    while (!requests_.empty() && requests_.begin()->second.deadline <= time_.now()) {
        auto const [key, request] = std::pair(requests_.begin()->first, requests_.begin()->second.request);
        request->expire();
        requests_.erase(key); // only a request with an outcome is still stored; `expire()` has removed all others
    }
}

} // namespace linkspan::detail

#endif
