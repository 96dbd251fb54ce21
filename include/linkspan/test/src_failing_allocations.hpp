#ifndef LINKSPAN_TEST_SRC_FAILING_ALLOCATIONS_HPP
#define LINKSPAN_TEST_SRC_FAILING_ALLOCATIONS_HPP

// Replaces the global allocation functions, and the one of Asio, by functions that fail on request of
// <linkspan/test/fail_at_every_step.hpp>. A program includes this header in exactly one translation unit, with or
// without LINKSPAN_SEPARATE_COMPILATION. The unit contains nothing else: g++ 12 reports a mismatch if it inlines these
// operators into a coroutine frame.

#include <linkspan/test/fail_at_every_step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns null if the allocation fails.
inline void* try_allocate(std::size_t size) noexcept
{
    return step_fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

inline void* allocate(std::size_t size)
{
    if (auto* const memory = try_allocate(size))
        return memory;
    throw std::bad_alloc();
}

} // namespace linkspan::test::detail

// Asio allocates handlers by this function.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    if (linkspan::test::detail::steps_of_thread.which != linkspan::test::failing::one && linkspan::test::step_fails())
        return nullptr;
    void* out = nullptr;
    return posix_memalign(&out, std::max(alignment, sizeof(void*)), size) == 0 ? out : nullptr;
}

void* operator new(std::size_t size) { return linkspan::test::detail::allocate(size); }
void* operator new[](std::size_t size) { return linkspan::test::detail::allocate(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept
{
    return linkspan::test::detail::try_allocate(size);
}
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept
{
    return linkspan::test::detail::try_allocate(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { std::free(memory); }

#endif
