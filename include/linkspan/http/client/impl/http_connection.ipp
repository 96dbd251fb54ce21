#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CONNECTION_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CONNECTION_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/client/detail/http_connection.hpp>
#include <linkspan/http/client/detail/http_core.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void http_connection::check(http_config const& config)
{
    auto const reject = [](std::string const& sentence) { throw std::invalid_argument("linkspan: " + sentence); };
    address_of(config);
    std::vector<std::string_view> set;
    auto const check_header = [&](std::string_view name, std::string_view value) {
        auto const fault = header_fault(name, value);
        bool const is_printable = header_fault("x", name).empty();
        if (!fault.empty())
            reject("http_config: header '" + std::string(is_printable ? name : "?") + "': " + std::string(fault));
        auto const is_same = [name](std::string_view other) { return equal_ignoring_case(name, other); };
        if (std::ranges::any_of(set, is_same))
            reject("http_config: header '" + std::string(name) + "' is set twice");
        set.push_back(name);
    };
    for (auto const& [name, value] : config.headers)
        check_header(name, value);
    if (auto const* const bearer = std::get_if<bearer_token>(&config.auth))
        check_header("Authorization", bearer->value);
    else if (auto const* const key = std::get_if<api_key>(&config.auth))
        check_header(key->header, key->value);
    else if (auto const* const provider = std::get_if<token_provider>(&config.auth)) {
        check_header("Authorization", {});
        if (!provider->fetch)
            reject("http_config::auth: token_provider::fetch is empty");
    }
    std::string why;
    auto const proxy = read_http_url(config.proxy, &why);
    if (!config.proxy.empty() && (!proxy || proxy->is_secure))
        reject("http_config::proxy is invalid: " +
               (proxy ? std::string("expected a URL that begins with http://") : why));
    if (!config.proxy.empty() && !config.unix_socket.empty())
        reject("http_config: proxy and unix_socket are both set, expected at most one");
    if (config.max_connections == 0 || config.max_head == 0 || config.max_body == 0 || config.max_event == 0)
        reject("http_config: max_connections, max_head, max_body and max_event must be at least 1");
    if (std::min({config.connect_timeout, config.control_timeout, config.token_timeout}) <= duration::zero())
        reject("http_config: connect_timeout, control_timeout and token_timeout must be greater than 0");
}

LINKSPAN_DECL redactor http_connection::secrets(http_config const& config)
{
    redactor out;
    out.add_address(config.url);
    out.add_address(config.proxy);
    for (auto const& [name, value] : config.headers)
        out.add_header(value);
    if (auto const* const bearer = std::get_if<bearer_token>(&config.auth))
        out.add_header(bearer->value);
    else if (auto const* const key = std::get_if<api_key>(&config.auth))
        out.add_header(key->value);
    return out;
}

LINKSPAN_DECL std::shared_ptr<http_connection> http_connection::make(asio::any_io_executor executor,
                                                                     http_config const& config, http_framing framing)
{
    check(config);
    return std::make_shared<http_core>(std::move(executor), config, framing, secrets(config));
}

} // namespace linkspan::detail

#endif
