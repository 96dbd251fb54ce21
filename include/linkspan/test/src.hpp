#ifndef LINKSPAN_TEST_SRC_HPP
#define LINKSPAN_TEST_SRC_HPP

// The bodies of this module: include this, beside <linkspan/src.hpp>, in exactly one translation unit of a program
// built with LINKSPAN_SEPARATE_COMPILATION that uses the test kit.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/test/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/test/impl/case.ipp>
#include <linkspan/test/impl/sample.ipp>
#include <linkspan/test/impl/scripted_server.ipp>
#include <linkspan/test/impl/virtual_time.ipp>
#include <linkspan/test/sample/impl/sample_number.ipp>
#include <linkspan/test/sample/impl/sample_schema.ipp>
#include <linkspan/test/sample/impl/sample_source.ipp>
#include <linkspan/test/sample/impl/sample_text.ipp>

#endif
