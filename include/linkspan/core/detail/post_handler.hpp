#ifndef LINKSPAN_CORE_DETAIL_POST_HANDLER_HPP
#define LINKSPAN_CORE_DETAIL_POST_HANDLER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/erased_handler.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Calls `asio::post`, which is compiled once for all handlers. Handlers that are posted for each call or each batch of
// messages use `asio::post` itself, because its handler is inlined.
LINKSPAN_DECL void post_handler(boost::asio::any_io_executor const& executor, erased_handler<void()> handler);

// Calls `asio::dispatch`, which is compiled once for all handlers.
LINKSPAN_DECL void dispatch_handler(boost::asio::any_io_executor const& executor, erased_handler<void()> handler);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/post_handler.ipp>
#endif

#endif
