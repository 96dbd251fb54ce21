#ifndef LINKSPAN_SRC_HTTP_SERVER_HPP
#define LINKSPAN_SRC_HTTP_SERVER_HPP

// Function bodies of servers over HTTP. Include this header, in addition to <linkspan/src_server.hpp> and
// <linkspan/src_http.hpp>, in exactly one translation unit of a program that is built with
// LINKSPAN_SEPARATE_COMPILATION and uses linkspan::http_endpoint.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/src_http_server.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/http/server/src.hpp>
#include <linkspan/server/src_http.hpp>

#endif
