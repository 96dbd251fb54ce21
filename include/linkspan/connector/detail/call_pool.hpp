#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_POOL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_POOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/object_pool.hpp>

#include <cstdint>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Call objects of a connector, which are reused, the number of started calls, and the list of paused calls.
//
// Invariant: a paused object is in use and is listed once.
//
// Thread safety: unsafe.
//
// `Operation`: base class of the objects, which is used for paused calls.
template<class Call, class Operation = Call>
class call_pool {
public:
    // Returns an unused object, which is the caller's until release(). Throws `std::bad_alloc` without an effect.
    Call& acquire() { return objects_.acquire(); }

    // Takes an object back.
    void release(Call& call) noexcept { objects_.release(call); }

    // Returns the objects of all calls, used and unused.
    object_pool<Call> const& objects() const noexcept { return objects_; }

    // Events: a call was started; a started call is complete.
    void on_started() noexcept { ++in_flight_; }
    void on_complete() noexcept { --in_flight_; }

    // Returns the number of started calls that are not complete.
    std::uint32_t in_flight() const noexcept { return in_flight_; }

    // Events: a call waits without a request in a session; its wait is over. on_resumed() has no effect on other calls.
    void on_paused(Operation& call) { paused_.push_back(&call); }
    void on_resumed(Operation& call) noexcept { std::erase(paused_, &call); }

    // Returns the call that was paused last; null if no call is paused.
    Operation* last_paused() const noexcept { return paused_.empty() ? nullptr : paused_.back(); }

private:
    object_pool<Call> objects_;      // unused calls: removed by acquire(), added by release()
    std::vector<Operation*> paused_; // added by on_paused(), erased by on_resumed()
    std::uint32_t in_flight_ = 0;    // incremented by on_started(), decremented by on_complete()
};

} // namespace linkspan::detail

#endif
