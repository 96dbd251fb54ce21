#ifndef LINKSPAN_SERVER_HPP
#define LINKSPAN_SERVER_HPP

// Includes the module `server`: a server for tools, resources and prompts, and its carriers for standard streams and
// memory. The carrier for HTTP is <linkspan/server/http_endpoint.hpp>.

#include <linkspan/server/ask_options.hpp>
#include <linkspan/server/client_info.hpp>
#include <linkspan/server/client_session.hpp>
#include <linkspan/server/request_handler.hpp>
#include <linkspan/server/require_elicitations.hpp>
#include <linkspan/server/required_input.hpp>
#include <linkspan/server/serve_inproc.hpp>
#include <linkspan/server/serve_stdio.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/server/server_counters.hpp>
#include <linkspan/server/server_request.hpp>
#include <linkspan/server/serving_options.hpp>
#include <linkspan/server/structured_output.hpp>
#include <linkspan/server/task_options.hpp>
#include <linkspan/server/tool_output.hpp>

#endif
