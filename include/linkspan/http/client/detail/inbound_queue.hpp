#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_INBOUND_QUEUE_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_INBOUND_QUEUE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/transport/concept.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Messages, reports and notices of one transport over HTTP that wait for a receive, and those of the last receive. The
// class owns the texts to which the batches refer, and performs no I/O.
//
// Invariants:
// 1. The views of an item in `batch_` refer to an element of `delivered_`, which does not change until `release`.
// 2. The parsed structure of a message is kept only if its views refer to memory that does not move with the item.
//
// Exception safety: if a function throws `std::bad_alloc`, the items that wait are unchanged.
class inbound_queue {
public:
    // Messages of at least this size are passed to the receiver without a copy.
    static constexpr std::size_t large_message = std::size_t{64} << 10;

    // Adds a message. `structure`, `elements`: structures of `text`, with views of it. `of`: request whose exchange
    // delivered the message; 0: none.
    LINKSPAN_DECL void add_message(std::string&& text, envelope const& structure, request_id of,
                                   certainty max_certainty, std::vector<envelope> elements = {});

    // Adds a report; `first_bytes` and `challenge` replace its views.
    LINKSPAN_DECL void add_report(inbound_report const& report, std::string first_bytes, std::string challenge);

    // Adds a notice; `text` replaces its view.
    LINKSPAN_DECL void add_notice(inbound_notice const& notice, std::string text);

    // Returns whether a delivery has to be scheduled, because none is. `begin_delivery` follows when it runs.
    [[nodiscard]] bool schedule_delivery() noexcept { return !std::exchange(is_scheduled_, true); }
    void begin_delivery() noexcept { is_scheduled_ = false; }

    // Returns whether no item waits.
    bool empty() const noexcept { return ready_.empty(); }

    // Returns all items that wait, as one batch. The batch is valid until `release` or the next `take`.
    LINKSPAN_DECL std::span<inbound const> take();

    // Frees the items of the last batch.
    void release() noexcept
    {
        batch_.clear();
        delivered_.clear();
    }

private:
    // The views of `what` are set when the item is delivered.
    struct item {
        inbound what;
        std::string text;                  // bytes of a small message, first bytes of a report, or text of a notice
        std::string challenge;             // `WWW-Authenticate` of a report
        std::shared_ptr<void const> owner; // owns the bytes of a large message; null: `text` has the bytes
        std::string_view large;            // bytes of a large message
        std::optional<envelope> structure; // structure of a message, with views of its bytes; empty: not known
        std::vector<envelope> elements;    // of the first elements of a JSON-RPC batch; empty if `structure` is
    };

    std::vector<item> ready_;     // items that wait; added by `add_...`, moved by `take`
    std::vector<item> delivered_; // items of the last batch; cleared by `release`
    std::vector<inbound> batch_;  // views of `delivered_`; replaced by `take`
    bool is_scheduled_ = false;   // set by `schedule_delivery`, cleared by `begin_delivery`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/inbound_queue.ipp>
#endif

#endif
