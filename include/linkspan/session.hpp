#ifndef LINKSPAN_SESSION_HPP
#define LINKSPAN_SESSION_HPP

// A session with one server. <linkspan/session/...> has further headers, such as resources.hpp.

#include <linkspan/session/session.hpp>
#include <linkspan/session/session_ref.hpp>

#endif
