#ifndef LINKSPAN_TEST_DETAIL_EXCHANGE_ACCESS_HPP
#define LINKSPAN_TEST_DETAIL_EXCHANGE_ACCESS_HPP

#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/test/detail/fault_target.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The HTTP exchanges of one client of a scripted server.
class exchange_access final : public http_access {
public:
    // `exchange_of`: returns the exchange of a stream; null: it is complete. `request_of`: returns the request of an
    // exchange; null: not known.
    exchange_access(std::function<http_exchange*(std::uint64_t stream)> exchange_of,
                    std::function<http_server_request const*(http_exchange const&)> request_of)
        : exchange_of_(std::move(exchange_of)), request_of_(std::move(request_of))
    {}

    http_exchange* exchange(std::uint64_t stream) override { return exchange_of_(stream); }

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

    void write(fault_step const& step, std::uint64_t stream) override
    {
        auto* const to = exchange_of_(stream);
        if (!to)
            return;
        switch (step.what) {
        case fault_step::kind::bytes: write_part(*to, step, stream); break;
        case fault_step::kind::http_bytes: to->raw(step.text); break;
        case fault_step::kind::end_response:
            if (take(stream) == part::of_event)
                to->text("\n\n");
            to->end();
            break;
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

    // Returns the request of a stream; null: its exchange is complete.
    http_server_request const* request_on(std::uint64_t stream)
    {
        auto const* const on = exchange_of_(stream);
        return on ? request_of_(*on) : nullptr;
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
            to.begin_stream({{"Content-Type", "application/json"}});
        } else if (now == part::none) {
            now = part::of_event;
            to.text("data: ");
        }
        to.text(step.text);
    }

    std::function<http_exchange*(std::uint64_t)> exchange_of_;                   // set by the constructor
    std::function<http_server_request const*(http_exchange const&)> request_of_; // set by the constructor
    std::map<std::uint64_t, part> begun_; // streams with parts of a message; removed at the end of the response
};

} // namespace linkspan::test::detail

#endif
