#ifndef LINKSPAN_TEST_SUPPORT_GRACE_PERIODS_HPP
#define LINKSPAN_TEST_SUPPORT_GRACE_PERIODS_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the configuration with this duration for each of both grace periods of a shutdown.
inline stdio_config with_grace_periods(stdio_config config, duration each)
{
    config.close_grace = config.term_grace = each;
    return config;
}

} // namespace linkspan::test

#endif
