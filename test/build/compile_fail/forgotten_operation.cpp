// error: ignoring return
// S4-66: with the default token nothing has happened until somebody awaits it
#include <linkspan/connector.hpp>

void misuse(linkspan::connector_base& hub) { hub.async_open(); }
