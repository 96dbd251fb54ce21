#ifndef LINKSPAN_SERVER_IMPL_SUSPENDED_REQUESTS_IPP
#define LINKSPAN_SERVER_IMPL_SUSPENDED_REQUESTS_IPP

#include <linkspan/core/detail/secure_random.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/server/detail/suspended_requests.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

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

// The state of a suspended handler is "k" and the sealed text of this instance and a number: another instance, and this
// server after a restart, must not find another request under the number. The state of a handler that runs again is "s"
// and the sealed text of the inputs, with their size, and the state.
LINKSPAN_DECL std::string suspended_requests::suspend(served_request_pointer request)
{
    if (requests_.size() >= max_requests_)
        return {};
    auto place = accounts_.take(request->account());
    if (!place)
        return {};
    auto sealed = "k" + seal_payload(*request, "k" + instance_ + std::to_string(last_ + 1));
    requests_.emplace(++last_, entry{std::move(request), time_.after(timeout_), std::move(place)});
    if (requests_.size() == 1)
        wait();
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
    std::string payload;
    if (!sealed.starts_with('s') ||
        seal_.open(of, sealed.substr(1), time_.wall_now(), payload) != request_seal::verdict::accepted ||
        !payload.starts_with('s'))
        return std::nullopt;
    auto const text = std::string_view(payload);
    auto const colon = text.find(':');
    auto const size = static_cast<std::size_t>(json_scan::integer(text.substr(1, colon - 1)).value_or(0));
    opened out;
    out.inputs = text.substr(colon + 1, size);
    out.state = text.substr(colon + 1 + size);
    return out;
}

// The removal of the entry makes the state usable once.
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
    out.request = std::move(found->second.request);
    out.outcome = std::move(found->second.outcome);
    requests_.erase(found);
    end_wait();
    return out;
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
    std::vector<served_request_pointer> cancelled;
    for (auto each = requests_.begin(); each != requests_.end();)
        if (each->second.request->from().client.lock().get() == &client) {
            cancelled.push_back(std::move(each->second.request));
            each = requests_.erase(each);
        } else {
            ++each;
        }
    end_wait();
    for (auto const& request : cancelled)
        request->cancel();
}

LINKSPAN_DECL void suspended_requests::clear()
{
    for (auto const& [key, each] : std::exchange(requests_, {}))
        each.request->cancel();
    timer_.cancel();
}

LINKSPAN_DECL void suspended_requests::wait()
{
    auto& waits = timer_.in_background(executor_);
    waits.expires_at(requests_.begin()->second.deadline);
    start_wait(waits, [self = weak_from_this()](error_code ec) {
        if (auto const alive = self.lock(); alive && !ec)
            alive->expire();
    });
}

// A program without other work ends when its event loop has no wait any more.
LINKSPAN_DECL void suspended_requests::end_wait()
{
    if (requests_.empty())
        timer_.cancel();
}

LINKSPAN_DECL void suspended_requests::expire()
{
    std::vector<served_request_pointer> expired;
    while (!requests_.empty() && requests_.begin()->second.deadline <= time_.now()) {
        expired.push_back(std::move(requests_.begin()->second.request));
        requests_.erase(requests_.begin());
    }
    if (!requests_.empty())
        wait();
    for (auto const& request : expired)
        request->expire();
}

} // namespace linkspan::detail

#endif
