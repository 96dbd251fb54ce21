#ifndef LINKSPAN_CORE_FWD_HPP
#define LINKSPAN_CORE_FWD_HPP

#include <chrono>
#include <cstdint>

namespace linkspan {

/// The one unit of elapsed time.
using duration = std::chrono::steady_clock::duration;

/// An instant that a `time_source` gave. Only differences mean something: virtual time begins at the epoch, real time
/// does not. `time_point::max()` is "never".
using time_point = std::chrono::steady_clock::time_point;

/// An instant of the operator's clock, in Unix time: for people and for other programs, never for measuring.
using wall_time = std::chrono::system_clock::time_point;

/// Numbers the requests of one session, from 1 upwards; never used again. 0: no request of ours.
using request_id = std::int64_t;

/// Names a server within one connector; stable for its life, and never used again.
enum class server_id : std::uint32_t {};

class call_result;
class catalog;
class session;
class time_source;
class timer;

} // namespace linkspan

#endif
