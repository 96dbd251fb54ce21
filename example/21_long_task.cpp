// A tool that takes minutes: a client requests a task, reads its status, and receives its result or cancels it. A
// client without tasks waits for the response and receives the progress. In virtual time, the minutes take no time.

#include <linkspan.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/server.hpp>
#include <linkspan/test/case.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/json/parse.hpp>

#include <iostream>

namespace asio = boost::asio;
using boost::json::object, linkspan::task_support, std::chrono::minutes;

//[ render
asio::awaitable<void> render(linkspan::server_request request)
{
    request.become_task(); // no effect if the client has not requested a task, or a limit is reached
    auto const pause = std::make_shared<linkspan::timer>(request.get_executor());
    request.on_cancelled([pause] { pause->cancel(); });
    for (int frame = 1; frame <= 3 && !request.is_over(); ++frame) {
        pause->expires_after(minutes(1));
        co_await pause->async_wait(asio::as_tuple(asio::deferred));
        request.report_progress(frame, 3);
    }
    request.complete(linkspan::tool_output::text("3 frames")); // no effect after a cancellation
}
//]
//[ client
asio::awaitable<void> use(linkspan::session& client, std::string& log)
{
    co_await client.async_open();
    object const call{{"name", "render"}, {"task", {{"ttl", 600'000}}}}, none; // as in 2025-11-25
    object ids[2];
    for (auto& id : ids) {
        auto const created = co_await client.async_request("tools/call", call);
        id["taskId"] = boost::json::parse(created.raw()).at("task").at("taskId");
    }
    auto const state = co_await client.async_request("tasks/get", ids[0]);
    auto const cancelled = co_await client.async_request("tasks/cancel", ids[1]);
    auto const result = co_await client.async_request("tasks/result", ids[0]); // waits until the task is complete
    for (auto const& each : {state, cancelled})
        (log += to_string(linkspan::read_task(each.raw()).value().status)) += ' ';
    log += result.text() + '\n';
    linkspan::call_options options;
    options.on_progress = [&log](auto const& update) { log += std::to_string(int(update.progress)) + ' '; };
    log += (co_await client.async_call_tool("render", none, options)).text() + '\n';
}
//]

int main()
{
    linkspan::test::world here; // virtual time
    linkspan::server studio(here.executor, {.name = "studio", .version = "1.0"});
    linkspan::tool tool{.name = "render", .input_schema = R"({"type":"object"})", .tasks = task_support::optional};
    studio.add(tool, render);
    linkspan::session_options options;
    options.remembered = linkspan::era::handshake;
    options.idle_timeout = minutes(5);
    linkspan::session client(here.executor, linkspan::via<linkspan::inproc>(inproc_to(studio)), options);
    std::string log;
    bool done = false;
    asio::co_spawn(here.executor, use(client, log), [&done](std::exception_ptr) { done = true; });
    here.time.run_until([&done] { return done; });
    log += std::to_string(here.time.now().time_since_epoch() / minutes(1)) + " minutes\n";
    std::cout << log;
    return log == "working cancelled 3 frames\n1 2 3 3 frames\n6 minutes\n" ? 0 : 1;
}
