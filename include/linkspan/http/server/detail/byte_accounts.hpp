#ifndef LINKSPAN_HTTP_SERVER_DETAIL_BYTE_ACCOUNTS_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_BYTE_ACCOUNTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <map>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The bytes of each owner, such as an address, while the owner has a share of a budget.
class byte_accounts {
    struct entry {
        std::size_t shares = 0, bytes = 0;
    };
    using table = std::map<std::string, entry>;

public:
    using account = table::iterator;

    // Returns the account of shares that have no owner, and whose bytes are not counted.
    account none() noexcept { return table_.end(); }

    account open(std::string const& owner)
    {
        auto const at = table_.try_emplace(owner).first;
        ++at->second.shares;
        return at;
    }

    // Adds to the bytes of an account, also the difference of two numbers of bytes. Has no effect for none().
    void add(account of, std::size_t bytes) noexcept
    {
        if (of != table_.end())
            of->second.bytes += bytes;
    }

    // Closes an account without bytes of the share. Has no effect for none().
    void close(account of) noexcept
    {
        if (of != table_.end() && --of->second.shares == 0)
            table_.erase(of);
    }

    // Returns the bytes of an owner.
    std::size_t bytes_of(std::string const& owner) const noexcept
    {
        auto const found = table_.find(owner);
        return found == table_.end() ? 0 : found->second.bytes;
    }

    // Returns the number of owners.
    std::size_t size() const noexcept { return table_.size(); }

private:
    table table_; // by owner; added by open(), removed by close()
};

} // namespace linkspan::detail

#endif
