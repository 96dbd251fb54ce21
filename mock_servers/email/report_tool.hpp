#ifndef LINKSPAN_MOCK_SERVERS_EMAIL_REPORT_TOOL_HPP
#define LINKSPAN_MOCK_SERVERS_EMAIL_REPORT_TOOL_HPP

#include <linkspan/server/server.hpp>

#include <cstddef>
#include <string>

#include "smtp.hpp"

namespace mock_email {

/// Configuration of the tool.
struct report_options {
    smtp_server server{};               ///< mail server
    std::string from{};                 ///< address of the sender
    std::string artifacts{};            ///< folder of the attachments
    std::string log{};                  ///< file with the outcomes of messages; empty: they are kept in memory
    std::size_t max_bytes = 10'000'000; ///< size of all attachments of a message
};

/// Adds the tool `email.send_report`, which sends one message.
///
/// The result is one text block with a JSON object: `{"status":"success","via":"mcp","message_id":"<...>"}`, or
/// `{"status":"error","error":"..."}`. A failed message is not an error of the protocol and not a tool error, as in the
/// architecture that the server is an example of.
///
/// A message that was sent is not sent again: a repeated call has the same Message-ID, and its result has the member
/// `"repeated":true`. If the outcome of a message is unknown, it is not sent again either.
///
/// \throws email_error The sender is invalid, or the folder or the file cannot be opened.
void add_report_tool(linkspan::server& server, report_options options);

} // namespace mock_email

#endif
