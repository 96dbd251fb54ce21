#ifndef LINKSPAN_JSON_HPP
#define LINKSPAN_JSON_HPP

// Includes the public headers of the module `json`: scanner, numbers and writer of JSON text.

#include <linkspan/json/json_depth.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>

#endif
