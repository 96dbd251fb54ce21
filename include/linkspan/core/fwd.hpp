#ifndef LINKSPAN_CORE_FWD_HPP
#define LINKSPAN_CORE_FWD_HPP

#include <linkspan/core/detail/config.hpp>

#include <chrono>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI {

/// Type of all durations and timeouts, in units of `std::chrono::steady_clock`.
using duration = std::chrono::steady_clock::duration;

/// Point in time of a `time_source`, for deadlines and measurements of durations.
///
/// Only differences between two points of the same source are meaningful: virtual time begins at `time_point()`, real
/// time begins at an unspecified point. `time_point::max()` means "never".
using time_point = std::chrono::steady_clock::time_point;

/// Point in time of the system clock (Unix time), for logs and for the exchange with other programs.
///
/// Do not use the type to measure durations, because the system clock can be set back.
using wall_time = std::chrono::system_clock::time_point;

/// Identifier of a JSON-RPC request within one session.
///
/// The ids of a session increase from 1. 0 identifies no request.
using request_id = std::int64_t;

/// Identifier of a server within one connector.
///
/// The id does not change during the life of the connector, and is not reused after the removal of the server.
enum class server_id : std::uint32_t {};

class call_result;
class catalog;
class session;
class time_source;
class timer;

} // namespace linkspan

#endif
