#include <linkspan/http/server/http_service.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "recorder.hpp"
#include "serve_recording.hpp"
#include "server_config.hpp"
#include "tape_file.hpp"

namespace mock_servers {
namespace {

using linkspan::any_transport;
using linkspan::envelope;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::inbound_message;
using linkspan::inbound_notice;
using linkspan::test::tape_direction;

// A client over HTTP, and the process that serves it.
class served_client : public std::enable_shared_from_this<served_client> {
public:
    // `on_end`: called once, when both sides have ended.
    served_client(any_transport client, boost::asio::any_io_executor executor, linkspan::stdio_config command,
                  tape_file& tape, std::function<void(std::shared_ptr<served_client> const&)> on_end)
        : executor_(std::move(executor)), client_(std::move(client)), tape_(tape), on_end_(std::move(on_end))
    {
        command.on_stderr = [&tape](std::string_view line) {
            std::cerr << line << std::endl;
            tape.write(tape_direction::err, line);
        };
        command.close_grace = grace;
        server_.emplace(any_transport::make<linkspan::stdio>(executor_, command));
    }

    void start()
    {
        auto opened = [weak = weak_from_this()](error_code ec) {
            if (auto const self = weak.lock())
                self->on_open(ec);
        };
        server_->open({std::move(opened), executor_});
    }

    // Ends both sides. The process has some time to exit.
    void end()
    {
        if (std::exchange(is_ending_, true))
            return;
        client_.close();
        auto ended = [self = shared_from_this()](error_code) { self->on_end_(self); };
        server_->shutdown({std::move(ended), executor_});
    }

private:
    // Receives the messages of one side.
    struct side final : linkspan::receive_op, std::enable_shared_from_this<side> {
        side(std::weak_ptr<served_client> owner, tape_direction direction) : of(std::move(owner)), from(direction) {}

        void on_received(error_code ec, std::span<inbound const> batch) override
        {
            if (auto const owner = of.lock())
                owner->on_received(shared_from_this(), ec, batch);
        }

        std::weak_ptr<served_client> of;
        tape_direction from;
    };

    // A request of the client without a response.
    struct request {
        std::string id;       // JSON text
        std::uint64_t stream; // exchange of the response
    };

    void on_open(error_code ec)
    {
        if (ec) {
            std::cerr << "linkspan-mock: " << server_->diagnostics() << std::endl;
            return end();
        }
        client_.receive(std::make_shared<side>(weak_from_this(), tape_direction::in));
        server_->receive(std::make_shared<side>(weak_from_this(), tape_direction::out));
    }

    void on_received(std::shared_ptr<side> const& by, error_code ec, std::span<inbound const> batch)
    {
        bool const from_client = by->from == tape_direction::in;
        for (auto const& one : batch)
            if (auto const* const message = std::get_if<inbound_message>(&one))
                from_client ? on_client(*message) : on_server(message->bytes);
            else if (auto const* const notice = std::get_if<inbound_notice>(&one)) // HTTP has no place for it
                tape_.write(by->from, notice->text);
        if (ec)
            return end();
        if (!is_ending_)
            (from_client ? client_ : *server_).receive(by);
    }

    void on_client(inbound_message const& what)
    {
        tape_.write(tape_direction::in, what.bytes);
        auto const message = linkspan::read_envelope(what.bytes);
        if (message.what == envelope::kind::request)
            requests_.push_back({std::string(message.raw_id), what.stream});
        else if (message.method == "notifications/cancelled")
            on_cancelled(linkspan::json_scan::member(message.params, "requestId"));
        linkspan::outbound copy;
        copy.bytes = what.bytes;
        server_->send(copy);
        constexpr std::size_t max_queued = std::size_t{64} << 20;
        if (server_->queued_bytes() > max_queued) {
            std::cerr << "linkspan-mock: the server does not read its input" << std::endl;
            end();
        }
    }

    void on_cancelled(std::string_view id)
    {
        auto const found = std::ranges::find(requests_, id, &request::id);
        if (found == requests_.end())
            return;
        client_.abandon(static_cast<linkspan::request_id>(found->stream));
        requests_.erase(found);
    }

