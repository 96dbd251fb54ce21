// What a program may include before a generated header.

#include <linkspan/bindings.hpp>
#include <linkspan/connector.hpp>
#include <linkspan/session.hpp>
#include <linkspan/transport/http.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/stdio.hpp>
#include <linkspan/transport/tls.hpp>
