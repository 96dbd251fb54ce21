#ifndef LINKSPAN_TEST_SUPPORT_RPC_ERROR_HPP
#define LINKSPAN_TEST_SUPPORT_RPC_ERROR_HPP

#include <linkspan/core/error.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the error code of an error response.
inline error_code rpc(int code) { return {code, rpc_category()}; }

} // namespace linkspan::test

#endif
