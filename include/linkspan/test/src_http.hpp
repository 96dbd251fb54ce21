#ifndef LINKSPAN_TEST_SRC_HTTP_HPP
#define LINKSPAN_TEST_SRC_HTTP_HPP

// Include this, beside <linkspan/src_http.hpp> and <linkspan/test/src.hpp>, in exactly one translation unit of a program
// built with LINKSPAN_SEPARATE_COMPILATION that has scripted servers over HTTP.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/test/src_http.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/test/impl/http_server.ipp>

#endif
