#ifndef LINKSPAN_SRC_HTTP_HPP
#define LINKSPAN_SRC_HTTP_HPP

// Function definitions that require Boost.Beast and Boost.URL. Include this header, in addition to <linkspan/src.hpp>,
// in exactly one translation unit of a program that is built with LINKSPAN_SEPARATE_COMPILATION and uses HTTP.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/src_http.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/config/src_http.hpp>
#include <linkspan/http/src.hpp>

#endif
