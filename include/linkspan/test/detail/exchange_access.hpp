#ifndef LINKSPAN_TEST_DETAIL_EXCHANGE_ACCESS_HPP
#define LINKSPAN_TEST_DETAIL_EXCHANGE_ACCESS_HPP

#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/test/detail/fault_target.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The HTTP exchanges of one client of a scripted server.
class exchange_access final : public http_access {
public:
    // The server of the exchanges. All functions must be set.
    struct functions {
        std::function<http_exchange*(std::uint64_t stream)> exchange_of;            // null: it is complete
        std::function<http_exchange::fields_type(std::uint64_t stream)> fields_of;  // of the response
        std::function<http_server_request const*(http_exchange const&)> request_of; // null: not known
        std::function<std::string(std::string_view message)> keep;                  // returns the id of an event
        std::function<void()> reset_next;                                           // resets a later connection
    };

    explicit exchange_access(functions server) : server_(std::move(server)) {}

    http_exchange* exchange(std::uint64_t stream) override { return server_.exchange_of(stream); }

    std::optional<std::string> header(std::uint64_t stream, std::string_view name) override
    {
        auto const* const request = request_on(stream);
        auto const found = request ? request->head.find(name) : std::nullopt;
        return found ? std::optional<std::string>(*found) : std::nullopt;
    }

    std::vector<std::pair<std::string, std::string>> headers(std::uint64_t stream) override
    {
        std::vector<std::pair<std::string, std::string>> out;
        auto const* const request = request_on(stream);
        for (std::size_t i = 0; request && i != request->head.size(); ++i) {
            auto const field = request->head.field_at(i);
            out.emplace_back(field.name, field.value);
        }
        return out;
    }

    // Over HTTP+SSE, each number has the exchange of the event stream, also one that no request has.
    bool has_one_stream() override { return server_.exchange_of(std::numeric_limits<std::uint64_t>::max()) != nullptr; }

    void write(fault_step const& step, std::uint64_t stream) override
    {
        auto* const to = server_.exchange_of(stream);
        if (!to)
            return;
        switch (step.what) {
        case fault_step::kind::bytes: write_part(*to, step, stream); break;
        case fault_step::kind::event_bytes:
            to->begin_stream(server_.fields_of(stream));
            to->text(step.text);
            break;
        case fault_step::kind::http_bytes:
            to->raw(step.adds_fields ? with_fields(step.text, stream) : step.text);
            break;
        case fault_step::kind::end_response:
            if (take(stream) == part::of_event)
                to->text("\n\n");
            if (!has_one_stream())
                to->end();
            break;
        case fault_step::kind::resumable:
            to->raw(with_fields(resumable_stream(server_.keep(step.text)), stream));
            to->cut();
            break;
        case fault_step::kind::reset_next: server_.reset_next(); break;
        case fault_step::kind::cut:
            take(stream);
            to->cut();
            break;
        default: break; // executed by the connection
        }
    }

private:
    // Target of the parts of a message: none yet, a response of type JSON, or an event of a stream.
    enum class part { none, of_response, of_event };

    // Adds the header fields of the regular response to a response of status 200.
    std::string with_fields(std::string text, std::uint64_t stream)
    {
        constexpr std::string_view status = "HTTP/1.1 200 OK\r\n";
        auto const at = text.find(status);
        if (at == text.npos)
            return text;
        std::string lines;
        for (auto const& [name, value] : server_.fields_of(stream))
            (((lines += name) += ": ") += value) += "\r\n";
        return text.insert(at + status.size(), lines);
    }

    // Returns the request of a stream; null: its exchange is complete.
    http_server_request const* request_on(std::uint64_t stream)
    {
        auto const* const on = server_.exchange_of(stream);
        return on ? server_.request_of(*on) : nullptr;
    }

    // Returns the state of a stream, and forgets it.
    part take(std::uint64_t stream)
    {
        auto const found = begun_.extract(stream);
        return found ? found.mapped() : part::none;
    }

    // The first part begins a response, or an event if the response is an event stream that has begun.
    void write_part(http_exchange& to, fault_step const& step, std::uint64_t stream)
    {
        auto& now = begun_[stream];
        if (now == part::none && !to.has_begun()) {
            now = part::of_response;
            auto fields = server_.fields_of(stream);
            fields.push_back({"Content-Type", "application/json"});
            to.begin_stream(fields);
        } else if (now == part::none) {
            now = part::of_event;
            to.text("data: ");
        }
        to.text(step.text);
    }

    functions server_;                    // set by the constructor
    std::map<std::uint64_t, part> begun_; // streams with parts of a message; removed at the end of the response
};

} // namespace linkspan::test::detail

#endif
