#ifndef LINKSPAN_TEST_SUPPORT_ENTRIES_CASE_HPP
#define LINKSPAN_TEST_SUPPORT_ENTRIES_CASE_HPP

#include <linkspan/connector/merged_list.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "support/connector_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

inline constexpr auto every_entry_capability =
    R"({"tools":{},"resources":{"listChanged":true,"subscribe":true},"prompts":{"listChanged":true}})";

// Returns the entries of a list as "a:today, b:today", and its failures as "a failed".
template<class Entry>
std::string text_of(merged_list<Entry> const& list)
{
    std::string out;
    auto const add = [&](std::string const& text) { (out += out.empty() ? "" : ", ") += text; };
    for (auto const& each : list.entries)
        add(each.server_key + ':' + each->name);
    for (auto const& each : list.failures)
        add(each.server_key + " failed");
    return out;
}

// Returns a list of resources with one member per name; the URI of "today" is "note://today". `hints`: further members.
inline action notes(std::string_view names, std::string hints = {})
{
    std::string out;
    while (!names.empty()) {
        auto const name = std::string(names.substr(0, names.find(' ')));
        names.remove_prefix(names.size() == name.size() ? name.size() : name.size() + 1);
        out += (out.empty() ? R"({"uri":"note://)" : R"(,{"uri":"note://)") + name + R"(","name":")" + name + "\"}";
    }
    return result(R"("resources":[)" + out + ']' + hints);
}

// Sends a notification that the resource with a URI has changed, to all clients of the server.
inline void send_update(scripted_server& server, std::string_view uri)
{
    server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")" +
                     std::string(uri) + "\"}}");
}

// A connector of up to three servers with resources and prompts.
struct entries_world : hub_world {
    entries_world()
    {
        for (auto* const each : {&a, &b, &c})
            each->dialogue().capabilities = every_entry_capability;
    }

    asio::awaitable<void> open(std::size_t servers = 2)
    {
        make({}, servers);
        co_await hub->async_open();
        co_await settle(executor);
    }

    static std::size_t lists(scripted_server const& of, std::string_view kind = "resources")
    {
        return of.received('"' + std::string(kind) + "/list\"");
    }
};

} // namespace linkspan::test

#endif