    // A response is sent on the exchange of its request. Another message is sent on that of the last request without a
    // response; without one, on the stream that the client has opened with GET.
    void on_server(std::string_view text)
    {
        tape_.write(tape_direction::out, text);
        auto const message = linkspan::read_envelope(text);
        linkspan::outbound copy;
        copy.bytes = text;
        if (message.is_response()) {
            auto const found = std::ranges::find(requests_, message.raw_id, &request::id);
            if (found == requests_.end())
                return; // the request was cancelled
            copy.stream = found->stream;
            requests_.erase(found);
        } else if (!requests_.empty()) {
            copy.stream = requests_.back().stream;
        }
        client_.send(copy);
    }

    boost::asio::any_io_executor executor_;
    any_transport client_;                                              // set by the constructor
    std::optional<any_transport> server_;                               // set by the constructor
    tape_file& tape_;                                                   // outlives this object
    std::vector<request> requests_;                                     // in the order of the client
    bool is_ending_ = false;                                            // set by end()
    std::function<void(std::shared_ptr<served_client> const&)> on_end_; // set by the constructor
};

// Serves the clients, each with a process of its own.
class command_recorder final : linkspan::http_service_backend {
public:
    command_recorder(boost::asio::any_io_executor const& executor, recording const& what)
        : executor_(executor),
          command_(what.server),
          tape_(executor, what, "http"),
          service_(executor, *this, options_for(*what.port))
    {}

    std::string url() { return service_.url(); }

    // Ends all clients. `done` is called once, when all processes have ended.
    void stop(std::function<void()> done)
    {
        on_stopped_ = std::move(done);
        service_.listener().async_stop(std::chrono::seconds(1), [this](error_code) { end_clients(); });
    }

private:
    static constexpr std::size_t max_clients = 16;

    static linkspan::http_service_options options_for(std::uint16_t port)
    {
        linkspan::http_service_options out;
        out.port = port;
        out.hosts = {"127.0.0.1", "localhost"};
        out.session_limits.max_sessions = max_clients;
        out.client_limits.max_requests_per_principal = 1'000;
        out.session_limits.idle_timeout = std::chrono::hours(1);
        return out;
    }

    void end_clients()
    {
        is_stopped_ = true;
        for (auto const& one : std::set(clients_))
            one->end();
        check_end();
    }

    void check_end()
    {
        if (is_stopped_ && clients_.empty())
            std::exchange(on_stopped_, [] {})();
    }

    std::vector<linkspan::protocol_version> const& protocol_versions() const override { return versions_; }
    linkspan::mirrored_arguments const* mirrored(std::string_view) override { return nullptr; }
    bool reuses_clients() const noexcept override { return true; }
    bool intercept(linkspan::http_server_request const& request, linkspan::http_exchange) override
    {
        tape_.hide_secrets_of(request.head);
        return false;
    }

    bool on_client(linkspan::http_client client) override
    {
        if (is_stopped_ || clients_.size() >= max_clients)
            return false;
        auto const one = std::make_shared<served_client>(std::move(client.transport), executor_, command_, tape_,
                                                         [this](std::shared_ptr<served_client> const& ended) {
                                                             clients_.erase(ended);
                                                             check_end();
                                                         });
        clients_.insert(one);
        one->start();
        return true;
    }

    boost::asio::any_io_executor executor_;
    linkspan::stdio_config command_; // set by the constructor
    tape_file tape_;                 // of all clients
    std::vector<linkspan::protocol_version> versions_ = [] {
        std::vector<linkspan::protocol_version> out;
        for (auto const& row : linkspan::protocol_versions)
            out.push_back(row.id);
        return out;
    }();
    std::set<std::shared_ptr<served_client>> clients_; // added by on_client(), removed when both sides have ended
    std::function<void()> on_stopped_;                 // set by stop(), called once
    bool is_stopped_ = false;                          // set when the listener has stopped
    linkspan::http_service service_;                   // destroyed before the clients
};

} // namespace

int record_http_to_command(recording const& what) { return serve_recording<command_recorder>(what); }

} // namespace mock_servers
