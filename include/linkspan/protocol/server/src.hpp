#ifndef LINKSPAN_PROTOCOL_SERVER_SRC_HPP
#define LINKSPAN_PROTOCOL_SERVER_SRC_HPP

// Includes the function bodies of the module `protocol/server` for separate compilation. Include
// <linkspan/src_server.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/protocol/server/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/protocol/server/impl/frequent_request.ipp>
#include <linkspan/protocol/server/impl/offer.ipp>
#include <linkspan/protocol/server/impl/request_seal.ipp>
#include <linkspan/protocol/server/impl/resume_log.ipp>
#include <linkspan/protocol/server/impl/server_dialogue.ipp>
#include <linkspan/protocol/server/impl/subscription_table.ipp>

#endif
