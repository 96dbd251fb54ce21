#ifndef LINKSPAN_SESSION_HPP
#define LINKSPAN_SESSION_HPP

// A session with one server.

#include <linkspan/session/session.hpp>

#endif
