// error: linkspan: a target with an HTTP endpoint links linkspan::compiled: link linkspan::compiled_http_server
#define LINKSPAN_LINKS_COMPILED
#define LINKSPAN_LINKS_COMPILED_SERVER
#include <linkspan/server/http_endpoint.hpp>
