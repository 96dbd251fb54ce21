#ifndef LINKSPAN_DESCRIBE_TYPES_HPP
#define LINKSPAN_DESCRIBE_TYPES_HPP

/// The types that members of a described struct may have beside those of the standard library.

#include <linkspan/describe/box.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/describe/nullable.hpp>
#include <linkspan/describe/one_or_many.hpp>
#include <linkspan/describe/rest.hpp>

#endif
