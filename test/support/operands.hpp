#ifndef LINKSPAN_TEST_SUPPORT_OPERANDS_HPP
#define LINKSPAN_TEST_SUPPORT_OPERANDS_HPP

#include <linkspan/describe/struct.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Arguments of a tool that computes with two numbers.
struct operands {
    double a = 0, b = 0;
};

LINKSPAN_STRUCT(operands, a, b)

} // namespace linkspan::test

#endif
