#include "doctor.hpp"

#include <linkspan/core/error.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/object.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>

#include "clean_text.hpp"

namespace cli::doctor {
namespace {

std::string_view verdict(linkspan::server_report const& how)
{
    if (!how.ec)
        return how.tools == 0 ? to_string(linkspan::diagnosis_code::no_tools) : "OK";
    return to_string(linkspan::diagnosis_code_of(how.ec));
}

// Scheme, host with port, and path of a URL, without credentials and query.
struct address_parts {
    explicit address_parts(std::string_view url)
    {
        auto const begin = std::min(url.find("://"), url.size());
        scheme = url.substr(0, begin);
        auto const rest = url.substr(std::min(begin + 3, url.size()));
        auto const authority = rest.substr(0, rest.find_first_of("/?#"));
        host = authority.substr(authority.rfind('@') + 1);
        auto const behind = rest.substr(authority.size());
        path = behind.substr(0, behind.find_first_of("?#"));
    }

    std::string scheme, host, path;
};

std::string hint_for_address(linkspan::error_code ec, std::string const& url, std::string_view detail)
{
    if (url.empty())
        return {};
    address_parts const at(url);
    auto const code = linkspan::diagnosis_code_of(ec);
    bool const is_http = ec.category() == linkspan::http_category();
    bool const is_no_path = is_http && (ec.value() == 404 || ec.value() == 405);
    if (is_no_path && at.path != "/mcp")
        return "check the path of the URL; many servers use " + at.scheme + "://" + at.host + "/mcp";
    bool const is_tls_error = std::string_view(ec.category().name()).find("ssl") != std::string_view::npos;
    if (at.scheme == "https" && (is_tls_error || detail.find("wrong version number") != detail.npos))
        return "the TLS handshake failed; if the server uses plain HTTP, its URL is http://" + at.host + at.path;
    if (at.scheme == "http" && !is_http && code == linkspan::diagnosis_code::invalid_mcp_server)
        return "if the server requires TLS, its URL is https://" + at.host + at.path;
    if (at.scheme == "http" && is_http && ec.value() == 400)
        return "if the server requires TLS, its URL is https://" + at.host + at.path;
    return {};
}

std::string hint_for_command(linkspan::error_code ec, linkspan::server_config const& server)
{
    namespace errc = boost::system::errc;
    std::error_code ignored;
    if (!server.cwd.empty() && server.cwd.find("${") == server.cwd.npos &&
        !std::filesystem::is_directory(server.cwd, ignored))
        return "the working directory in 'cwd' does not exist or is not a directory";
    if (ec == errc::no_such_file_or_directory)
        return "check that the command is installed and that PATH contains its folder";
    if (ec == errc::permission_denied)
        return "check that this user may execute the command";
    return {};
}

// Returns a hint for a failed check; empty: none.
std::string hint(linkspan::server_report const& how, linkspan::server_config const& server)
{
    namespace errc = boost::system::errc;
    using linkspan::open_phase;
    if (!how.ec)
        return how.tools == 0 ? "the server works, but has no tools" : "";
    if (linkspan::diagnosis_code_of(how.ec) == linkspan::diagnosis_code::auth_failed)
        return "the server requires authorization: check the token in its headers";
    if (how.ec == errc::connection_refused)
        return "check that the server is running and that the port is correct";
    auto const found =
        server.url.empty() ? hint_for_command(how.ec, server) : hint_for_address(how.ec, server.url, how.detail);
    if (!found.empty())
        return found;
    if (how.phase == open_phase::negotiate && how.ec == errc::timed_out)
        return "the server started but sent no message: check that the program supports MCP over standard streams";
    if (how.phase == open_phase::negotiate && server.url.empty())
        return "the server started, then exited or refused the handshake: the end of its stderr may contain the "
               "reason; check the variables of its environment";
    if (how.phase == open_phase::discover)
        return "the server was opened, but listing its tools failed";
    return {};
}

std::int64_t milliseconds(linkspan::duration span)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
}

std::string lines(linkspan::server_report const& how, std::string const& help)
{
    std::string out = how.server + "  " + std::string(verdict(how)) + "  " + std::string(to_string(how.phase)) + "  " +
                      std::to_string(milliseconds(how.elapsed)) + " ms  ";
    if (!how.ec)
        out += std::string(to_string(*how.protocol_version)) + "  " + std::to_string(how.tools) + " tools";
    else
        out += terminal_line(how.ec.message());
    out += '\n';
    if (how.ec && !how.detail.empty())
        out += "    " + terminal_text(how.detail) + "\n";
    return help.empty() ? out : out + "    hint: " + terminal_line(help) + "\n";
}

std::string document(linkspan::server_report const& how, std::string const& help)
{
    return R"({"server":)" + json_string(how.server) + R"(,"verdict":)" + json_string(verdict(how)) + R"(,"phase":)" +
           json_string(to_string(how.phase)) + R"(,"elapsed_ms":)" + std::to_string(milliseconds(how.elapsed)) +
           R"(,"protocol_version":)" + (how.protocol_version ? json_string(to_string(*how.protocol_version)) : "null") +
           R"(,"tools":)" + std::to_string(how.tools) + R"(,"error":)" +
           (how.ec ? json_string(how.ec.message()) : "null") + R"(,"detail":)" + json_string(how.detail) +
           R"(,"hint":)" + json_string(help) + "}";
}

} // namespace

std::string text(linkspan::open_report const& report, server_set const& set, bool json)
{
    std::string out = json ? "[" : "";
    for (auto const& how : report.servers) {
        auto const* const config = set.find(how.server);
        auto const help = config ? hint(how, *config) : std::string();
        if (json)
            out += (out == "[" ? "\n" : ",\n") + document(how, help);
        else
            out += lines(how, help);
    }
    return json ? out + "\n]\n" : out;
}

std::string text(linkspan::diagnosis const& how, std::string const& given, bool json)
{
    auto const help = how.ec ? hint_for_address(how.ec, given.find("://") == given.npos ? "" : given, how.detail) : "";
    if (json) {
        auto object = to_json(how);
        object["hint"] = help;
        std::string out;
        linkspan::append_json(out, object);
        return clean_json(out) + "\n";
    }
    auto const word = how.code               ? to_string(*how.code)
                      : how.warnings.empty() ? std::string_view("OK")
                                             : to_string(how.warnings.front());
    std::string out = terminal_line(how.name.empty() ? "the server" : how.name) + "  " + std::string(word) + "  " +
                      std::to_string(milliseconds(how.elapsed)) + " ms";
    if (how.success)
        out +=
            "  " + std::string(to_string(*how.protocol_version)) + "  " + std::to_string(how.tools.size()) + " tools";
    out += '\n';
    for (std::string const& line : {how.message, how.ec ? how.ec.message() : std::string(), how.detail, how.challenge})
        if (!line.empty())
            out += "    " + terminal_text(line) + "\n";
    return help.empty() ? out : out + "    hint: " + terminal_line(help) + "\n";
}

} // namespace cli::doctor
