#include "sent_log.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
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
    states_[id] = state;
    if (file_.get() < 0)
        return;
    auto const line = std::string(names[static_cast<std::size_t>(state)]) + " " + id + "\n";
    if (::write(file_.get(), line.data(), line.size()) != static_cast<::ssize_t>(line.size()) ||
        ::fdatasync(file_.get()) != 0)
        throw email_error(std::string("The outcome of the message cannot be recorded: ") + std::strerror(errno));
}

} // namespace mock_email
