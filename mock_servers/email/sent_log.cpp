#include "sent_log.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <unistd.h>

#include "attachment.hpp"

namespace mock_email {

namespace {

constexpr std::array<std::string_view, 3> names{"none", "begun", "sent"};

} // namespace

sent_log::sent_log(std::string const& path)
{
    if (path.empty())
        return;
    file_ = linkspan::detail::unique_fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    if (file_.get() < 0)
        throw email_error("cannot open '" + path + "': " + std::strerror(errno));
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
        throw email_error("'" + path + "' is used by another process");
    std::ifstream in(path, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    std::size_t at = 0;
    for (int line = 1;; ++line) {
        auto const end = text.find('\n', at);
        if (end == text.npos)
            break;
        auto const content = text.substr(at, end - at);
        auto const space = content.find(' ');
        std::size_t state = 0;
        while (state != names.size() && names[state] != content.substr(0, space))
            ++state;
        if (space == content.npos || state == names.size())
            throw email_error(path + ": line " + std::to_string(line) +
                              ": expected 'none', 'begun' or 'sent', and a Message-ID");
        states_[content.substr(space + 1)] = static_cast<delivery>(state);
        at = end + 1;
    }
    if (at != text.size() && ::ftruncate(file_.get(), static_cast<::off_t>(at)) != 0)
        throw email_error("cannot write '" + path + "': " + std::strerror(errno));
}

delivery sent_log::find(std::string const& id) const
{
    auto const found = states_.find(id);
    return found == states_.end() ? delivery::none : found->second;
}

void sent_log::record(std::string const& id, delivery state)
{
    if (state == delivery::sent) // the message is not sent again, even if this cannot be written
        states_[id] = state;
    write(std::string(names[static_cast<std::size_t>(state)]) + " " + id + "\n");
    states_[id] = state;
}

void sent_log::write(std::string const& line)
{
    if (file_.get() < 0)
        return;
    if (is_damaged_)
        throw email_error("The outcome of the message cannot be recorded: the file has an incomplete line.");
    auto const size = ::lseek(file_.get(), 0, SEEK_END);
    if (::write(file_.get(), line.data(), line.size()) == static_cast<::ssize_t>(line.size()) &&
        ::fdatasync(file_.get()) == 0)
        return;
    std::string const reason = std::strerror(errno);
    // A part of a line would be read as a part of the next one.
    is_damaged_ = ::ftruncate(file_.get(), size) != 0;
    throw email_error("The outcome of the message cannot be recorded: " + reason + ".");
}

} // namespace mock_email
