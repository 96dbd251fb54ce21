#ifndef LINKSPAN_MOCK_SERVERS_EMAIL_SENT_LOG_HPP
#define LINKSPAN_MOCK_SERVERS_EMAIL_SENT_LOG_HPP

#include <linkspan/core/detail/unique_fd.hpp>

#include <map>
#include <string>
#include <string_view>

namespace mock_email {

/// State of a message.
enum class delivery {
    none,  ///< it was not sent
    begun, ///< it is being sent, or its outcome is unknown
    sent,  ///< the mail server has accepted it
};

/// The outcomes of messages by their Message-ID, in memory and in a file.
///
/// A line of the file is written to the disk before the function returns, so that a message that is begun is not sent
/// again after a crash. A last line without an end is ignored. The file is locked, so that two processes do not use it.
class sent_log {
public:
    /// Reads the file, and creates it if it does not exist.
    ///
    /// \param path Path of the file; empty: no file.
    /// \throws email_error The file cannot be opened or is used by another process, or a line is invalid.
    explicit sent_log(std::string const& path);

    /// Returns what is known about a message.
    delivery find(std::string const& id) const;

    /// Records the state of a message.
    ///
    /// \throws email_error The file cannot be written.
    void record(std::string const& id, delivery state);

private:
    void write(std::string const& line);

    std::map<std::string, delivery> states_;
    linkspan::detail::unique_fd file_; // none without a path
    bool is_damaged_ = false;          // set if an incomplete line could not be removed
};

} // namespace mock_email

#endif
