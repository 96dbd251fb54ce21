#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_EPOCH_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_EPOCH_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the openings and closes of a connector, so that an operation detects those that took place since its start.
// Also numbers the operations.
//
// Invariant: the counts never decrease, so that each event after now() distinguishes them from the returned mark.
class connector_epoch {
public:
    // Counts at the start of an operation.
    struct mark {
        std::uint32_t openings;
        std::uint32_t closes;
    };

    mark now() const noexcept { return {openings_, closes_}; }

    // Event: an operation opens servers.
    void on_opening() noexcept
    {
        is_closed_ = false;
        ++openings_;
    }

    // Event: the user closes the connector; operations in progress are aborted.
    void on_close() noexcept { ++closes_; }

    // Event: all servers were closed, by close() or by the completion of a shutdown.
    void on_ended() noexcept { is_closed_ = true; }

    // Returns whether calls fail because the connector is closed.
    bool is_closed() const noexcept { return is_closed_; }

    // Return whether servers were opened, or the connector was closed by its user, after now() returned the mark.
    bool was_opened_since(mark then) const noexcept { return openings_ != then.openings; }
    bool was_closed_since(mark then) const noexcept { return closes_ != then.closes; }

    // Returns the number of a new operation, never 0.
    std::uint64_t next_operation() noexcept { return ++operations_; }

private:
    std::uint32_t openings_ = 0;   // incremented by on_opening()
    std::uint32_t closes_ = 0;     // incremented by on_close()
    bool is_closed_ = false;       // set by on_ended(), cleared by on_opening()
    std::uint64_t operations_ = 0; // incremented by next_operation(), never reset
};

} // namespace linkspan::detail

#endif
