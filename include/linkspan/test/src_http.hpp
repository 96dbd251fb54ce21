#ifndef LINKSPAN_TEST_SRC_HTTP_HPP
#define LINKSPAN_TEST_SRC_HTTP_HPP

// Function definitions of scripted servers over HTTP. A program that is built with LINKSPAN_SEPARATE_COMPILATION and
// uses linkspan::test::http_server includes this header in exactly one translation unit, together with
// <linkspan/src_http.hpp>, <linkspan/src_http_server.hpp> and <linkspan/test/src.hpp>.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/test/src_http.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/test/impl/http_server.ipp>
#include <linkspan/test/impl/scripted_backend.ipp>

#endif
