#ifndef LINKSPAN_CONNECTOR_IMPL_CATALOG_PUBLISHER_IPP
#define LINKSPAN_CONNECTOR_IMPL_CATALOG_PUBLISHER_IPP

#include <linkspan/connector/detail/catalog_publisher.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL catalog_publisher::catalog_publisher(std::size_t max_entries)
    : max_entries_(max_entries),
      published_(retired_catalogs::share(retired_, catalog(), max_entries)),
      shared_catalog_(published_.for_users)
{}

LINKSPAN_DECL catalog_publisher::~catalog_publisher() { retired_->close(); }

LINKSPAN_DECL std::shared_ptr<catalog const> catalog_publisher::copy() const
{
    std::lock_guard const lock(mutex_);
    return shared_catalog_;
}

LINKSPAN_DECL catalog::match const& catalog_publisher::find(std::string_view name)
{
    if (!last_match_ || last_name_ != name) {
        last_match_.reset(); // in case the copy of the name throws
        last_name_ = name;
        last_match_ = latest()->find(name);
    }
    return *last_match_;
}

LINKSPAN_DECL bool catalog_publisher::request() noexcept
{
    if (is_building()) {
        is_requested_ = true;
        return false;
    }
    return !std::exchange(is_posted_, true);
}

LINKSPAN_DECL void catalog_publisher::begin(std::vector<tool_snapshot> lists, bool is_only_server)
{
    auto const has_tools = [](tool_snapshot const& list) { return list && !list->empty(); };
    auto const servers = static_cast<std::size_t>(std::ranges::count_if(lists, has_tools));
    build_.emplace(std::move(lists), is_only_server);
    build_servers_ = servers;
    build_changes_ = changes_;
    is_requested_ = false;
}

LINKSPAN_DECL bool catalog_publisher::step()
{
    try {
        if (!build_->step(max_entries_))
            return false;
        publish(build_->take());
    } catch (...) {
        build_.reset();
        throw;
    }
    build_.reset();
    return true;
}

LINKSPAN_DECL void catalog_publisher::publish(catalog&& made)
{
    auto next = retired_catalogs::share(retired_, std::move(made), max_entries_);
    last_match_.reset();
    published_changes_ = build_changes_;
    servers_in_catalog_ = build_servers_;
    {
        std::lock_guard const lock(mutex_);
        shared_catalog_ = next.for_users;
    }
    published_ = std::move(next); // retires the previous catalog, which must not be shared any more
}

LINKSPAN_DECL std::function<void()> catalog_publisher::take_published() noexcept
{
    // The functions are in the order of their changes.
    return !waiting_.empty() && waiting_.front().changes <= published_changes_ ? take_waiting() : nullptr;
}

LINKSPAN_DECL std::function<void()> catalog_publisher::take_waiting() noexcept
{
    if (waiting_.empty())
        return nullptr;
    auto out = std::move(waiting_.front().done);
    waiting_.pop_front();
    return out;
}

} // namespace linkspan::detail

#endif
