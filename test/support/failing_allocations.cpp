// Replaces the global allocation functions by functions that can fail on request. Requires a file of its own: g++ 12
// reports a mismatch if it inlines these operators into a coroutine frame.

#include "failing_allocations.hpp"

#include <cstdlib>
#include <limits>

namespace {

constexpr auto never = std::numeric_limits<std::size_t>::max();

// Number of the allocations of this thread before the one that fails; `never` if none fails or the failure has
// happened.
thread_local std::size_t remaining = never;

// Returns null if the allocation fails.
void* try_allocate(std::size_t size) noexcept
{
    if (remaining != never && remaining-- == 0)
        return nullptr;
    return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size)
{
    if (auto* const memory = try_allocate(size))
        return memory;
    throw std::bad_alloc();
}

} // namespace

linkspan::test::failing_allocation::failing_allocation(std::size_t number) noexcept { remaining = number; }

linkspan::test::failing_allocation::~failing_allocation() { remaining = never; }

// The failure has decremented 0, which results in `never`.
bool linkspan::test::failing_allocation::has_failed() const noexcept { return remaining == never; }

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return try_allocate(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return try_allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
