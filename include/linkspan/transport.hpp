#ifndef LINKSPAN_TRANSPORT_HPP
#define LINKSPAN_TRANSPORT_HPP

// Includes the module `transport`: the concept `Transport`, its type erasure, and the transports over child processes
// and memory. The transports over HTTP are in <linkspan/http.hpp>.

#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/byte_stream.hpp>
#include <linkspan/transport/concept.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>
#include <linkspan/transport/read_buffer.hpp>
#include <linkspan/transport/socket_stream.hpp>
#include <linkspan/transport/standard_streams.hpp>
#include <linkspan/transport/stdio.hpp>
#include <linkspan/transport/write_queue.hpp>

#endif
