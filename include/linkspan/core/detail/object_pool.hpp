#ifndef LINKSPAN_CORE_DETAIL_OBJECT_POOL_HPP
#define LINKSPAN_CORE_DETAIL_OBJECT_POOL_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Objects that are reused with their memory, so that an operation does not allocate an object.
//
// Invariants: an object is unused, or it was acquired and not released. The pool never destroys an object before its
// own end, so that pointers to objects stay valid as long as the pool.
//
// Thread safety: unsafe.
template<class Object>
class object_pool {
public:
    // Returns an unused object, which is the caller's until release(); makes one if there is none. Throws
    // `std::bad_alloc` without an effect.
    Object& acquire()
    {
        if (free_.empty()) {
            free_.reserve(all_.size() + 1); // so that release() does not allocate memory
            free_.push_back(all_.emplace_back(std::make_unique<Object>()).get());
        }
        auto& object = *free_.back();
        free_.pop_back();
        return object;
    }

    // Takes an object back.
    void release(Object& object) noexcept { free_.push_back(&object); }

private:
    std::vector<std::unique_ptr<Object>> all_; // all objects; added by acquire(), never removed
    std::vector<Object*> free_;                // unused elements of `all_`; changed by acquire() and release()
};

} // namespace linkspan::detail

#endif
