#ifndef LINKSPAN_JSON_SRC_HPP
#define LINKSPAN_JSON_SRC_HPP

// Function definitions of the module `json` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/json/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/json/impl/canonical_json.ipp>
#include <linkspan/json/impl/json_fault.ipp>
#include <linkspan/json/impl/json_number.ipp>
#include <linkspan/json/impl/json_scan.ipp>
#include <linkspan/json/impl/json_writer.ipp>
#include <linkspan/json/impl/optional_escapes.ipp>
#include <linkspan/json/impl/position_of_error.ipp>
#include <linkspan/json/impl/with_member.ipp>
#include <linkspan/json/impl/written_number.ipp>

#endif
