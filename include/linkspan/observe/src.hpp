#ifndef LINKSPAN_OBSERVE_SRC_HPP
#define LINKSPAN_OBSERVE_SRC_HPP

// Function definitions of the module `observe` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/observe/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/observe/impl/handler_delay.ipp>
#include <linkspan/observe/impl/metrics.ipp>
#include <linkspan/observe/impl/text_log.ipp>

#endif
