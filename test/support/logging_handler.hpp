#ifndef LINKSPAN_TEST_SUPPORT_LOGGING_HANDLER_HPP
#define LINKSPAN_TEST_SUPPORT_LOGGING_HANDLER_HPP

#include <linkspan/core/error.hpp>

#include <boost/asio/error.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns a handler that appends the name of its wait to the log, followed by '!' if the wait was aborted.
inline auto logging_handler(std::string& log, char name)
{
    return [&log, name](error_code ec) { (log += name) += ec == boost::asio::error::operation_aborted ? '!' : ' '; };
}

} // namespace linkspan::test

#endif
