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

// Ended exchanges of a transport, which are reused with their memory, so that a request does not allocate memory.
//
// The HTTP client, and the handlers of its operations, may keep a reference to an exchange for some time after its end.
//
// Invariant: `acquire` returns an exchange only if the pool has its only reference.
class exchange_pool {
public:
    using pointer = std::shared_ptr<transport_exchange>;

    // Maximum number of exchanges that are kept.
    static constexpr std::size_t max_kept = 64;

    // Adds an ended exchange to the pool, unless the pool is full or the buffers of the exchange are large; see
    // transport_exchange::is_large(). Precondition: no weak reference to the exchange exists.
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
