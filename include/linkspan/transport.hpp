#ifndef LINKSPAN_TRANSPORT_HPP
#define LINKSPAN_TRANSPORT_HPP

// The transports without HTTP, and the concept of one.

#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/byte_stream.hpp>
#include <linkspan/transport/concept.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>
#include <linkspan/transport/read_buffer.hpp>
#include <linkspan/transport/socket_stream.hpp>
#include <linkspan/transport/stdio.hpp>
#include <linkspan/transport/write_queue.hpp>

#endif
