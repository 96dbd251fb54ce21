// error: linkspan: a target with a server links linkspan::compiled: link linkspan::compiled_server
#define LINKSPAN_LINKS_COMPILED
#include <linkspan/server.hpp>
