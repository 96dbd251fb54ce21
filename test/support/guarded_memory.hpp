#ifndef LINKSPAN_TEST_SUPPORT_GUARDED_MEMORY_HPP
#define LINKSPAN_TEST_SUPPORT_GUARDED_MEMORY_HPP

// Memory whose last byte precedes a page that cannot be read: a read beyond the end of a text in this memory
// causes a signal.

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace support {

class guarded_memory {
public:
    /// Copies a text to the end of the memory. The view is valid until the next call.
    std::string_view operator()(std::string_view text) const
    {
        auto* const begin = pages_ + size_ - text.size();
        std::memcpy(begin, text.data(), text.size());
        return {begin, text.size()};
    }

    guarded_memory()
    {
        auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        size_ = 4 * page;
        auto* const mapped = ::mmap(nullptr, size_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED || ::mprotect(static_cast<char*>(mapped) + size_, page, PROT_NONE) != 0)
            throw std::bad_alloc();
        pages_ = static_cast<char*>(mapped);
        mapped_ = size_ + page;
    }

    ~guarded_memory() { ::munmap(pages_, mapped_); }

    guarded_memory(guarded_memory const&) = delete;
    guarded_memory& operator=(guarded_memory const&) = delete;

private:
    char* pages_ = nullptr;  // first readable page
    std::size_t size_ = 0;   // size of the readable pages, in bytes
    std::size_t mapped_ = 0; // size_ and the page that cannot be read
};

} // namespace support

#endif
