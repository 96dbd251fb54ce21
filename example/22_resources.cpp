// A resource, a resource template, a prompt and completion. A client reads them and subscribes to a note; the server
// notifies the client of a change, and its graceful stop ends the subscription.

#include <linkspan.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/server.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>
#include <map>

using boost::json::object, linkspan::json_scan::member;
std::map<std::string, std::string> texts{{"monday", "rain"}, {"tuesday", "sun"}};

//[ entries
struct subject {
    std::string day;
};
LINKSPAN_STRUCT(subject, (day, "Day of the note"))

void add_entries(linkspan::server& diary)
{
    diary.add(linkspan::resource{.uri = "note:today"}, [] { return texts["monday"]; });
    diary.add(linkspan::resource_template{.uri_template = "note:/{day}"},
              [](linkspan::uri_template::values const& variables) {
                  std::vector<linkspan::resource_contents> out; // remains empty if there is no such resource
                  if (auto const found = texts.find(variables[0].second); found != texts.end())
                      out.push_back({.text = found->second});
                  return out;
              });
    diary.add(linkspan::prompt{.name = "comment"}, [](subject const& of) { return "Comment on " + of.day; });
    diary.set_completion_handler([](linkspan::completion_request const& begun) {
        linkspan::completion_result out;
        for (auto const& [day, text] : texts)
            if (day.starts_with(begun.value))
                out.values.push_back(day);
        return out;
    });
}
//]

boost::asio::awaitable<void> use(linkspan::server& diary, linkspan::session& client, std::string& log)
{
    client.on_notification("notifications/resources/updated", [&log](auto) { log += " updated"; });
    co_await client.async_open();
    object const note{{"uri", "note:/tuesday"}}, changes{{"resourceSubscriptions", {"note:/tuesday"}}};
    object const comment{{"type", "ref/prompt"}, {"name", "comment"}}, day{{"name", "day"}, {"value", "t"}};
    object const begun{{"ref", comment}, {"argument", day}}, wanted{{"notifications", changes}};
    auto const text = co_await client.async_request("resources/read", note);
    auto const days = co_await client.async_request("completion/complete", begun);
    (log += member(text.raw(), "contents")) += member(days.raw(), "completion");
    client.async_request("subscriptions/listen", wanted, [&log](auto ec, auto) { log += ec ? " lost" : " ended"; });
    co_await client.async_ping();
    diary.resource_updated("note:/tuesday");
    co_await client.async_ping(); // the notification arrives before the response
    co_await diary.async_stop(std::chrono::seconds(1));
}

int main()
{
    boost::asio::io_context context(1);
    linkspan::server diary(context.get_executor(), {.name = "diary", .version = "1.0"});
    linkspan::session client(context.get_executor(), linkspan::via<linkspan::inproc>(inproc_to(diary)));
    add_entries(diary);
    std::string log;
    linkspan::run(context, use(diary, client, log));
    context.run(); // until the connection has ended
    std::cout << log << '\n';
    return log == R"([{"uri":"note:/tuesday","text":"sun"}]{"values":["tuesday"]} updated ended)" ? 0 : 1;
}
