#ifndef LINKSPAN_TEST_SCRIPT_ANY_EXPECTATION_HPP
#define LINKSPAN_TEST_SCRIPT_ANY_EXPECTATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/expectation.hpp>
#include <linkspan/test/script/rule_order.hpp>

#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Expects that the client has opened connections, and has closed all of them.
///
///     BOOST_TEST(weather.verify(closed_by_client()));
///
/// A connection is closed by the client if it ends before the server ends it by an action, a fault, a signal or
/// `scripted_server::drop_connections`: over standard streams, the client closes stdin of the server; over HTTP, a
/// DELETE ends the session, or a stateless request has its response. A session that `http_server::discard_sessions`
/// ends counts as closed by the client. A connection that ends by an error of its transport, or by `cut_requests_after`
/// or `cut_responses_after`, is lost.
struct closed_by_client {};

/// An expectation of each kind that `scripted_server::verify` accepts, and that a script can have.
using any_expectation = std::variant<expectation, rule_order, closed_by_client>;

} // namespace linkspan::test

#endif
