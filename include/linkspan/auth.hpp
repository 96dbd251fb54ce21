#ifndef LINKSPAN_AUTH_HPP
#define LINKSPAN_AUTH_HPP

// Sources of tokens.

#include <linkspan/auth/http_auth.hpp>

#endif
