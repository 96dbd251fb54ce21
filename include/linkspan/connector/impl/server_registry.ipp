#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_REGISTRY_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_REGISTRY_IPP

#include <linkspan/connector/detail/server_registry.hpp>
#include <linkspan/core/similar_names.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void server_registry::register_server(pointer server) { by_id_.push_back(std::move(server)); }

LINKSPAN_DECL void server_registry::add(pointer const& server)
{
    by_key_.emplace(server->key, server);
    order_.push_back(server);
    publish();
}

LINKSPAN_DECL void server_registry::replace(pointer const& old, pointer const& server)
{
    // The key in the map is a view of `old->key`.
    by_key_.erase(server->key);
    by_key_.emplace(server->key, server);
    std::ranges::replace(order_, old, server);
    publish();
    discard(old);
}

LINKSPAN_DECL void server_registry::remove(pointer const& server)
{
    by_key_.erase(server->key);
    std::erase(order_, server);
    publish();
    discard(server);
}

LINKSPAN_DECL void server_registry::discard(pointer const& server)
{
    by_id_[static_cast<std::size_t>(server->id)].reset();
    removed_.push_back(server);
}

LINKSPAN_DECL server_registry::pointer server_registry::find(std::string_view key) const
{
    auto const found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
}

LINKSPAN_DECL std::vector<std::string> server_registry::keys() const
{
    std::vector<std::string> out;
    for (auto const& server : order_)
        out.push_back(server->key);
    return out;
}

LINKSPAN_DECL std::vector<std::string> server_registry::suggestions(std::string_view key) const
{
    return similar_names(key, keys(), 3);
}

LINKSPAN_DECL std::vector<std::shared_ptr<published_server>> server_registry::published() const
{
    std::lock_guard const lock(mutex_);
    return shared_;
}

LINKSPAN_DECL void server_registry::publish()
{
    std::vector<std::shared_ptr<published_server>> all;
    for (auto const& server : order_)
        all.push_back(server->published);
    std::lock_guard const lock(mutex_);
    shared_.swap(all);
}

} // namespace linkspan::detail

#endif
