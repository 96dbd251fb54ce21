#ifndef LINKSPAN_CORE_DETAIL_MAPPED_HANDLER_HPP
#define LINKSPAN_CORE_DETAIL_MAPPED_HANDLER_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/associator.hpp>

#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Handler that contains a handler of another signature. An invocation with `args...` calls
// `map(std::move(handler), args...)`, which invokes the contained handler. The associated executor, allocator and
// cancellation slot are those of the contained handler.
template<class Handler, class Map>
class mapped_handler {
public:
    template<class H>
    mapped_handler(H&& handler, Map map) : handler_(std::forward<H>(handler)), map_(std::move(map))
    {}

    template<class... Args>
    void operator()(Args&&... args)
    {
        map_(std::move(handler_), std::forward<Args>(args)...);
    }

    Handler const& handler() const noexcept { return handler_; }

private:
    Handler handler_; // moved to `map_` by the invocation
    Map map_;         // receives the handler and the arguments of the completion
};

template<class H, class Map>
mapped_handler(H&&, Map) -> mapped_handler<std::decay_t<H>, Map>;

} // namespace linkspan::detail

template<template<class, class> class Associator, class Handler, class Map, class Default>
struct boost::asio::associator<Associator, linkspan::detail::mapped_handler<Handler, Map>, Default>
    : Associator<Handler, Default> {
    using mapped = linkspan::detail::mapped_handler<Handler, Map>;

    static auto get(mapped const& handler) noexcept { return Associator<Handler, Default>::get(handler.handler()); }
    static auto get(mapped const& handler, Default const& fallback) noexcept
    {
        return Associator<Handler, Default>::get(handler.handler(), fallback);
    }
};

#endif
