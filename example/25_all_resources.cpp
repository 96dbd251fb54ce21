// Resources and prompts of all servers of a connector.

#include <linkspan.hpp>
#include <linkspan/connector/prompts.hpp>
#include <linkspan/connector/resources.hpp>
#include <linkspan/server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <variant>

using hub_type = linkspan::connector<linkspan::transports<linkspan::inproc>>;

// Two servers have the same note; one of them has a prompt.
void add_note(linkspan::server& own, std::string text, bool is_available)
{
    own.add(linkspan::resource{.uri = "note:today", .name = "today"}, [text, is_available] {
        if (!is_available)
            throw std::runtime_error("the disk is full");
        return text;
    });
}

//[ all
boost::asio::awaitable<std::string> use(hub_type& hub)
{
    std::string log;
    co_await hub.async_open();
    auto const notes = co_await linkspan::async_list_resources(hub); // of all servers
    for (auto const& each : notes.entries)
        log += each.server_key + " has " + each->uri + ", ";
    for (auto const& each : notes.failures)
        log += each.server_key + ": " + each.ec.message() + ", ";

    // The server `diary` fails in this example, so that `copy`, which lists the same URI, receives the request.
    auto const today = co_await linkspan::async_read_resource(hub, "note:today");
    log += today->at(0).text + " from " + std::string(today.result().server()) + ", ";

    linkspan::argument_values const none;
    auto const comment = co_await linkspan::async_get_prompt(hub, "comment", none);
    co_return log + std::get<linkspan::text_content>(comment->messages.at(0).content).text;
}
//]

int main()
{
    boost::asio::io_context context(1);
    linkspan::serving_options options;
    options.list_ttl = std::chrono::minutes(5); // the connector uses the lists for this time
    linkspan::server diary(context.get_executor(), {.name = "diary", .version = "1.0"}, options);
    linkspan::server copy(context.get_executor(), {.name = "copy", .version = "1.0"}, options);
    add_note(diary, "sun", false);
    add_note(copy, "sun", true);
    copy.add(linkspan::prompt{.name = "comment"}, [] { return "Comment on the weather"; });

    hub_type hub(context.get_executor());
    hub.add<linkspan::inproc>("diary", inproc_to(diary)).add<linkspan::inproc>("copy", inproc_to(copy));
    linkspan::store_read_results(hub); // results with a time to live are used again
    auto const log = linkspan::run(context, use(hub));
    std::cout << log << '\n';
    return log == "diary has note:today, copy has note:today, sun from copy, Comment on the weather" ? 0 : 1;
}
