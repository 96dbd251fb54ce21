#ifndef LINKSPAN_CONNECTOR_IMPL_RESULT_STORE_IPP
#define LINKSPAN_CONNECTOR_IMPL_RESULT_STORE_IPP

#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/tool.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void result_store::limit(std::size_t max_bytes)
{
    max_bytes_ = max_bytes;
    make_room(0);
}

LINKSPAN_DECL call_result const* result_store::find(connection const& from, std::string_view uri, time_point now)
{
    auto const found = all_.find(key(from.server, uri));
    if (found == all_.end())
        return nullptr;
    if (found->second.epoch == from.epoch && now < found->second.fresh_until)
        return &found->second.result;
    erase(found);
    return nullptr;
}

LINKSPAN_DECL void result_store::store(connection const& from, std::string_view uri, call_result const& result,
                                       mark sent, time_point now)
{
    constexpr duration max_ttl = std::chrono::hours(24);
    auto const ttl = read_ttl(json_scan::member(result.raw(), "ttlMs")).value_or(duration::zero());
    auto const size = uri.size() + result.raw().size();
    if (ttl <= duration::zero() || size > max_bytes_ || sent != changes_)
        return;
    key name(from.server, uri);
    if (auto const old = all_.find(name); old != all_.end())
        erase(old);
    make_room(size);
    stored added{from.epoch, now + std::min(ttl, max_ttl), result};
    added.result.trail({});
    all_.emplace(std::move(name), std::move(added));
    bytes_ += size;
}

LINKSPAN_DECL void result_store::on_updated(server_id server, std::string_view uri)
{
    ++changes_;
    for (auto it = all_.lower_bound(key(server, {})); it != all_.end() && it->first.first == server;)
        it = uri.starts_with(it->first.second) ? erase(it) : std::next(it);
}

LINKSPAN_DECL void result_store::on_list_changed(server_id server)
{
    ++changes_;
    for (auto it = all_.lower_bound(key(server, {})); it != all_.end() && it->first.first == server;)
        it = erase(it);
}

LINKSPAN_DECL void result_store::clear()
{
    ++changes_;
    all_.clear();
    bytes_ = 0;
}

LINKSPAN_DECL result_store::map::iterator result_store::erase(map::iterator which)
{
    bytes_ -= size_of(*which);
    return all_.erase(which);
}

// Drops results until a further one of this size can be stored: those whose time to live ends first.
LINKSPAN_DECL void result_store::make_room(std::size_t size)
{
    auto const ends_first = [](map::value_type const& one, map::value_type const& other) {
        return one.second.fresh_until < other.second.fresh_until;
    };
    while (!all_.empty() && bytes_ > max_bytes_ - std::min(size, max_bytes_))
        erase(std::ranges::min_element(all_, ends_first));
}

} // namespace linkspan::detail

#endif
