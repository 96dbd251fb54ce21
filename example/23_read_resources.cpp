// Resources and prompts of a server of a connector.

#include <linkspan.hpp>
#include <linkspan/server.hpp>
#include <linkspan/session/notifications.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <iostream>
#include <string>
#include <string_view>

// The server: one note, and a prompt about it.
struct subject {
    std::string day;
};
LINKSPAN_STRUCT(subject, (day, "Day of the note"))

void add_entries(linkspan::server& diary)
{
    diary.add(linkspan::resource{.uri = "note:today", .name = "today"}, [] { return std::string("sun"); });
    diary.add(linkspan::prompt{.name = "comment"}, [](subject const& of) { return "Comment on " + of.day; });
    diary.set_completion_handler([](linkspan::completion_request const& begun) {
        linkspan::completion_result out;
        out.values.push_back(begun.value + "uesday");
        return out;
    });
}

//[ read
boost::asio::awaitable<std::string> read(linkspan::session_ref diary)
{
    std::string log;
    auto const resources = co_await linkspan::async_list_resources(diary); // all pages
    for (auto const& each : resources.entries) {
        auto const contents = co_await linkspan::async_read_resource(diary, each.uri);
        log += each.name + ": " + contents->at(0).text;
    }
    linkspan::argument_values const day{{"day", "tuesday"}};
    auto const comment = co_await linkspan::async_get_prompt(diary, "comment", day);
    log += ", " + std::get<linkspan::text_content>(comment->messages.at(0).content).text;

    linkspan::completion_request begun;
    begun.name = "comment";
    begun.argument = "day";
    begun.value = "t";
    auto const days = co_await linkspan::async_complete(diary, begun);
    co_return log + ", " + days->values.at(0);
}
//]

//[ find
boost::asio::awaitable<std::string> use(linkspan::connector<linkspan::transports<linkspan::inproc>>& hub)
{
    co_await hub.async_connect("diary");
    auto const diary = linkspan::find_session(hub, "diary"); // empty: there is no server of this name
    co_return co_await read(diary.value());
}
//]

//[ subscribe
boost::asio::awaitable<std::string> wait_for_change(linkspan::server& diary)
{
    auto const executor = co_await boost::asio::this_coro::executor;
    linkspan::timer changed(executor);
    changed.expires_after(std::chrono::seconds(10)); // limit of the wait
    std::string log = "no change";
    linkspan::session reader(executor, linkspan::via<linkspan::inproc>(inproc_to(diary)));
    linkspan::on_resource_updated(reader, [&](std::string_view uri) {
        log = "changed: " + std::string(uri);
        changed.cancel();
    });
    co_await reader.async_open();
    co_await linkspan::async_subscribe_resource(reader, "note:today");
    diary.resource_updated("note:today"); // the server changes the note
    co_await changed.async_wait(boost::asio::as_tuple(boost::asio::deferred));
    co_return log;
}
//]

int main()
{
    boost::asio::io_context context(1);
    linkspan::server diary(context.get_executor(), {.name = "diary", .version = "1.0"});
    add_entries(diary);
    linkspan::connector<linkspan::transports<linkspan::inproc>> hub(context.get_executor());
    hub.add<linkspan::inproc>("diary", inproc_to(diary));
    auto const log = linkspan::run(context, use(hub));
    context.restart();
    auto const change = linkspan::run(context, wait_for_change(diary));
    std::cout << log << '\n' << change << '\n';
    return log == "today: sun, Comment on tuesday, tuesday" && change == "changed: note:today" ? 0 : 1;
}
