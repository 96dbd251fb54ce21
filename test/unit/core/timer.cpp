// The tests of support/timer_cases.hpp in virtual time.

#include <linkspan/core/time.hpp>

#include <boost/mp11/list.hpp>

#include "support/virtual_world.hpp"

namespace {

using worlds = boost::mp11::mp_list<linkspan::test::virtual_world>;

} // namespace

#include "support/timer_cases.hpp"
