#ifndef LINKSPAN_CORE_DETAIL_SHARED_REDACTOR_HPP
#define LINKSPAN_CORE_DETAIL_SHARED_REDACTOR_HPP

#include <linkspan/core/redact.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Redactor with the secrets of all servers of a connector, which results use to redact their messages.
//
// Results are read on the executors of the callers. Thread safety: all functions may be called from any thread.
class shared_redactor {
public:
    void add(redactor const& secrets)
    {
        std::lock_guard const lock(mutex_);
        auto all = std::make_shared<redactor>(*secrets_);
        all->add(secrets);
        secrets_ = std::move(all);
    }

    std::string operator()(std::string_view text) const { return (*now())(text); }

private:
    std::shared_ptr<redactor const> now() const
    {
        std::lock_guard const lock(mutex_);
        return secrets_;
    }

    mutable std::mutex mutex_; // guards the pointer; the redactor is immutable
    std::shared_ptr<redactor const> secrets_ = std::make_shared<redactor>(); // never null; replaced by add()
};

} // namespace linkspan::detail

#endif
