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
    order_.push_back(server);
    try {
        auto states = published_states();
        by_key_.emplace(server->key, server);
        publish(states);
    } catch (...) {
        order_.pop_back();
        throw;
    }
}

LINKSPAN_DECL void server_registry::replace(pointer const& old, pointer const& server)
{
    auto states = published_states();
    std::ranges::replace(states, old->published, server->published);
    auto by_key = by_key_;
    by_key.erase(server->key); // the key in the map is a view of `old->key`
    by_key.emplace(server->key, server);
    discard(old);
    by_key_.swap(by_key);
    std::ranges::replace(order_, old, server);
    publish(states);
}

LINKSPAN_DECL void server_registry::remove(pointer const& server)
{
    auto states = published_states();
    std::erase(states, server->published);
    discard(server);
    by_key_.erase(server->key);
    std::erase(order_, server);
    publish(states);
}

LINKSPAN_DECL void server_registry::discard(pointer const& server)
{
    removed_.push_back(server);
    by_id_[static_cast<std::size_t>(server->id)].reset();
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

LINKSPAN_DECL server_registry::published_list server_registry::published_states() const
{
    published_list out;
    out.reserve(order_.size());
    for (auto const& server : order_)
        out.push_back(server->published);
    return out;
}

LINKSPAN_DECL void server_registry::publish(published_list& states)
{
    std::lock_guard const lock(mutex_);
    shared_.swap(states);
}

} // namespace linkspan::detail

#endif
