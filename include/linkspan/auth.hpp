#ifndef LINKSPAN_AUTH_HPP
#define LINKSPAN_AUTH_HPP

// Public interface of the module "auth": credentials for servers over HTTP.

#include <linkspan/auth/http_auth.hpp>

#endif
