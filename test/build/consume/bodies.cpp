// The one unit of a program with LINKSPAN_SEPARATE_COMPILATION that compiles the bodies.
#include <linkspan/src_http.hpp>
#include <linkspan/src.hpp>
#if defined(CONSUMER_HAS_TLS)
#include <linkspan/src_tls.hpp>
#endif
