#ifndef LINKSPAN_CONNECTOR_IMPL_RESULT_STORE_IPP
#define LINKSPAN_CONNECTOR_IMPL_RESULT_STORE_IPP

#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/tool.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void result_store::limit(std::size_t max_bytes, std::size_t max_results)
{
    max_bytes_ = max_results == 0 ? 0 : max_bytes;
    max_results_ = max_results;
    make_room(0, 0);
}

LINKSPAN_DECL call_result const* result_store::find(connection const& from, std::string_view name, time_point now)
{
    auto const found = all_.find(key(from.server, name));
    if (found == all_.end())
        return nullptr;
    if (found->second.epoch == from.epoch && now < found->second.fresh_until)
        return &found->second.result;
    erase(found);
    return nullptr;
}

LINKSPAN_DECL void result_store::store(connection const& from, std::string_view name, call_result const& result,
                                       mark sent, time_point now)
{
    auto const ttl = read_ttl(json_scan::member(result.raw(), "ttlMs"));
    store(from, name, result, ttl.value_or(duration::zero()), sent, now);
}

LINKSPAN_DECL void result_store::store(connection const& from, std::string_view name, call_result const& result,
                                       duration ttl, mark sent, time_point now)
{
    constexpr duration max_ttl = std::chrono::hours(24);
    auto const size = name.size() + result.raw().size();
    if (ttl <= duration::zero() || size > max_bytes_ || sent != changes_)
        return;
    key added_key(from.server, name);
    if (auto const old = all_.find(added_key); old != all_.end())
        erase(old);
    make_room(size, 1);
    // A large result shares the buffer that it was received in, which may have other messages.
    call_result copy(shared_text(result.raw()), std::string(result.server()));
    stored added{from.epoch, now + std::min(ttl, max_ttl), std::move(copy)};
    all_.emplace(std::move(added_key), std::move(added));
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
    on_disconnected(server);
}

LINKSPAN_DECL void result_store::on_disconnected(server_id server)
{
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

// Drops results until `number` further ones, 0 or 1, of this size can be stored: those whose time to live ends first.
LINKSPAN_DECL void result_store::make_room(std::size_t size, std::size_t number)
{
    auto const ends_first = [](map::value_type const& one, map::value_type const& other) {
        return one.second.fresh_until < other.second.fresh_until;
    };
    auto const is_full = [&] {
        return bytes_ > max_bytes_ - std::min(size, max_bytes_) || all_.size() > max_results_ - number;
    };
    while (!all_.empty() && is_full())
        erase(std::ranges::min_element(all_, ends_first));
}

} // namespace linkspan::detail

#endif
