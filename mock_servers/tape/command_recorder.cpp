#include <linkspan/http/server/http_service.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recorder.hpp"
#include "serve_recording.hpp"
#include "served_client.hpp"
#include "server_config.hpp"
#include "tape_file.hpp"

namespace mock_servers {
namespace {

using linkspan::error_code;
using linkspan::test::tape_direction;

// Serves the clients, each with a process of its own.
class command_recorder final : linkspan::http_service_backend {
public:
    command_recorder(boost::asio::any_io_executor const& executor, recording const& what)
        : executor_(executor),
          command_(what.server),
          tape_(executor, what, "http"),
          service_(executor, *this, options_for(*what.port))
    {
        command_.on_stderr = [this](std::string_view line) {
            std::cerr << line << std::endl;
            tape_.write(tape_direction::err, line);
        };
        command_.close_grace = grace;
    }

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
        served_client::options with{
            .server = linkspan::any_transport::make<linkspan::stdio>(executor_, command_),
            .on_message = [this](tape_direction from, std::string_view text) { tape_.write(from, text); },
            .on_end =
                [this](std::shared_ptr<served_client> const& ended) {
                    clients_.erase(ended);
                    check_end();
                }};
        auto const one = std::make_shared<served_client>(std::move(client.transport), executor_, std::move(with));
        clients_.insert(one);
        one->start();
        return true;
    }

    boost::asio::any_io_executor executor_;
    linkspan::stdio_config command_; // of each process; set by the constructor
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
