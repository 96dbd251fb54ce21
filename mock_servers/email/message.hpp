#ifndef LINKSPAN_MOCK_SERVERS_EMAIL_MESSAGE_HPP
#define LINKSPAN_MOCK_SERVERS_EMAIL_MESSAGE_HPP

#include <chrono>
#include <string>
#include <vector>

#include "attachment.hpp"

namespace mock_email {

/// A message before it is composed. The texts are UTF-8.
struct message {
    std::string from{};            ///< address of the sender
    std::vector<std::string> to{}; ///< addresses of the recipients
    std::string subject{};         ///< subject; without control characters
    std::string body{};            ///< text
    std::vector<attachment> attachments{};
    std::string key{}; ///< distinguishes messages with equal content
};

/// Returns the Message-ID, with angle brackets. Messages with equal content have the same one, at any time, so that a
/// repeated call is recognized.
///
/// \par Specification
/// RFC 5322, section 3.6.4.
std::string message_id(message const& what);

/// Composes the message, with lines of at most 998 characters that end in CR LF.
///
/// \param what The message, whose addresses are valid.
/// \param now The time of the header `Date`.
/// \throws email_error The subject has a control character.
/// \par Specification
/// RFC 5322; RFC 2045, section 6.8; RFC 2046, section 5.1.3; RFC 2047; RFC 2231.
std::string compose(message const& what, std::chrono::system_clock::time_point now);

} // namespace mock_email

#endif
