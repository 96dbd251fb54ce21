#ifndef LINKSPAN_TEST_DETAIL_TAPE_REQUESTS_HPP
#define LINKSPAN_TEST_DETAIL_TAPE_REQUESTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/test/tape_entry.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Replaces a secret in a tape, and is equal to each value in a comparison.
inline constexpr std::string_view redacted_text = "***";

// A message of the server, and its time since the start of the recording.
struct tape_message {
    std::string text;
    duration time{};
};

// A request of the client, and what the server has sent for it.
struct tape_request {
    std::string id{}, method{}, params{}; // id and params: JSON texts; params is empty if absent
    std::string token{};                  // progress token as JSON text; empty: none
    duration time{};
    std::vector<tape_message> before_response{}; // notifications and requests between the request and its response
    std::optional<tape_message> response{};      // none: the recording has ended before
};

// Returns the requests of a tape. Progress belongs to the request with its token. Another message of the server that is
// no response belongs to the last request before it that has no response then; without one, to no request.
inline std::vector<tape_request> requests_of(std::vector<tape_entry> const& entries)
{
    std::vector<tape_request> out;
    auto const open = [&](auto const& fits) {
        for (auto one = out.rbegin(); one != out.rend(); ++one)
            if (!one->response && fits(*one))
                return &*one;
        return static_cast<tape_request*>(nullptr);
    };
    for (auto const& entry : entries) {
        if (entry.direction == tape_direction::err)
            continue;
        std::string_view const text = entry.message;
        auto const id = json_scan::member(text, "id");
        auto const method = json_scan::string(json_scan::member(text, "method"));
        auto const params = json_scan::member(text, "params");
        auto const token = json_scan::member(params, "progressToken");
        if (entry.direction == tape_direction::in) {
            if (method && !id.empty())
                out.push_back(
                    {.id = std::string(id),
                     .method = *method,
                     .params = std::string(params),
                     .token = std::string(json_scan::member(json_scan::member(params, "_meta"), "progressToken")),
                     .time = entry.time});
        } else if (method) {
            if (auto* const current = open([&](auto const& one) { return token.empty() || one.token == token; }))
                current->before_response.push_back({entry.message, entry.time});
        } else if (auto* const answered = open([&](tape_request const& one) { return one.id == id; })) {
            answered->response = tape_message{entry.message, entry.time};
        }
    }
    return out;
}

// Returns the protocol versions of the recorded server; empty: not known.
inline std::vector<protocol_version> versions_of(std::vector<tape_request> const& requests)
{
    std::set<protocol_version> out;
    auto const add = [&](std::string_view quoted) {
        if (auto const known = protocol_version_from(json_scan::quoted(quoted).value_or("")))
            out.insert(*known);
    };
    for (auto const& one : requests) {
        auto const result = one.response ? json_scan::member(one.response->text, "result") : std::string_view();
        add(json_scan::member(result, "protocolVersion"));
        json_scan::reader versions(json_scan::member(result, "supportedVersions"));
        while (auto const each = versions.next())
            add(each->value);
    }
    return {out.begin(), out.end()};
}

} // namespace linkspan::test::detail

#endif
