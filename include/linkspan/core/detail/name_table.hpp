#ifndef LINKSPAN_CORE_DETAIL_NAME_TABLE_HPP
#define LINKSPAN_CORE_DETAIL_NAME_TABLE_HPP

#include <linkspan/core/detail/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Hash table from names to numbers. The table does not contain the names: the caller passes a function
// that returns the name of a number. An element needs 8 bytes, so that the table of 100,000 names fits into a cache.
//
// Invariants: the number of elements does not exceed the argument of reserve(), which is called once. A table without
// reserve() is empty.
class name_table {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Returns the hash of a name, for the other functions.
    static std::uint64_t hash_of(std::string_view name) noexcept { return std::hash<std::string_view>()(name); }

    // Allocates memory for `count` elements and at least one free slot, which ends each search. The operating system
    // clears the memory when it is first used.
    void reserve(std::size_t count)
    {
        if (count == 0)
            return;
        auto const capacity = std::bit_ceil(count + count / 2 + 1);
        slots_.reset(static_cast<slot*>(std::calloc(capacity, sizeof(slot))));
        if (!slots_)
            throw std::bad_alloc();
        mask_ = capacity - 1;
    }

    // Returns the number of a name; `none`: the name is unknown.
    template<class NameOf>
    std::uint32_t find(std::string_view name, std::uint64_t hash, NameOf const& name_of) const
    {
        auto const* const found = search(name, hash, name_of);
        return found && found->value != 0 ? found->value - 1 : none;
    }

    // Adds a name with a number, unless it is known. Returns the previous number; `none`: the name was added.
    template<class NameOf>
    std::uint32_t add(std::string_view name, std::uint64_t hash, std::uint32_t number, NameOf const& name_of)
    {
        auto* const found = search(name, hash, name_of);
        if (found->value != 0)
            return found->value - 1;
        *found = {tag_of(hash), number + 1};
        ++size_;
        return none;
    }

    // Replaces the number of a name. Precondition: the name is known.
    template<class NameOf>
    void replace(std::string_view name, std::uint64_t hash, std::uint32_t number, NameOf const& name_of)
    {
        search(name, hash, name_of)->value = number + 1;
    }

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }

    // Calls `function(number)` for each element.
    template<class Function>
    void for_each(Function function) const
    {
        for (std::size_t i = 0; slots_ && i <= mask_; ++i)
            if (slots_[i].value != 0)
                function(slots_[i].value - 1);
    }

private:
    struct slot {
        std::uint32_t tag;   // part of the hash
        std::uint32_t value; // number plus 1; 0: the slot is free
    };
    struct release {
        void operator()(slot* slots) const noexcept { std::free(slots); }
    };

    static std::uint32_t tag_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32); }

    // Returns the slot of the name, or the free slot for it; null if there are no slots.
    template<class NameOf>
    slot* search(std::string_view name, std::uint64_t hash, NameOf const& name_of) const
    {
        if (!slots_)
            return nullptr;
        for (auto i = static_cast<std::size_t>(hash);; ++i) {
            auto& one = slots_[i & mask_];
            if (one.value == 0 || (one.tag == tag_of(hash) && name_of(one.value - 1) == name))
                return &one;
        }
    }

    std::unique_ptr<slot[], release> slots_; // set by reserve()
    std::size_t mask_ = 0;                   // number of slots minus 1; set by reserve()
    std::size_t size_ = 0;                   // incremented by add()
};

} // namespace linkspan::detail

#endif
