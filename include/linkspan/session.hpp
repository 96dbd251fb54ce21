#ifndef LINKSPAN_SESSION_HPP
#define LINKSPAN_SESSION_HPP

// Public interface of the module "session": a session with one server.

#include <linkspan/session/session.hpp>
#include <linkspan/session/session_ref.hpp>

#endif
