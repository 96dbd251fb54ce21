#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_POOL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_POOL_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Call objects of a connector, which are reused with their memory, and the lists of those in use.
//
// Invariants: an object is unused, or it was acquired and not released. The pool never destroys an object before its
// own end, so that pointers to objects stay valid as long as the pool. A paused object is in use and is listed once.
//
// Thread safety: unsafe.
//
// `Operation`: base class of the objects, which is used for paused calls.
template<class Call, class Operation = Call>
class call_pool {
public:
    // Returns an unused object, which is the caller's until release(). Throws `std::bad_alloc` without an effect.
    Call& acquire()
    {
        if (free_.empty()) {
            free_.reserve(calls_.size() + 1); // so that release() does not allocate memory
            free_.push_back(calls_.emplace_back(std::make_unique<Call>()).get());
        }
        auto& call = *free_.back();
        free_.pop_back();
        return call;
    }

    // Takes an object back.
    void release(Call& call) noexcept { free_.push_back(&call); }

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
    std::vector<std::unique_ptr<Call>> calls_; // all objects; added by acquire(), never removed
    std::vector<Call*> free_;                  // unused elements of `calls_`; changed by acquire() and release()
    std::vector<Operation*> paused_;           // added by on_paused(), erased by on_resumed()
    std::uint32_t in_flight_ = 0;              // incremented by on_started(), decremented by on_complete()
};

} // namespace linkspan::detail

#endif
