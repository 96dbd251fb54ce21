#include "recorder.hpp"

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/standard_streams.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/io_context.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <iostream>
#include <memory>
#include <optional>
#include <poll.h>
#include <span>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <variant>

#include "http_messages.hpp"
#include "server_config.hpp"
#include "tape_file.hpp"

namespace mock_servers {
namespace {

using linkspan::any_transport;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::inbound_message;
using linkspan::inbound_notice;
using linkspan::inbound_report;
using linkspan::test::tape_direction;

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
          tape_(executor_, what, what.url.empty() ? "stdio" : "http"),
          wait_(executor_)
    {
        if (what.url.empty()) {
            what.server.on_stderr = [this](std::string_view line) {
                std::cerr << line << std::endl;
                tape_.write(tape_direction::err, line);
            };
            server_.emplace(any_transport::make<linkspan::stdio>(executor_, what.server));
        } else {
            over_http_.emplace();
            server_.emplace(any_transport::make<linkspan::auto_http>(executor_, server_config(what.url)));
        }
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
            throw std::runtime_error(server_->diagnostics().empty() ? ec.message() : server_->diagnostics());
        client_->open({[this](error_code) {
                           client_->receive(std::make_shared<side>(*this, tape_direction::in));
                           server_->receive(std::make_shared<side>(*this, tape_direction::out));
                       },
                       executor_});
    }

    void on_received(std::shared_ptr<side> const& by, error_code ec, std::span<inbound const> batch)
    {
        bool const from_client = by->from == tape_direction::in;
        for (auto const& one : batch)
            if (auto const* const message = std::get_if<inbound_message>(&one))
                pass_on(from_client, message->bytes, message->exchange);
            else if (auto const* const report = std::get_if<inbound_report>(&one))
                on_report(*report);
            else if (auto const& notice = std::get<inbound_notice>(one); !over_http_ || from_client)
                pass_on(from_client, notice.text, 0);
        if (!ec) {
            (from_client ? *client_ : *server_).receive(by);
            if (is_ending_ && over_http_ && over_http_->outstanding() == 0)
                wait_.cancel();
            return;
        }
        if (std::exchange(is_ending_, true))
            return;
        if (from_client && over_http_ && over_http_->outstanding() != 0)
            return end_after_responses();
        end();
    }

    // `exchange`: request whose HTTP exchange delivered the message; 0: not known.
    void pass_on(bool from_client, std::string_view text, linkspan::request_id exchange)
    {
        if (!from_client)
            return respond(over_http_ ? over_http_->on_server(text, exchange) : std::string(text));
        tape_.write(tape_direction::in, text);
        if (!over_http_) {
            linkspan::outbound copy;
            copy.bytes = text;
            return server_->send(copy);
        }
        auto const sent = over_http_->on_client(text);
        if (sent.ended) {
            over_http_->forget(*sent.ended);
            if (server_->abandon(*sent.ended) != linkspan::abandon_result::peer_not_notified)
                return;
        }
        server_->send(sent.message);
    }

    void respond(std::string text)
    {
        tape_.write(tape_direction::out, text);
        client_reads_ = client_reads_ && write_line(std::move(text));
    }

    // A client on standard streams would wait for a response without an end.
    void on_report(inbound_report const& report)
    {
        if (!over_http_)
            return;
        auto failure = over_http_->on_report(report);
        std::cerr << "linkspan-mock: " << failure.reason << std::endl;
        if (!failure.response.empty())
            respond(std::move(failure.response));
    }

    // Gives a server over HTTP the time in which a command may respond after the end of its input.
    void end_after_responses()
    {
        wait_.expires_after(grace);
        wait_.async_wait([this](error_code) { end(); });
    }

    void end()
    {
        auto on_end = [this](error_code) {
            status_ = over_http_ || server_->exited_cleanly() ? 0 : 1;
            client_->shutdown({[](error_code) {}, executor_});
        };
        server_->shutdown({std::move(on_end), executor_});
    }

    boost::asio::any_io_executor executor_;
    tape_file tape_;
    std::optional<http_messages> over_http_;       // set by the constructor if the server is one over HTTP
    std::optional<any_transport> server_, client_; // made by the constructor
    linkspan::timer wait_;                         // runs after the end of the client while responses are outstanding
    bool is_ending_ = false;                       // set when one side has ended
    bool client_reads_ = true;                     // cleared when stdout cannot be written
    int status_ = 0;                               // set when the server has ended
};

} // namespace

int record_streams(recording what)
{
    what.server.close_grace = grace;
    std::signal(SIGPIPE, SIG_IGN);
    boost::asio::io_context context(1);
    recorder session(context, std::move(what));
    session.start();
    context.run();
    return session.status();
}

} // namespace mock_servers
