#ifndef LINKSPAN_TEST_DETAIL_SCRIPTED_BACKEND_HPP
#define LINKSPAN_TEST_DETAIL_SCRIPTED_BACKEND_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_service.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/server/http_backend.hpp>
#include <linkspan/test/http_server_options.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// A scripted server behind an `http_service`, with the requests that it received and its fixed responses.
//
// Invariant: `served_` has each exchange that was passed to intercept() and is not over; its index identifies an
// element of `requests_`.
class scripted_backend final : private http_service_backend {
public:
    LINKSPAN_DECL scripted_backend(asio::any_io_executor executor, scripted_server& server,
                                   http_server_options options);

    http_service& service() noexcept { return service_; }
    http_service const& service() const noexcept { return service_; }
    std::vector<http_server_request> const& requests() const noexcept { return requests_; }

    struct fixed_response {
        std::string method, part;
        int status;
        http_exchange::fields_type fields;
        std::string body;
    };
    std::vector<fixed_response> fixed_responses; // each removed when it is sent

    // Set by `http_server::set_interceptor`, never cleared; empty: none. The function returns
    // true if it sends the response.
    std::function<bool(http_server_request const&, http_exchange)> first;

private:
    LINKSPAN_DECL std::vector<protocol_version> const& protocol_versions() const override;
    LINKSPAN_DECL mirrored_arguments const* mirrored(std::string_view tool) override;
    LINKSPAN_DECL bool on_client(http_client client) override;
    // A stateless request is a connection of the scripted server, which executes the remaining actions of its rule
    // after the response, and has the capabilities of the time at which it was opened.
    bool reuses_clients() const noexcept override { return false; }
    LINKSPAN_DECL bool intercept(http_server_request const& request, http_exchange with) override;
    LINKSPAN_DECL void on_authentication_defect(std::string_view what) override;

    asio::any_io_executor executor_;     // of all handlers; set by the constructor
    scripted_server& server_;            // set by the constructor
    std::optional<http_backend> behind_; // of the server behind the rules; set by the constructor; empty: none

    // An exchange that may be outstanding, and the index of its request.
    struct served_exchange {
        http_exchange exchange;
        std::size_t request;
    };

    // Executes the rule for an HTTP request. Returns whether the actions respond, or have not decided yet.
    bool apply_rule(http_server_request const& request, http_exchange with);

    // Returns the request of an exchange; null: the exchange is over.
    http_server_request const* request_of(http_exchange const& which) const;

    // Keeps a message of a stream that has ended, and returns the id of the event before it.
    std::string keep(std::string_view message);

    // Sends the kept message after the event with the given id. Returns false if there is none.
    bool resume(std::optional<std::string_view> last_event, http_exchange& with);

    std::vector<http_server_request> requests_; // all requests; added by intercept(), never removed
    std::vector<served_exchange> served_;       // added by intercept(), removed by it when they are over
    std::deque<std::string> kept_;              // the last messages of keep(); the oldest are removed by it
    std::size_t first_kept_ = 1;                // number of the first of `kept_`, which is a part of the id
    // Mirrored arguments of the tool of the last request; mirrored() returns a pointer to them.
    mirrored_arguments mirrored_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true); // expires with this object
    http_service service_;
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/scripted_backend.ipp>
#endif

#endif
