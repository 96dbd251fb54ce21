#ifndef LINKSPAN_TEST_SUPPORT_VIRTUAL_WORLD_HPP
#define LINKSPAN_TEST_SUPPORT_VIRTUAL_WORLD_HPP

#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/io_context.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Execution context with virtual time.
struct virtual_world {
    boost::asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);

    // Returns when no work is left.
    void run() { time.run_until_idle(); }
};

} // namespace linkspan::test

#endif
