#ifndef LINKSPAN_DESCRIBE_SRC_HPP
#define LINKSPAN_DESCRIBE_SRC_HPP

// Function definitions of the module `describe` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/describe/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/describe/impl/call_result_as.ipp>
#include <linkspan/describe/impl/constraints.ipp>
#include <linkspan/describe/impl/findings.ipp>
#include <linkspan/describe/impl/local_tool.ipp>
#include <linkspan/describe/impl/mismatch.ipp>
#include <linkspan/describe/impl/text_source.ipp>

#endif
