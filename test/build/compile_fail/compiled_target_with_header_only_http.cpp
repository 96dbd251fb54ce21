// error: linkspan: a target links linkspan::compiled and linkspan::http: link linkspan::compiled_http
#define LINKSPAN_LINKS_COMPILED
#define LINKSPAN_LINKS_HTTP
#include <linkspan/core/error.hpp>
