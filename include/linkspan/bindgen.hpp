#ifndef LINKSPAN_BINDGEN_HPP
#define LINKSPAN_BINDGEN_HPP

// Generator of typed bindings: lock files of tools, comparison of tools, and C++ headers with structs for the arguments
// and results of each tool.

#include <linkspan/bindgen/command.hpp>
#include <linkspan/bindgen/drift/difference.hpp>
#include <linkspan/bindgen/drift/drift.hpp>
#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/files.hpp>
#include <linkspan/bindgen/lock.hpp>
#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>
#include <linkspan/bindgen/mapping/model.hpp>

#endif
