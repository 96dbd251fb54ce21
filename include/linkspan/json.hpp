#ifndef LINKSPAN_JSON_HPP
#define LINKSPAN_JSON_HPP

// JSON as text: what is read without a tree, and what writes it.

#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>

#endif
