// Replaces the global allocation functions, and the one of Asio, by functions that can fail on request. Requires a file of its own: g++ 12
// reports a mismatch if it inlines these operators into a coroutine frame.

#include "failing_allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace {

constexpr auto never = std::numeric_limits<std::size_t>::max();

// Number of the allocations of this thread before the one that fails; `never` if none fails.
thread_local std::size_t remaining = never;
thread_local auto which = linkspan::test::failing::one;
thread_local bool failed = false; // an allocation has failed

// Returns whether the current allocation fails.
bool fails() noexcept
{
    if (remaining == never)
        return false;
    if (remaining != 0) {
        --remaining;
        return false;
    }
    failed = true;
    if (which != linkspan::test::failing::all_later)
        remaining = never;
    return true;
}

// Returns null if the allocation fails.
void* try_allocate(std::size_t size) noexcept
{
    if (fails())
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

linkspan::test::failing_allocation::failing_allocation(std::size_t number, failing what) noexcept
{
    failed = false;
    which = what;
    remaining = number;
}

linkspan::test::failing_allocation::~failing_allocation() { remaining = never; }

bool linkspan::test::failing_allocation::has_failed() const noexcept { return failed; }

// Asio allocates handlers by this function.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    if (which != linkspan::test::failing::one && fails())
        return nullptr;
    void* out = nullptr;
    return posix_memalign(&out, std::max(alignment, sizeof(void*)), size) == 0 ? out : nullptr;
}

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
