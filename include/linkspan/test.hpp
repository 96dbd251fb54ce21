#ifndef LINKSPAN_TEST_HPP
#define LINKSPAN_TEST_HPP

// The test kit, without servers over HTTP.

#include <linkspan/test/calculator.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/filesystem.hpp>
#include <linkspan/test/sample.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/virtual_time.hpp>

#endif
