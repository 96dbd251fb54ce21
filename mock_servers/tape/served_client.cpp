#include "served_client.hpp"

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <utility>
#include <variant>

namespace mock_servers {

using linkspan::envelope;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::inbound_message;
using linkspan::inbound_notice;
using linkspan::inbound_report;
using linkspan::test::tape_direction;

struct served_client::side final : linkspan::receive_op, std::enable_shared_from_this<side> {
    side(std::weak_ptr<served_client> owner, tape_direction direction) : of(std::move(owner)), from(direction) {}

    void on_received(error_code ec, std::span<inbound const> batch) override
    {
        if (auto const owner = of.lock())
            owner->on_received(shared_from_this(), ec, batch);
    }

    std::weak_ptr<served_client> of;
    tape_direction from;
};

served_client::served_client(linkspan::any_transport client, boost::asio::any_io_executor executor, options with)
    : executor_(std::move(executor)), client_(std::move(client)), with_(std::move(with))
{
    if (with_.is_over_http)
        over_http_.emplace();
}

void served_client::start()
{
    client_.receive(std::make_shared<side>(weak_from_this(), tape_direction::in));
    auto opened = [weak = weak_from_this()](error_code ec) {
        if (auto const self = weak.lock())
            self->on_open(ec);
    };
    with_.server.open({std::move(opened), executor_});
}

void served_client::end()
{
    if (std::exchange(is_ending_, true))
        return;
    client_.close();
    auto ended = [self = shared_from_this()](error_code) {
        if (self->server_ended_) // now with the exit status of a process
            std::cerr << "linkspan-mock: the connection to the server has ended: " << self->with_.server.diagnostics()
                      << std::endl;
        if (self->with_.on_end)
            self->with_.on_end(self);
    };
    with_.server.shutdown({std::move(ended), executor_});
}

void served_client::on_open(error_code ec)
{
    if (ec) {
        std::cerr << "linkspan-mock: " << with_.server.diagnostics() << std::endl;
        return end();
    }
    is_open_ = true;
    for (auto const& text : std::exchange(early_, {}))
        send(text);
    if (!is_ending_)
        with_.server.receive(std::make_shared<side>(weak_from_this(), tape_direction::out));
}

void served_client::on_received(std::shared_ptr<side> const& by, error_code ec, std::span<inbound const> batch)
{
    bool const from_client = by->from == tape_direction::in;
    for (auto const& one : batch)
        if (auto const* const message = std::get_if<inbound_message>(&one))
            from_client ? on_client(message->bytes, message->stream)
                        : on_server(over_http_ ? over_http_->on_server(message->bytes, message->exchange)
                                               : std::string(message->bytes));
        else if (auto const* const report = std::get_if<inbound_report>(&one); report && !from_client)
            on_report(*report);
        else if (auto const* const notice = std::get_if<inbound_notice>(&one)) // a client over HTTP has no place for it
            write(by->from, notice->text);
    if (ec) {
        server_ended_ = server_ended_ || (!from_client && !is_ending_);
        return end();
    }
    if (!is_ending_)
        (from_client ? client_ : with_.server).receive(by);
}

void served_client::on_client(std::string_view text, std::uint64_t stream)
{
    write(tape_direction::in, text);
    auto const message = linkspan::read_envelope(text);
    if (message.what == envelope::kind::request)
        requests_.push_back({std::string(message.raw_id), stream});
    else if (message.method == "notifications/cancelled")
        on_cancelled(linkspan::json_scan::member(message.params, "requestId"));
    if (is_open_)
        send(text);
    else
        early_.emplace_back(text);
}

void served_client::send(std::string_view text)
{
    if (over_http_) {
        auto const sent = over_http_->on_client(text);
        if (sent.ended)
            over_http_->forget(*sent.ended);
        if (!sent.ended || with_.server.abandon(*sent.ended) == linkspan::abandon_result::peer_not_notified)
            with_.server.send(sent.message);
    } else {
        linkspan::outbound copy;
        copy.bytes = text;
        with_.server.send(copy);
    }
    constexpr std::size_t max_queued = std::size_t{64} << 20;
    if (with_.server.queued_bytes() > max_queued) {
        std::cerr << "linkspan-mock: the server does not read its input" << std::endl;
        end();
    }
}

void served_client::on_cancelled(std::string_view id)
{
    auto const found = std::ranges::find(requests_, id, &request::id);
    if (found == requests_.end())
        return;
    client_.abandon(static_cast<linkspan::request_id>(found->stream));
    requests_.erase(found);
}

// A response is sent on the exchange of its request. Another message is sent on that of the last request without a
// response; without one, on the stream that the client has opened with GET.
void served_client::on_server(std::string_view text)
{
    write(tape_direction::out, text);
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

// The client would wait for a response without an end.
void served_client::on_report(inbound_report const& report)
{
    if (!over_http_)
        return;
    auto const failure = over_http_->on_report(report);
    std::cerr << "linkspan-mock: " << failure.reason << std::endl;
    if (!failure.response.empty())
        on_server(failure.response);
}

void served_client::write(tape_direction from, std::string_view text) const
{
    if (with_.on_message)
        with_.on_message(from, text);
}

} // namespace mock_servers
