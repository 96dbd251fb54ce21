#include "front_end.hpp"

#include <linkspan/connector/process_usage.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/struct.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace pipeline {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using namespace std::chrono_literals;

// The body of `POST /questions`.
struct question_body {
    std::string question{};
    std::optional<std::string> to{};
};
LINKSPAN_STRUCT((question_body, closed), question, to)

linkspan::http_listener::options listener_options(std::uint16_t port)
{
    linkspan::http_listener::options out;
    out.port = port;
    out.max_connections = 64;
    out.limits.max_head = std::size_t{16} << 10;
    out.limits.max_body = std::size_t{64} << 10;
    out.limits.body_timeout = 10s;
    return out;
}

void refuse(linkspan::http_exchange& with, int status, std::string const& reason,
            linkspan::http_exchange::fields_type const& fields = {})
{
    json::object body;
    body["status"] = "error";
    body["text"] = reason;
    with.respond(status, fields, json::serialize(body));
}

// Returns whether the request is not from a web page of another site. Browsers add `Origin` to a POST of a page. A page
// whose host name was changed to an address of this computer has that name in `Host`.
bool is_local(linkspan::http_server_request const& what)
{
    auto const host = what.header("Host");
    auto const name = host.substr(0, host.rfind(':'));
    return what.header("Origin").empty() && (name == "127.0.0.1" || name == "localhost");
}

int status_of(answer const& what)
{
    if (what.status == "success")
        return 200;
    return what.failed_step == "question" ? 422 : what.failed_step == "database" ? 502 : 500;
}

} // namespace

// One question. The end of the timer, which is also cancelled by a disconnection and by the stop, cancels the question.
struct front_end::question {
    question(asio::any_io_executor const& executor, std::chrono::seconds timeout) : end(executor, timeout) {}

    asio::steady_timer end;
    int status_at_end = 504;
    std::string reason = "the question has no answer in time";
    linkspan::http_exchange with{};
    options how{};
    std::string text{};
};

front_end::front_end(asio::any_io_executor executor, linkspan::connector_base& servers, conversations& store,
                     options with, settings how)
    : executor_(std::move(executor)),
      servers_(servers),
      store_(store),
      options_(std::move(with)),
      port_(how.port),
      timeout_(how.timeout),
      delay_(executor_),
      listener_(executor_, *this, listener_options(how.port))
{}

std::string front_end::listen()
{
    linkspan::error_code ec;
    listener_.listen(ec);
    if (ec)
        throw std::runtime_error("cannot listen on port " + std::to_string(port_) + ": " + ec.message());
    delay_.start();
    return "http://127.0.0.1:" + std::to_string(listener_.port());
}

asio::awaitable<void> front_end::stop()
{
    delay_.stop();
    for (auto const& one : questions_) {
        if (auto const asked = one.lock()) {
            asked->status_at_end = 503;
            asked->reason = "the program is being stopped";
            asked->end.cancel();
        }
    }
    co_await listener_.async_stop(1s, asio::as_tuple(asio::use_awaitable));
}

void front_end::on_request(linkspan::http_server_request const& what, linkspan::http_exchange with)
{
    auto const path = what.target().substr(0, what.target().find('?'));
    bool const is_state = path == "/state";
    std::string const method = is_state ? "GET" : "POST";
    if (!is_local(what))
        refuse(with, 403, "a request from another site is not allowed");
    else if (!is_state && path != "/questions")
        refuse(with, 404, "expected the path /questions or /state");
    else if (what.method() != method)
        refuse(with, 405, "expected the method " + method, {{"Allow", method}});
    else if (is_state)
        with.respond(200, {}, state());
    else
        post_question(what, with);
}

void front_end::post_question(linkspan::http_server_request const& what, linkspan::http_exchange& with)
{
    question_body body;
    linkspan::mismatches problems;
    if (!linkspan::decode(body, what.body, problems))
        return refuse(with, 400, to_string(problems));
    auto const asked = std::make_shared<question>(executor_, timeout_);
    asked->with = with;
    asked->how = options_;
    asked->how.recipient = body.to.value_or(options_.recipient);
    asked->text = std::move(body.question);
    std::erase_if(questions_, [](auto const& one) { return one.expired(); });
    questions_.push_back(asked);
    with.on_disconnect([one = std::weak_ptr(asked)] {
        if (auto const still = one.lock())
            still->end.cancel();
    });
    asio::co_spawn(executor_, respond(servers_, store_, asked), [with](std::exception_ptr failure) mutable {
        if (failure) // no memory
            with.fail();
    });
}

asio::awaitable<void> front_end::respond(linkspan::connector_base& servers, conversations& store,
                                         question_pointer asked)
{
    using asio::experimental::wait_for_one;
    auto const executor = co_await asio::this_coro::executor;
    auto both = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, ask(servers, store, asked->how, asked->text), asio::deferred),
        asked->end.async_wait(asio::deferred));
    auto const [order, failure, found, ec] = co_await both.async_wait(wait_for_one(), asio::use_awaitable);
    // An answer that was completed while the timer expired is sent: the message was sent, and must not be sent again.
    bool const is_complete = !failure && found.status == "success";
    if (order[0] == 1 && !is_complete)
        co_return refuse(asked->with, asked->status_at_end, asked->reason);
    if (failure)
        std::rethrow_exception(failure);
    std::string text;
    linkspan::encode(text, found);
    asked->with.respond(status_of(found), {}, text);
}

std::string front_end::state()
{
    auto now = servers_.state();
    linkspan::add_process_usage(now);
    auto out = to_json(now);
    out["handler_delay"] = std::chrono::duration<double>(delay_.take_max()).count();
    return json::serialize(out);
}

} // namespace pipeline
