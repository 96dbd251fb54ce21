// The one unit of a program with LINKSPAN_SEPARATE_COMPILATION that compiles the bodies.
#include <linkspan/http_src.hpp>
#include <linkspan/src.hpp>
#if defined(CONSUMER_HAS_TLS)
#include <linkspan/tls_src.hpp>
#endif
