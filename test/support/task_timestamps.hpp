#ifndef LINKSPAN_TEST_SUPPORT_TASK_TIMESTAMPS_HPP
#define LINKSPAN_TEST_SUPPORT_TASK_TIMESTAMPS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/protocol/task_table.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {

// Returns the time after a span in which the system clock is not set.
constexpr task_timestamp operator+(task_timestamp from, duration span)
{
    return {from.wall + std::chrono::duration_cast<wall_time::duration>(span), from.steady + span};
}

} // namespace linkspan

#endif
