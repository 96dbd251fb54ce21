#ifndef LINKSPAN_MOCK_SERVERS_EMAIL_ATTACHMENT_HPP
#define LINKSPAN_MOCK_SERVERS_EMAIL_ATTACHMENT_HPP

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mock_email {

/// A file that is attached to a message.
struct attachment {
    std::string name{};  ///< name of the file without its folder
    std::string type{};  ///< media type, by the end of the name
    std::string bytes{}; ///< content
};

/// Thrown if an attachment, an address or a message is rejected.
///
/// The text of an error of a call is intended for the client, and consists of sentences. The text of an error at the
/// start of the program is intended for the operator: lower case, without a full stop.
class email_error : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

/// The folder that contains the files that may be attached.
///
/// A path is opened component by component, relative to the descriptor of its folder, and no component may be a
/// symbolic link, so that no path identifies a file outside the folder, even if the folder is changed meanwhile.
class artifacts_folder {
public:
    /// Opens the folder.
    ///
    /// \param path Path of a folder; the last component may be a symbolic link.
    /// \throws email_error The folder cannot be opened.
    explicit artifacts_folder(std::string const& path);
    artifacts_folder(artifacts_folder const&) = delete;
    artifacts_folder& operator=(artifacts_folder const&) = delete;
    ~artifacts_folder();

    /// Reads a file.
    ///
    /// \param path Path relative to the folder, or an absolute path that begins with the path of the folder.
    /// \param max_bytes Maximum size of the file.
    /// \throws email_error The path is rejected, or the file cannot be read or is too large.
    attachment read(std::string const& path, std::size_t max_bytes) const;

private:
    std::string path_; // without a final slash
    int fd_;
};

/// Returns the media type of a file by the end of its name; default: `application/octet-stream`.
std::string media_type(std::string_view name);

} // namespace mock_email

#endif
