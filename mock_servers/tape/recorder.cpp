#include "recorder.hpp"

#include <linkspan/core/time.hpp>
#include <linkspan/test/tape.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/standard_streams.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <memory>
#include <poll.h>
#include <span>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <variant>

namespace mock_servers {
namespace {

using linkspan::any_transport;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::test::tape_direction;
using linkspan::test::tape_writer;

// Writes a line to stdout, which may be non-blocking. A client that does not read delays the server, as without this
// program. Returns whether the client can still receive.
bool write_line(std::string text)
{
    text += '\n';
    std::string_view rest = text;
    while (!rest.empty()) {
        auto const written = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (written > 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
            ::poll(&output, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

// The client and the server of a recording.
class recorder {
public:
    recorder(boost::asio::io_context& context, recording what)
        : executor_(context.get_executor()),
          file_(what.out, std::ios::trunc),
          tape_(file_, {.carrier = "stdio", .redacts = what.redacts, .secrets = std::move(what.secrets)})
    {
        if (!file_)
            throw std::runtime_error("the tape '" + what.out + "' cannot be written");
        what.server.on_stderr = [this](std::string_view line) {
            std::cerr << line << std::endl;
            write(tape_direction::err, line);
        };
        server_.emplace(any_transport::make<linkspan::stdio>(executor_, what.server));
        client_.emplace(any_transport::make<linkspan::line_connection<linkspan::standard_streams>>(
            executor_, linkspan::standard_streams_config()));
    }

    // Starts to pass messages on.
    void start()
    {
        server_->open({[this](error_code ec) { on_open(ec); }, executor_});
    }

    int status() const noexcept { return status_; }

private:
    // Receives the messages of one side.
    struct side final : linkspan::receive_op, std::enable_shared_from_this<side> {
        side(recorder& owner, tape_direction direction) : of(owner), from(direction) {}

        void on_received(error_code ec, std::span<inbound const> batch) override
        {
            of.on_received(shared_from_this(), ec, batch);
        }

        recorder& of;
        tape_direction from;
    };

    void on_open(error_code ec)
    {
        if (ec)
            throw boost::system::system_error(ec, server_->diagnostics());
        client_->open({[this](error_code) {
                           client_->receive(std::make_shared<side>(*this, tape_direction::in));
                           server_->receive(std::make_shared<side>(*this, tape_direction::out));
                       },
                       executor_});
    }

    void write(tape_direction direction, std::string_view text)
    {
        tape_.write({.time = linkspan::time_source::of(executor_).now() - start_,
                     .direction = direction,
                     .message = std::string(text)});
        if (!file_)
            throw std::runtime_error("the tape cannot be written any more");
    }

    void on_received(std::shared_ptr<side> const& by, error_code ec, std::span<inbound const> batch)
    {
        bool const from_client = by->from == tape_direction::in;
        for (auto const& one : batch) {
            auto const* const message = std::get_if<linkspan::inbound_message>(&one);
            auto const* const notice = std::get_if<linkspan::inbound_notice>(&one);
            if (!message && !notice)
                continue;
            auto const text = message ? message->bytes : notice->text;
            write(by->from, text);
            if (!from_client) {
                client_reads_ = client_reads_ && write_line(std::string(text));
                continue;
            }
            linkspan::outbound copy;
            copy.bytes = text;
            server_->send(copy);
        }
        if (!ec)
            return (from_client ? *client_ : *server_).receive(by);
        if (std::exchange(is_ending_, true))
            return;
        auto end = [this](error_code) {
            status_ = server_->exited_cleanly() ? 0 : 1;
            client_->shutdown({[](error_code) {}, executor_});
        };
        server_->shutdown({std::move(end), executor_});
    }

    boost::asio::any_io_executor executor_;
    std::ofstream file_;
    tape_writer tape_;
    std::optional<any_transport> server_, client_; // made by the constructor
    linkspan::time_point start_ = linkspan::time_source::of(executor_).now();
    bool is_ending_ = false;   // set when one side has ended
    bool client_reads_ = true; // cleared when stdout cannot be written
    int status_ = 0;           // set when the server has ended
};

} // namespace

int record(recording what)
{
    constexpr std::chrono::seconds grace{10}; // to respond to the requests that the client has sent before it ended
    what.server.close_grace = grace;
    std::signal(SIGPIPE, SIG_IGN);
    boost::asio::io_context context(1);
    recorder session(context, std::move(what));
    session.start();
    context.run();
    return session.status();
}

} // namespace mock_servers
