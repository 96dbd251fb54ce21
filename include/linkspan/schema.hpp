#ifndef LINKSPAN_SCHEMA_HPP
#define LINKSPAN_SCHEMA_HPP

// Includes the public headers of the module `schema`: validation against JSON Schema 2020-12 and draft 7.

#include <linkspan/schema/pattern.hpp>
#include <linkspan/schema/pattern_budget.hpp>
#include <linkspan/schema/schema_dialect.hpp>
#include <linkspan/schema/schema_options.hpp>
#include <linkspan/schema/schema_verdict.hpp>
#include <linkspan/schema/uri_reference.hpp>
#include <linkspan/schema/validator.hpp>

#endif
