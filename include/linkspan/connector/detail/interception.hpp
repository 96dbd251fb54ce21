#ifndef LINKSPAN_CONNECTOR_DETAIL_INTERCEPTION_HPP
#define LINKSPAN_CONNECTOR_DETAIL_INTERCEPTION_HPP

#include <linkspan/connector/interceptor.hpp>
#include <linkspan/core/detail/erased_handler.hpp>
#include <linkspan/core/detail/exception_text.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/call_error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Converts an exception of an interceptor to the outcome of a call.
inline error_code failure_of(std::exception_ptr const& thrown, call_result& result)
{
    try {
        std::rethrow_exception(thrown);
    } catch (call_error const& failed) {
        result = failed.result();
        return failed.code();
    } catch (boost::system::system_error const& failed) {
        if (failed.code() == asio::error::operation_aborted)
            return failed.code();
        result.trail({}, failed.what());
    } catch (...) {
        result.trail({}, exception_text());
    }
    return error::interceptor_failed;
}

// Runs interceptors around `last`. `done` is invoked later with the outcome. A cancellation by `slot` is forwarded to
// the operation that the interceptors await.
inline void run_interceptors(asio::any_io_executor const& executor, std::vector<interceptor> const& all,
                             tool_request request, interceptor_chain::last_function last, asio::cancellation_slot slot,
                             erased_handler<void(error_code, call_result)> done)
{
    auto const chain = std::make_shared<interceptor_chain>(all, std::move(last), executor);
    // The handler owns the chain, because the coroutines of the interceptors refer to it until they are complete.
    auto on_end = [chain, done = std::move(done)](std::exception_ptr thrown, call_result result) mutable {
        auto const ec = thrown ? failure_of(thrown, result) : error_code();
        done(ec, std::move(result));
    };
    asio::co_spawn(executor, next_call(chain, 0)(std::move(request)),
                   asio::bind_cancellation_slot(slot, std::move(on_end)));
}

} // namespace linkspan::detail

#endif
