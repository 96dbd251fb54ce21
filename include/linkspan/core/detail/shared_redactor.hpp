#ifndef LINKSPAN_CORE_DETAIL_SHARED_REDACTOR_HPP
#define LINKSPAN_CORE_DETAIL_SHARED_REDACTOR_HPP

#include <linkspan/core/redact.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::detail {

// The secrets in the options of all servers of a connector, for what is said of its results where they are read: on the
// executor of whoever called. Any thread.
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

    mutable std::mutex mutex_;
    std::shared_ptr<redactor const> secrets_ = std::make_shared<redactor>();
};

} // namespace linkspan::detail

#endif
