#ifndef LINKSPAN_MODEL_IMPL_RESULT_ERROR_IPP
#define LINKSPAN_MODEL_IMPL_RESULT_ERROR_IPP

#include <linkspan/model/call_error.hpp>
#include <linkspan/model/result_error.hpp>

#include <exception>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void throw_exception_from_error(result_error const& failure, boost::source_location const&)
{
    call_result result;
    result.trail({}, failure.detail());
    std::rethrow_exception(make_exception(failure, std::move(result)));
}

} // namespace linkspan

#endif
