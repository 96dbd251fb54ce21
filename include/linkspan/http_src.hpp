#ifndef LINKSPAN_HTTP_SRC_HPP
#define LINKSPAN_HTTP_SRC_HPP

// Include this, beside <linkspan/src.hpp>, in exactly one translation unit of a program built with
// LINKSPAN_SEPARATE_COMPILATION that uses HTTP. It needs Boost.Beast and Boost.URL.

#include <linkspan/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/http_src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/impl/http_client.ipp>
#include <linkspan/impl/http_connection.ipp>
#include <linkspan/impl/http_core.ipp>
#include <linkspan/impl/http_dialers.ipp>
#include <linkspan/impl/http_listener.ipp>
#include <linkspan/impl/http_replies.ipp>
#include <linkspan/impl/http_server_connection.ipp>
#include <linkspan/impl/http_url.ipp>
#include <linkspan/impl/validate.ipp>

#endif
