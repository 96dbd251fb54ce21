#ifndef LINKSPAN_SERVER_DETAIL_INPUT_CHECK_HPP
#define LINKSPAN_SERVER_DETAIL_INPUT_CHECK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/server/detail/client_request.hpp>

#include <string>
#include <string_view>

// Checks of requests to clients, and validation of the content of forms (`elicitation/create` in the mode `form`),
// which is a part of their results.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the defect for which a request to a client must not be sent; empty: none. Otherwise, the function of the
// request receives only valid input if `validates`.
LINKSPAN_DECL std::string prepare_request(client_request& what, bool validates);

// Returns the reason for which the params of a request to a client, or the schema in them, are invalid; empty: none. A
// request of another kind has no schema.
LINKSPAN_DECL std::string problem_of_params(std::string_view method, std::string_view params);
LINKSPAN_DECL std::string problem_of_schema(std::string_view method, std::string_view params);

// Makes the function of a request receive only an accepted form whose content matches the requested schema, and
// otherwise `malformed_message`; `on_invalid_input` receives the reason. Returns the defect for which the request must
// not be sent: its schema is invalid; empty: none. No effect on requests without a schema.
LINKSPAN_DECL std::string validate_input(client_request& what);

// Returns the reason for which a result does not match the schema of its request; empty: none. `params`: of the
// request. An invalid schema is such a reason.
LINKSPAN_DECL std::string problem_of_input(std::string_view method, std::string_view params, std::string_view result);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/input_check.ipp>
#endif

#endif
