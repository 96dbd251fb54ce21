#ifndef LINKSPAN_CONFIG_SRC_HTTP_HPP
#define LINKSPAN_CONFIG_SRC_HTTP_HPP

// Function definitions of the module `config` that require Boost.Beast and Boost.URL, for separate compilation.
// Programs include <linkspan/src_http.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/config/src_http.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/config/impl/diagnose.ipp>

#endif
