// A call of minutes as a task: its start, its question to the end user, and its result. In virtual time.

#include <linkspan.hpp>
#include <linkspan/connector/tasks.hpp>
#include <linkspan/server.hpp>
#include <linkspan/session/tasks.hpp>
#include <linkspan/test/case.hpp>

#include <boost/asio/co_spawn.hpp>

#include <iostream>

namespace asio = boost::asio;
using linkspan::task_support, std::chrono::minutes;

// The server asks for the size of the picture, and then renders it for 3 minutes.
asio::awaitable<void> render(linkspan::server_request request)
{
    request.become_task();
    linkspan::elicit_request question;
    question.message = "A large picture?";
    auto const answer = co_await request.async_ask<linkspan::elicitation>(question, linkspan::throwing);
    linkspan::timer pause(request.get_executor());
    pause.expires_after(minutes(3));
    co_await pause.async_wait(asio::use_awaitable);
    bool const is_large = answer.action == linkspan::elicit_action::accept;
    request.complete(linkspan::tool_output::text(is_large ? "large" : "small"));
}

void accept_question(linkspan::elicit_request const&, linkspan::typed_responder<linkspan::elicitation> reply)
{
    linkspan::elicit_result yes;
    yes.action = linkspan::elicit_action::accept;
    reply(yes);
}

//[ wait
asio::awaitable<std::string> wait(linkspan::session& studio, std::string id)
{
    auto const found = co_await linkspan::async_get_task(studio, id); // fails with -32602 if the task has expired
    linkspan::call_options options;
    options.timeout = minutes(10); // of the wait; the task continues after it
    co_return (co_await linkspan::async_wait_task(studio, *found, options)).text();
}
//]
//[ start
asio::awaitable<void> draw(linkspan::session& studio, std::string& log)
{
    studio.set_handler<linkspan::elicitation>(accept_question);
    co_await studio.async_open();
    auto const list = co_await studio.async_list_tools();
    auto const started = co_await linkspan::async_start_task(studio, list.tools.at(0));
    if (started.task)
        log = co_await wait(studio, started.task->id); // a program can store the id
    else
        log = started.result.text(); // the server has responded with the result
}
//]

using hub_type = linkspan::connector<linkspan::transports<linkspan::inproc>>;

//[ connector
asio::awaitable<void> draw(hub_type& studios, std::string& log)
{
    studios.set_handler<linkspan::elicitation>(accept_question);
    co_await studios.async_open();
    auto const started = co_await linkspan::async_start_task(studios, "render");
    if (started.task) {
        auto const studio = linkspan::find_session(studios, started.result.server()); // has the task
        log = (co_await linkspan::async_wait_task(studio.value(), *started.task)).text();
    }
}
//]

// Runs the operation of one of the functions, and appends the minutes that it took.
void run(linkspan::test::world& here, asio::awaitable<void> operation, std::string& log)
{
    bool done = false;
    auto const start = here.time.now();
    asio::co_spawn(here.executor, std::move(operation), [&done](std::exception_ptr) { done = true; });
    here.time.run_until([&done] { return done; });
    log += " after " + std::to_string((here.time.now() - start) / minutes(1)) + " minutes";
}

int main()
{
    linkspan::test::world here; // virtual time
    linkspan::server own(here.executor, {.name = "studio", .version = "1.0"});
    linkspan::tool tool{.name = "render", .input_schema = R"({"type":"object"})", .tasks = task_support::optional};
    own.add(tool, render);
    linkspan::session studio(here.executor, linkspan::via<linkspan::inproc>(inproc_to(own)));
    std::string log, second;
    run(here, draw(studio, log), log);
    hub_type studios(here.executor);
    studios.add<linkspan::inproc>("studio", inproc_to(own));
    run(here, draw(studios, second), second);
    std::cout << log << ", " << second << '\n';
    return log == second && log == "large after 3 minutes" ? 0 : 1;
}
