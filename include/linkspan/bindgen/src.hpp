#ifndef LINKSPAN_BINDGEN_SRC_HPP
#define LINKSPAN_BINDGEN_SRC_HPP

// Include this, beside <linkspan/src.hpp>, in exactly one translation unit of a program built with
// LINKSPAN_SEPARATE_COMPILATION that makes bindings.

#include <linkspan/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/bindgen/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/bindgen/impl/command.ipp>
#include <linkspan/bindgen/impl/compare_schemas.ipp>
#include <linkspan/bindgen/impl/compare_unions.ipp>
#include <linkspan/bindgen/impl/cpp_text.ipp>
#include <linkspan/bindgen/impl/drift.ipp>
#include <linkspan/bindgen/impl/files.ipp>
#include <linkspan/bindgen/impl/identifiers.ipp>
#include <linkspan/bindgen/impl/lock.ipp>
#include <linkspan/bindgen/impl/map_tools.ipp>
#include <linkspan/bindgen/impl/map_union.ipp>
#include <linkspan/bindgen/impl/member_notes.ipp>
#include <linkspan/bindgen/impl/schema_mapper.ipp>
#include <linkspan/bindgen/impl/schema_parts.ipp>
#include <linkspan/bindgen/impl/write_header.ipp>

#endif
