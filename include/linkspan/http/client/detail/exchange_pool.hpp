#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_EXCHANGE_POOL_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_EXCHANGE_POOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/client/detail/transport_exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Ended exchanges of a transport, which are reused with their memory, so that a request does not allocate.
//
// The HTTP client, and the handlers of its operations, may keep a reference to an exchange for some time after its end.
//
// Invariant: `acquire` returns an exchange only if the pool has its only reference.
class exchange_pool {
public:
    using pointer = std::shared_ptr<transport_exchange>;

    // Maximum number of exchanges that are kept.
    static constexpr std::size_t max_kept = 64;

    // Called when the transport releases an ended exchange, which is dropped if it has much memory. No weak reference
    // to the exchange may exist.
    void release(pointer ended)
    {
        if (ended_.size() != max_kept && !ended->is_large())
            ended_.push_back(std::move(ended));
    }

    // Returns an exchange that is not in use; null: there is none.
    pointer acquire() noexcept
    {
        auto const found =
            std::find_if(ended_.rbegin(), ended_.rend(), [](auto const& each) { return each.use_count() == 1; });
        if (found == ended_.rend())
            return nullptr;
        std::swap(*found, ended_.back());
        auto out = std::move(ended_.back());
        ended_.pop_back();
        return out;
    }

    void clear() noexcept { ended_.clear(); }

private:
    std::vector<pointer> ended_; // added by `release`, removed by `acquire` and `clear`
};

} // namespace linkspan::detail

#endif
