// The tests of support/timer_cases.hpp in virtual time.

#include <linkspan/core/time.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/mp11/list.hpp>

namespace {

struct virtual_world {
    boost::asio::io_context context{1};
    linkspan::test::virtual_time& time = linkspan::test::virtual_time::install(context);

    void run() { time.run_until_idle(); }
};

using worlds = boost::mp11::mp_list<virtual_world>;

} // namespace

#include "support/timer_cases.hpp"
