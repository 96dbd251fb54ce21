#ifndef LINKSPAN_TLS_SRC_HPP
#define LINKSPAN_TLS_SRC_HPP

// Include this in exactly one translation unit of a program that uses <linkspan/transport/tls.hpp> and is built with
// LINKSPAN_SEPARATE_COMPILATION.

#include <linkspan/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/tls_src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/impl/tls.ipp>

#endif
