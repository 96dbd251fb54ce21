#include "tape_file.hpp"

#include <stdexcept>
#include <utility>

#include "../output_file.hpp"
#include "forwarded_head.hpp"

namespace mock_servers {

tape_file::tape_file(boost::asio::any_io_executor const& executor, recording const& what, std::string carrier)
    : path_(what.out),
      file_(open_output(path_)),
      tape_(file_, {.carrier = std::move(carrier), .redacts = what.redacts, .secrets = what.secrets}),
      time_(linkspan::time_source::of(executor)),
      start_(time_.now())
{
    if (!file_.flush())
        throw std::runtime_error(path_ + ": the tape cannot be written");
}

void tape_file::write(linkspan::test::tape_direction direction, std::string_view text)
{
    tape_.write({.time = time_.now() - start_, .direction = direction, .message = std::string(text)});
    if (!file_)
        throw std::runtime_error(path_ + ": the tape cannot be written");
}

void tape_file::hide_secrets_of(linkspan::http_head const& head)
{
    for (auto& one : secrets_of(head))
        tape_.add_secret(std::move(one));
}

} // namespace mock_servers
