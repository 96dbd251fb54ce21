#ifndef LINKSPAN_DETAIL_SHARED_REDACTOR_HPP
#define LINKSPAN_DETAIL_SHARED_REDACTOR_HPP

#include <linkspan/redact.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace linkspan::detail {

// The secrets of all servers of a connector, for what is said of its results where they are read: on the executor of
// whoever called. Any thread.
class shared_redactor {
public:
    void add(redactor const& secrets)
    {
        std::lock_guard const lock(mutex_);
        secrets_.add(secrets);
    }

    std::string operator()(std::string_view text) const
    {
        std::lock_guard const lock(mutex_);
        return secrets_(text);
    }

private:
    mutable std::mutex mutex_;
    redactor secrets_;
};

} // namespace linkspan::detail

#endif
