#ifndef LINKSPAN_DESCRIBE_HPP
#define LINKSPAN_DESCRIBE_HPP

// Described C++ structs: conversion to and from JSON, JSON Schemas, typed tools and local tools.

#include <linkspan/describe/bindings.hpp>
#include <linkspan/describe/box.hpp>
#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/for_each_argument.hpp>
#include <linkspan/describe/json_as.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/describe/local_tool.hpp>
#include <linkspan/describe/mismatch.hpp>
#include <linkspan/describe/notes.hpp>
#include <linkspan/describe/nullable.hpp>
#include <linkspan/describe/one_or_many.hpp>
#include <linkspan/describe/rest.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/describe/tool_result.hpp>
#include <linkspan/describe/types.hpp>

#endif
