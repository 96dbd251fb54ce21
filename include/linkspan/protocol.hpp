#ifndef LINKSPAN_PROTOCOL_HPP
#define LINKSPAN_PROTOCOL_HPP

// Includes the modules `protocol` and `protocol/client`: state machines, parsers and writers of MCP that perform no
// I/O.

#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/negotiation.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/protocol/client/refresh_schedule.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/protocol/client/request_table.hpp>
#include <linkspan/protocol/client/server_list.hpp>
#include <linkspan/protocol/client/task_poll.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/protocol/deadline_list.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/line_framing.hpp>
#include <linkspan/protocol/message_kind.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/protocol/uri_template.hpp>

#endif
