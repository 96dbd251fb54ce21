#ifndef LINKSPAN_CORE_SRC_HPP
#define LINKSPAN_CORE_SRC_HPP

// Function definitions of the module `core` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/core/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/core/impl/append_quoted.ipp>
#include <linkspan/core/impl/config_problem.ipp>
#include <linkspan/core/impl/diagnostic.ipp>
#include <linkspan/core/impl/error.ipp>
#include <linkspan/core/impl/post_handler.ipp>
#include <linkspan/core/impl/redact.ipp>
#include <linkspan/core/impl/similar_names.ipp>
#include <linkspan/core/impl/start_wait.ipp>
#include <linkspan/core/impl/time.ipp>

#endif
