#ifndef LINKSPAN_SCHEMA_SRC_HPP
#define LINKSPAN_SCHEMA_SRC_HPP

// Function definitions of the module `schema` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/schema/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/schema/impl/compilation.ipp>
#include <linkspan/schema/impl/compile_schema.ipp>
#include <linkspan/schema/impl/evaluate_schema.ipp>
#include <linkspan/schema/impl/evaluate_schema.subschemas.ipp>
#include <linkspan/schema/impl/keyword_reader.ipp>
#include <linkspan/schema/impl/keyword_reader.subschemas.ipp>
#include <linkspan/schema/impl/pattern.ipp>
#include <linkspan/schema/impl/pattern_reader.ipp>
#include <linkspan/schema/impl/pattern_reader.sets.ipp>
#include <linkspan/schema/impl/schema_dialect.ipp>
#include <linkspan/schema/impl/schema_references.ipp>
#include <linkspan/schema/impl/schema_resources.ipp>
#include <linkspan/schema/impl/schema_verdict.ipp>
#include <linkspan/schema/impl/uri_reference.ipp>
#include <linkspan/schema/impl/validator.ipp>

#endif
