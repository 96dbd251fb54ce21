#ifndef LINKSPAN_EXAMPLE_CLI_AS_TUPLE_TOKEN_HPP
#define LINKSPAN_EXAMPLE_CLI_AS_TUPLE_TOKEN_HPP

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace cli {

// Completion token of a coroutine that examines the error instead of throwing it.
inline constexpr auto as_tuple_token = boost::asio::as_tuple(boost::asio::use_awaitable);

} // namespace cli

#endif
