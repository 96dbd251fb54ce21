// The unit that compiles the bodies in a program with LINKSPAN_SEPARATE_COMPILATION.
#include <linkspan/src.hpp>
#include <linkspan/src_http.hpp>
#include <linkspan/src_http_server.hpp>
#include <linkspan/src_server.hpp>
#if defined(CONSUMER_HAS_TLS)
#include <linkspan/src_tls.hpp>
#endif
