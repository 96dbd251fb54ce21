#ifndef LINKSPAN_PROTOCOL_PRINCIPAL_QUOTA_HPP
#define LINKSPAN_PROTOCOL_PRINCIPAL_QUOTA_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Counts the objects of each principal, so that one principal cannot use up a limit over all clients.
///
/// \par Thread safety
/// Distinct objects: safe. The same object, with its places: unsafe.
class principal_quota {
public:
    /// Place of one object of a principal, which is free again after its last copy is destroyed. Null: none.
    using place = std::shared_ptr<void>;

    /// \param max_each Maximum number of objects of a principal.
    explicit principal_quota(std::size_t max_each) : max_each_(max_each) {}

    /// Takes a place.
    ///
    /// \param principal The principal; empty: an anonymous client, for which there is no maximum.
    /// \returns The place, which may outlive this object; null: the principal has the maximum number of objects.
    /// \throws std::bad_alloc
    place take(std::string_view principal)
    {
        if (principal.empty())
            return counts_;
        if (count(principal) >= max_each_)
            return nullptr;
        auto const at = counts_->try_emplace(std::string(principal)).first;
        ++at->second;
        // Invoked also if the construction of the place throws.
        auto const release = [counts = counts_, at](void*) noexcept {
            if (--at->second == 0)
                counts->erase(at);
        };
        return place(&at->second, release);
    }

    /// Returns the number of objects of a principal.
    std::size_t count(std::string_view principal) const noexcept
    {
        auto const found = counts_->find(principal);
        return found == counts_->end() ? 0 : found->second;
    }

private:
    using counts = std::map<std::string, std::size_t, std::less<>>;

    std::size_t max_each_;                                        // set by the constructor
    std::shared_ptr<counts> counts_ = std::make_shared<counts>(); // positive; shared with the places
};

} // namespace linkspan

#endif
