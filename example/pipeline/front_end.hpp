#ifndef LINKSPAN_EXAMPLE_PIPELINE_FRONT_END_HPP
#define LINKSPAN_EXAMPLE_PIPELINE_FRONT_END_HPP

#include <linkspan/connector.hpp>
#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/observe/handler_delay.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conversations.hpp"
#include "pipeline.hpp"

namespace pipeline {

/// The pipeline over HTTP, on 127.0.0.1: `POST /questions` answers a question, and `GET /state` returns the state of
/// the servers, and the longest delay of a handler since the last request. Questions of several connections are
/// answered concurrently.
///
/// A web page cannot use the front end: a request with an `Origin`, or with the `Host` of another site, is refused.
class front_end final : private linkspan::http_request_handler {
public:
    /// Options of the front end.
    struct settings {
        std::uint16_t port = 0;           ///< local port; 0: a free one
        std::chrono::seconds timeout{60}; ///< time until a question has an answer
    };

    /// \param servers A connector with the servers `db` and `email`. Must outlive the questions.
    /// \param store The store of the conversations. Must outlive the questions.
    /// \param with Options of each question; `recipient` is the default for questions without one.
    front_end(boost::asio::any_io_executor executor, linkspan::connector_base& servers, conversations& store,
              options with, settings how);

    /// Starts to accept connections. Returns the URL.
    ///
    /// \throws std::runtime_error The port is not available.
    std::string listen();

    /// Cancels the questions, responds to them with 503, and closes all connections.
    boost::asio::awaitable<void> stop();

private:
    struct question;
    using question_pointer = std::shared_ptr<question>;

    void on_request(linkspan::http_server_request const& what, linkspan::http_exchange with) override;
    void post_question(linkspan::http_server_request const& what, linkspan::http_exchange& with);
    std::string state();
    static boost::asio::awaitable<void> respond(linkspan::connector_base& servers, conversations& store,
                                                question_pointer asked);

    boost::asio::any_io_executor executor_;
    linkspan::connector_base& servers_;
    conversations& store_;
    options options_;
    std::uint16_t port_;
    std::chrono::seconds timeout_;
    std::vector<std::weak_ptr<question>> questions_; // without an answer, and some that have one
    linkspan::handler_delay delay_;                  // from listen() to stop()
    linkspan::http_listener listener_;
};

} // namespace pipeline

#endif
