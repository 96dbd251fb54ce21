#ifndef LINKSPAN_SRC_SERVER_HPP
#define LINKSPAN_SRC_SERVER_HPP

// Function bodies of servers that require neither Boost.Beast nor Boost.URL. Include this header, in addition to
// <linkspan/src.hpp>, in exactly one translation unit of a program that is built with LINKSPAN_SEPARATE_COMPILATION and
// uses linkspan::server.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/src_server.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/protocol/server/src.hpp>
#include <linkspan/server/src.hpp>

#endif
