// Counts allocations. Requires a file of its own: g++ 12 reports a mismatch if it inlines these operators into a
// coroutine frame.

#include <atomic>
#include <cstdlib>
#include <new>

#include "measure.hpp"

namespace {

std::atomic<std::size_t> count{0};

void* allocate(std::size_t size)
{
    count.fetch_add(1, std::memory_order_relaxed);
    if (auto* const memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    throw std::bad_alloc();
}

} // namespace

// Asio allocates handlers and frames with this function.
extern "C" void* __real_aligned_alloc(std::size_t alignment, std::size_t size);

extern "C" void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size)
{
    count.fetch_add(1, std::memory_order_relaxed);
    return __real_aligned_alloc(alignment, size);
}

std::size_t bench::allocations() noexcept { return count.load(std::memory_order_relaxed); }

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
