#ifndef LINKSPAN_TEST_HPP
#define LINKSPAN_TEST_HPP

// The test kit: coroutine test cases in virtual time, scripted MCP servers in the same process, two ready-made servers,
// and generated values for JSON Schemas. Scripted servers over HTTP are in <linkspan/test/http_server.hpp>; programs
// that serve one client or loopback HTTP are written with <linkspan/test/serve_stdio.hpp> and
// <linkspan/test/serve_http.hpp>.

#include <linkspan/test/calculator.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/fail_at_every_step.hpp>
#include <linkspan/test/filesystem.hpp>
#include <linkspan/test/sample.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/virtual_time.hpp>
#include <linkspan/test/world.hpp>

#endif
