#ifndef LINKSPAN_MOCK_SERVERS_EMAIL_ADDRESS_HPP
#define LINKSPAN_MOCK_SERVERS_EMAIL_ADDRESS_HPP

#include <string_view>

namespace mock_email {

/// Returns whether a text is a mailbox address such as `ann@example.org`.
///
/// The part before the `@` is a sequence of atoms, with at most 64 characters; the domain has labels of letters, digits
/// and hyphens. Quoted local parts, address literals and non-ASCII characters are not accepted.
///
/// \par Specification
/// RFC 5321, sections 4.1.2 and 4.5.3.1.
bool is_address(std::string_view text);

} // namespace mock_email

#endif
