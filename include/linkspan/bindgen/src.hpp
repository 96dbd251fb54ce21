#ifndef LINKSPAN_BINDGEN_SRC_HPP
#define LINKSPAN_BINDGEN_SRC_HPP

// Function definitions of the module `bindgen`. Include this header, in addition to <linkspan/src.hpp>, in exactly one
// translation unit of a program that is built with LINKSPAN_SEPARATE_COMPILATION and generates bindings.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/bindgen/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/bindgen/drift/impl/compare_schemas.ipp>
#include <linkspan/bindgen/drift/impl/compare_schemas.keywords.ipp>
#include <linkspan/bindgen/drift/impl/compare_schemas.members.ipp>
#include <linkspan/bindgen/drift/impl/compare_schemas.unions.ipp>
#include <linkspan/bindgen/drift/impl/drift.ipp>
#include <linkspan/bindgen/drift/impl/reference_targets.ipp>
#include <linkspan/bindgen/emit/impl/cpp_text.ipp>
#include <linkspan/bindgen/emit/impl/write_header.ipp>
#include <linkspan/bindgen/impl/command.ipp>
#include <linkspan/bindgen/impl/files.ipp>
#include <linkspan/bindgen/impl/lock.ipp>
#include <linkspan/bindgen/mapping/impl/identifiers.ipp>
#include <linkspan/bindgen/mapping/impl/map_tools.ipp>
#include <linkspan/bindgen/mapping/impl/member_notes.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.structs.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.unions.ipp>
#include <linkspan/bindgen/mapping/impl/schema_mapper.values.ipp>
#include <linkspan/bindgen/mapping/impl/schema_merger.ipp>
#include <linkspan/bindgen/mapping/impl/schema_parts.ipp>
#include <linkspan/bindgen/mapping/impl/whole_schema.ipp>

#endif
