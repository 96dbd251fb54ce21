#ifndef LINKSPAN_DESCRIBE_TYPES_HPP
#define LINKSPAN_DESCRIBE_TYPES_HPP

// Includes the types of this library for members of described structs: box, constant, literal, nullable, null_type,
// one_or_many and rest. Types of the standard library need no header of this library; LINKSPAN_STRUCT lists all types.

#include <linkspan/describe/box.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/describe/nullable.hpp>
#include <linkspan/describe/one_or_many.hpp>
#include <linkspan/describe/rest.hpp>

#endif
