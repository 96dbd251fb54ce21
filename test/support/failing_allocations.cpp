// The allocation functions of the test programs. See the header for the reason of a file of its own.

#include <linkspan/test/src_failing_allocations.hpp>
