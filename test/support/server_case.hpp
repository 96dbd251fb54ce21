#ifndef LINKSPAN_TEST_SUPPORT_SERVER_CASE_HPP
#define LINKSPAN_TEST_SUPPORT_SERVER_CASE_HPP

#include <linkspan/describe/struct.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/server.hpp>
#include <linkspan/session.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/transport/inproc.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/any_tool.hpp"
#include "support/recorded_transport.hpp"
#include "support/session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// The newest protocol version of each era.
inline constexpr std::array newest_of_both_eras{protocol_version::v2025_11_25, protocol_version::v2026_07_28};

// The protocol versions of the era `handshake`.
inline constexpr std::array handshake_versions{protocol_version::v2024_11_05, protocol_version::v2025_03_26,
                                               protocol_version::v2025_06_18, protocol_version::v2025_11_25};

// A server and a session with it, in memory and in virtual time.
struct server_world : world {
    serving_options options;
    std::optional<server> served;
    std::optional<session> client;
    std::vector<std::string> defects; // method and text of each defect
    std::string last_defect;          // name and id of the request of the last defect

    // Makes a server of one protocol version, or of all.
    server& make(std::optional<protocol_version> only = {})
    {
        if (only)
            options.protocol_versions = {*only};
        options.on_defect = [this](server_defect const& defect) {
            defects.push_back(std::string(defect.method) + ": " + std::string(defect.what));
            last_defect = std::string(defect.name) + " " + std::string(defect.request_id);
        };
        client.reset();
        return served.emplace(executor, implementation{.name = "own", .version = "7"}, options);
    }

    // Makes a session with the server, which is not open.
    session& connect() { return client.emplace(executor, via<inproc>(recorded_inproc_to(*served))); }

    void clean_up()
    {
        client.reset();
        served.reset();
    }
};

// Returns a request to visit a page, with the id "sign-in-7".
inline elicit_request sign_in_page(std::string url)
{
    elicit_request out;
    out.mode = elicit_mode::url;
    out.message = "Please sign in";
    out.url = std::move(url);
    out.elicitation_id = "sign-in-7";
    return out;
}

} // namespace linkspan::test

#endif
