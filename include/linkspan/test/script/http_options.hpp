#ifndef LINKSPAN_TEST_SCRIPT_HTTP_OPTIONS_HPP
#define LINKSPAN_TEST_SCRIPT_HTTP_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/server/http_server_message.hpp>
#include <linkspan/test/http_server_options.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

// Returns an authenticator that admits requests with one of the tokens.
inline http_authenticator admit_bearers(std::vector<std::string> tokens)
{
    return [tokens = std::move(tokens)](http_server_request const& request,
                                        std::function<void(http_admission)> const& done) {
        constexpr std::string_view scheme = "Bearer ";
        auto const value = request.header("Authorization");
        if (!linkspan::detail::equal_ignoring_case(value.substr(0, scheme.size()), scheme))
            return done({.status = 401, .challenge = "Bearer"});
        auto const found = std::ranges::find(tokens, value.substr(scheme.size()));
        if (found == tokens.end())
            return done({.status = 401, .challenge = R"(Bearer error="invalid_token")"});
        done({.principal = "token " + std::to_string(found - tokens.begin() + 1)});
    };
}

} // namespace detail

/// Returns the options with which an `http_server` serves a script as the member `http` of the script specifies.
///
///     auto const script = mock_script::load("weather.json");
///     scripted_server weather;
///     script.add_to(weather);
///     http_server web(executor, weather, http_options(script));
///
/// If the script has tokens (`script_http::bearer`), a request without one of them is refused with status 401. The
/// principals of the tokens are "token 1", "token 2", and so on.
///
/// \par Specification
/// RFC 6750, sections 2.1 and 3.
inline http_server_options http_options(mock_script const& of)
{
    auto from = of.http();
    http_server_options out;
    out.sessions = from.sessions;
    out.response_form = from.streams ? http_server_options::form::stream : http_server_options::form::json;
    out.resumable = from.resumable;
    if (!from.bearer.empty())
        out.authenticate = detail::admit_bearers(std::move(from.bearer));
    return out;
}

} // namespace linkspan::test

#endif
