#ifndef LINKSPAN_PROTOCOL_SRC_HPP
#define LINKSPAN_PROTOCOL_SRC_HPP

// Function definitions of the module `protocol` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/protocol/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/protocol/client/impl/change_subscription.ipp>
#include <linkspan/protocol/client/impl/input_rounds.ipp>
#include <linkspan/protocol/client/impl/negotiation.ipp>
#include <linkspan/protocol/client/impl/pagination.ipp>
#include <linkspan/protocol/client/impl/request_scheduler.ipp>
#include <linkspan/protocol/client/impl/task_poll.ipp>
#include <linkspan/protocol/impl/compose.ipp>
#include <linkspan/protocol/impl/envelope.ipp>
#include <linkspan/protocol/impl/header_value.ipp>
#include <linkspan/protocol/impl/line_framing.ipp>
#include <linkspan/protocol/impl/mirrored_arguments.ipp>
#include <linkspan/protocol/impl/related_task.ipp>
#include <linkspan/protocol/impl/subscription_filter.ipp>
#include <linkspan/protocol/impl/task_table.ipp>
#include <linkspan/protocol/impl/uri_template.ipp>

#endif
