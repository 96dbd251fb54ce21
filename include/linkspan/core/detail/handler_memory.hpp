#ifndef LINKSPAN_CORE_DETAIL_HANDLER_MEMORY_HPP
#define LINKSPAN_CORE_DETAIL_HANDLER_MEMORY_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <new>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Memory for the handler of an operation of which at most one is outstanding at a time. Large handlers, and handlers
// that are created while the memory is in use, are allocated. The recycling allocator of Asio does not replace this
// class, because it caches only two blocks per thread.
//
// The handler has to own the object that contains the memory: `pending_handler` frees the memory before it invokes or
// destroys the handler.
class handler_memory {
public:
    handler_memory() = default;
    handler_memory(handler_memory const&) = delete;
    handler_memory& operator=(handler_memory const&) = delete;

    void* allocate(std::size_t size)
    {
        if (is_used_ || size > sizeof(memory_))
            return ::operator new(size);
        is_used_ = true;
        return memory_;
    }

    void deallocate(void* at) noexcept
    {
        if (at == memory_)
            is_used_ = false;
        else
            ::operator delete(at);
    }

private:
    static constexpr std::size_t capacity = 160;

    alignas(std::max_align_t) std::byte memory_[capacity];
    bool is_used_ = false; // set by allocate(), cleared by deallocate()
};

// Allocator of a handler whose memory is a `handler_memory`, for `boost::asio::bind_allocator`.
template<class T>
class handler_allocator {
public:
    using value_type = T;

    explicit handler_allocator(handler_memory& memory) noexcept : memory_(&memory) {}

    template<class U>
    handler_allocator(handler_allocator<U> const& other) noexcept : memory_(other.memory_)
    {}

    T* allocate(std::size_t count) { return static_cast<T*>(memory_->allocate(count * sizeof(T))); }
    void deallocate(T* at, std::size_t) noexcept { memory_->deallocate(at); }

    template<class U>
    bool operator==(handler_allocator<U> const& other) const noexcept
    {
        return memory_ == other.memory_;
    }

private:
    template<class U>
    friend class handler_allocator;

    handler_memory* memory_; // set by the constructor
};

} // namespace linkspan::detail

#endif
