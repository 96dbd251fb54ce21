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

/// Returns the account of a client, under which it is limited. An account also identifies the principal.
///
/// \param principal Identity of the client; empty: anonymous.
/// \param address Address of the client, for anonymous clients; empty: not known.
/// \returns The account; empty: the client is anonymous, and its address is not known.
/// \throws std::bad_alloc
inline std::string client_account(std::string_view principal, std::string_view address = {})
{
    if (!principal.empty())
        return std::string("principal ").append(principal);
    return address.empty() ? std::string() : std::string("address ").append(address);
}

/// Counts the objects of each principal, or of each client under another name such as its account, so that one client
/// cannot use up a limit over all clients.
///
/// \par Thread safety
/// Distinct objects: safe. The same object, with its places: unsafe.
class principal_quota {
public:
    /// Place of one object of a principal. The place is free again after the last copy of the pointer is destroyed.
    /// Null: none.
    using place = std::shared_ptr<void>;

    /// Creates a quota of which no place is taken.
    ///
    /// \param max_each Maximum number of objects of a name.
    explicit principal_quota(std::size_t max_each) : max_each_(max_each) {}

    /// Takes a place.
    ///
    /// \param name The principal, or another name of the client; empty: not known, so that there is no maximum.
    /// \returns The place, which may outlive this object; null: the name has the maximum number of objects.
    /// \throws std::bad_alloc
    place take(std::string_view name)
    {
        if (name.empty())
            return counts_;
        if (count(name) >= max_each_)
            return nullptr;
        auto const at = counts_->try_emplace(std::string(name)).first;
        ++at->second;
        // Invoked also if the construction of the place throws.
        auto const release = [counts = counts_, at](void*) noexcept {
            if (--at->second == 0)
                counts->erase(at);
        };
        return place(&at->second, release);
    }

    /// Returns the number of objects of a name.
    std::size_t count(std::string_view name) const noexcept
    {
        auto const found = counts_->find(name);
        return found == counts_->end() ? 0 : found->second;
    }

private:
    using counts = std::map<std::string, std::size_t, std::less<>>;

    std::size_t max_each_;                                        // set by the constructor
    std::shared_ptr<counts> counts_ = std::make_shared<counts>(); // by name, not 0; shared with the places
};

} // namespace linkspan

#endif
