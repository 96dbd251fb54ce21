#ifndef LINKSPAN_TEST_DETAIL_EXCHANGE_ACCESS_HPP
#define LINKSPAN_TEST_DETAIL_EXCHANGE_ACCESS_HPP

#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/test/detail/fault_target.hpp>

#include <cstdint>
#include <functional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The HTTP exchanges of one client of a scripted server.
class exchange_access final : public http_access {
public:
    // `exchange_of`: returns the exchange of a stream; null: it is complete.
    explicit exchange_access(std::function<http_exchange*(std::uint64_t stream)> exchange_of)
        : exchange_of_(std::move(exchange_of))
    {}

    http_exchange* exchange(std::uint64_t stream) override { return exchange_of_(stream); }

    void write(fault_step const& step, std::uint64_t stream) override
    {
        auto* const to = exchange_of_(stream);
        if (!to)
            return;
        switch (step.what) {
        case fault_step::kind::bytes: write_part(*to, step, stream); break;
        case fault_step::kind::http_bytes: to->raw(step.text); break;
        case fault_step::kind::end_response:
            if (std::exchange(event_, 0) == stream)
                to->text("\n\n");
            to->end();
            break;
        case fault_step::kind::cut: to->cut(); break;
        default: break; // executed by the connection
        }
    }

private:
    // The first part begins a response, or an event if the response is an event stream that has begun.
    void write_part(http_exchange& to, fault_step const& step, std::uint64_t stream)
    {
        if (std::exchange(begun_, stream) != stream) {
            if (!to.has_begun()) {
                to.begin_stream({{"Content-Type", "application/json"}});
            } else {
                event_ = stream;
                to.text("data: ");
            }
        }
        to.text(step.text);
    }

    std::function<http_exchange*(std::uint64_t)> exchange_of_; // set by the constructor
    std::uint64_t begun_ = 0; // stream of the last response of which a part was written; 0: none
    std::uint64_t event_ = 0; // stream of the event of which parts are written; 0: none
};

} // namespace linkspan::test::detail

#endif
