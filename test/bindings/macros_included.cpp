// Headers that a program may include before a generated header.

#include <linkspan/connector.hpp>
#include <linkspan/describe/bindings.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/tls/tls.hpp>
#include <linkspan/session.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/stdio.hpp>
