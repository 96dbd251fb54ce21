#ifndef LINKSPAN_TRANSPORT_SRC_HPP
#define LINKSPAN_TRANSPORT_SRC_HPP

// Function definitions of the module `transport` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/transport/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/transport/impl/inproc.ipp>
#include <linkspan/transport/impl/memory_pipe.ipp>
#include <linkspan/transport/impl/stdio.ipp>
#include <linkspan/transport/impl/write_queue.ipp>
#include <linkspan/transport/stdio/impl/child_keeper.ipp>
#include <linkspan/transport/stdio/impl/child_process.ipp>
#include <linkspan/transport/stdio/impl/child_state.ipp>
#include <linkspan/transport/stdio/impl/child_stream.ipp>
#include <linkspan/transport/stdio/impl/child_usage.ipp>

#endif
