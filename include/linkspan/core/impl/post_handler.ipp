#ifndef LINKSPAN_CORE_IMPL_POST_HANDLER_IPP
#define LINKSPAN_CORE_IMPL_POST_HANDLER_IPP

#include <linkspan/core/detail/post_handler.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void post_handler(boost::asio::any_io_executor const& executor, erased_handler<void()> handler)
{
    boost::asio::post(executor, std::move(handler));
}

LINKSPAN_DECL void dispatch_handler(boost::asio::any_io_executor const& executor, erased_handler<void()> handler)
{
    boost::asio::dispatch(executor, std::move(handler));
}

} // namespace linkspan::detail

#endif
