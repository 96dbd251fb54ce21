// error: ignoring return
// With the default token, an operation starts only when it is awaited.
#include <linkspan/connector.hpp>

void misuse(linkspan::connector_base& hub) { hub.async_open(); }
