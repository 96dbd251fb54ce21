// A call of minutes as a task: its start, its question to the end user, and its result. In virtual time.

#include <linkspan.hpp>
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
    studio.set_handler<linkspan::elicitation>([](linkspan::elicit_request const&, auto reply) {
        linkspan::elicit_result yes;
        yes.action = linkspan::elicit_action::accept;
        reply(yes);
    });
    co_await studio.async_open();
    auto const list = co_await studio.async_list_tools();
    auto const started = co_await linkspan::async_start_task(studio, list.tools.at(0));
    if (started.task)
        log = co_await wait(studio, started.task->id); // a program can store the id
    else
        log = started.result.text(); // the server has responded with the result
}
//]

int main()
{
    linkspan::test::world here; // virtual time
    linkspan::server own(here.executor, {.name = "studio", .version = "1.0"});
    linkspan::tool tool{.name = "render", .input_schema = R"({"type":"object"})", .tasks = task_support::optional};
    own.add(tool, render);
    linkspan::session studio(here.executor, linkspan::via<linkspan::inproc>(inproc_to(own)));
    std::string log;
    bool done = false;
    asio::co_spawn(here.executor, draw(studio, log), [&done](std::exception_ptr) { done = true; });
    here.time.run_until([&done] { return done; });
    log += " after " + std::to_string(here.time.now().time_since_epoch() / minutes(1)) + " minutes";
    std::cout << log << '\n';
    return log == "large after 3 minutes" ? 0 : 1;
}
