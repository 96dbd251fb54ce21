#ifndef LINKSPAN_SRC_TLS_HPP
#define LINKSPAN_SRC_TLS_HPP

// Function definitions of <linkspan/http/tls/tls.hpp> and <linkspan/http/tls/server_tls.hpp>. Include this header in
// exactly one translation unit of a program that is built with LINKSPAN_SEPARATE_COMPILATION and uses TLS.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/src_tls.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/http/tls/impl/server_tls.ipp>
#include <linkspan/http/tls/impl/tls.ipp>

#endif
