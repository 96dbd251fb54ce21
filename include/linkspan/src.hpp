#ifndef LINKSPAN_SRC_HPP
#define LINKSPAN_SRC_HPP

// Function definitions of all modules that require neither Boost.Beast nor Boost.URL. Include this header in exactly
// one translation unit of a program that is built with LINKSPAN_SEPARATE_COMPILATION.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/agent/src.hpp>
#include <linkspan/config/src.hpp>
#include <linkspan/connector/src.hpp>
#include <linkspan/core/src.hpp>
#include <linkspan/describe/src.hpp>
#include <linkspan/json/src.hpp>
#include <linkspan/model/src.hpp>
#include <linkspan/observe/src.hpp>
#include <linkspan/protocol/src.hpp>
#include <linkspan/schema/src.hpp>
#include <linkspan/session/src.hpp>
#include <linkspan/transport/src.hpp>

#endif
