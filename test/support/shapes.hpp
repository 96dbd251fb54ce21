#ifndef LINKSPAN_TEST_SUPPORT_SHAPES_HPP
#define LINKSPAN_TEST_SUPPORT_SHAPES_HPP

#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/types.hpp>

// Two structs that a literal distinguishes, as alternatives of a union.
namespace app_shapes {

struct circle {
    linkspan::literal<"circle"> kind;
    double radius = 0;

    bool operator==(circle const&) const = default;
};

LINKSPAN_STRUCT(circle, (kind), (radius, min{0}))

struct square {
    linkspan::literal<"square"> kind;
    double side = 0;

    bool operator==(square const&) const = default;
};

LINKSPAN_STRUCT(square, (kind), (side))

} // namespace app_shapes

#endif
