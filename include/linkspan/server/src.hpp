#ifndef LINKSPAN_SERVER_SRC_HPP
#define LINKSPAN_SERVER_SRC_HPP

// Includes the function bodies of the module `server` for separate compilation. Include <linkspan/src_server.hpp>
// instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/server/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/server/impl/client_request.ipp>
#include <linkspan/server/impl/client_session.ipp>
#include <linkspan/server/impl/client_task.ipp>
#include <linkspan/server/impl/content_check.ipp>
#include <linkspan/server/impl/input_check.ipp>
#include <linkspan/server/impl/read_wait.ipp>
#include <linkspan/server/impl/require_elicitations.ipp>
#include <linkspan/server/impl/served_client.ipp>
#include <linkspan/server/impl/served_client.requests.ipp>
#include <linkspan/server/impl/served_request.input.ipp>
#include <linkspan/server/impl/served_request.ipp>
#include <linkspan/server/impl/served_request.require_input.ipp>
#include <linkspan/server/impl/served_tasks.ipp>
#include <linkspan/server/impl/server.ipp>
#include <linkspan/server/impl/server_core.ipp>
#include <linkspan/server/impl/server_core.replacing.ipp>
#include <linkspan/server/impl/server_core.requests.ipp>
#include <linkspan/server/impl/server_request.ipp>
#include <linkspan/server/impl/state_claim.ipp>
#include <linkspan/server/impl/subscriber_hub.ipp>
#include <linkspan/server/impl/suspended_requests.ipp>

#endif
