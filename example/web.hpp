#ifndef LINKSPAN_EXAMPLE_WEB_HPP
#define LINKSPAN_EXAMPLE_WEB_HPP

// HTTP transport of the installed programs. Without OpenSSL, an https URL is an error at run time.
#if defined(LINKSPAN_WITH_TLS)
#include <linkspan/http/tls/tls.hpp>
using web_transport = linkspan::https;
#else
#include <linkspan/http/client/auto_http.hpp>
using web_transport = linkspan::auto_http;
#endif

#endif
