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
    // Returns an unused object, which the caller may use until release(). Creates an object if none is unused. If
    // `std::bad_alloc` is thrown, the pool is unchanged.
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

    // Returns an acquired object to the pool.
    void release(Object& object) noexcept { free_.push_back(&object); }

    // Returns all objects, used and unused.
    std::vector<std::unique_ptr<Object>> const& all() const noexcept { return all_; }

private:
    std::vector<std::unique_ptr<Object>> all_; // all objects; added by acquire(), never removed
    std::vector<Object*> free_;                // unused elements of `all_`; changed by acquire() and release()
};

} // namespace linkspan::detail

#endif
