// Timers in real time.

#include <linkspan/core/time.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/mp11/list.hpp>

namespace {

struct real_world {
    boost::asio::io_context context{1};

    void run() { context.run(); }
};

using worlds = boost::mp11::mp_list<real_world>;

} // namespace

#include "support/timer_cases.hpp"
