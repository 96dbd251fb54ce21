#ifndef LINKSPAN_CONNECTOR_IMPL_RETIRED_CATALOGS_IPP
#define LINKSPAN_CONNECTOR_IMPL_RETIRED_CATALOGS_IPP

#include <linkspan/connector/detail/retired_catalogs.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL retired_catalogs::pointers
retired_catalogs::share(std::shared_ptr<retired_catalogs> const& self, catalog&& made, std::size_t max_entries)
{
    if (made.tools().size() <= max_entries) {
        auto const small = std::make_shared<catalog const>(std::move(made));
        return {small, small};
    }
    // `self` is owned by both pointers, because users may keep a catalog longer than the connector.
    std::shared_ptr<catalog const> const for_users(new catalog(std::move(made)), [self](catalog const* released) {
        self->on_last_release(const_cast<catalog*>(released));
    });
    auto retire = [self, for_users](catalog const*) mutable { self->retire(std::move(for_users)); };
    return {for_users, {for_users.get(), std::move(retire)}};
}

LINKSPAN_DECL void retired_catalogs::retire(std::shared_ptr<catalog const> retired) noexcept
{
    if (!on_retired_)
        return;
    try {
        waiting_.push_back(std::move(retired));
        on_retired_();
    } catch (...) { // no memory: the catalog is destroyed here, or by the next step
    }
}

LINKSPAN_DECL void retired_catalogs::close() noexcept
{
    on_retired_ = nullptr;
    auto const released = std::move(waiting_);
    waiting_.clear();
    current_.reset();
}

// The deleter of the pointers for users, on the thread that releases the last one.
LINKSPAN_DECL void retired_catalogs::on_last_release(catalog* released) noexcept
{
    std::unique_ptr<catalog> owned(released);
    if (releasing_.load(std::memory_order_relaxed) == std::this_thread::get_id())
        current_ = std::move(owned);
}

LINKSPAN_DECL bool retired_catalogs::step(std::size_t max_entries)
{
    if (!current_ && !waiting_.empty()) {
        auto released = std::move(waiting_.back());
        waiting_.pop_back();
        releasing_.store(std::this_thread::get_id(), std::memory_order_relaxed);
        released.reset(); // sets `current_` if there is no other pointer
        releasing_.store({}, std::memory_order_relaxed);
    }
    if (current_) {
        auto& entries = current_->entries_;
        auto const count = static_cast<std::ptrdiff_t>(std::min(entries.size(), max_entries));
        entries.erase(entries.end() - count, entries.end());
        if (entries.empty())
            current_.reset();
    }
    return !current_ && waiting_.empty();
}

} // namespace linkspan::detail

#endif
