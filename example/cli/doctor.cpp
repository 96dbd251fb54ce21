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

std::string_view verdict(linkspan::server_report const& report)
{
    if (!report.ec)
        return report.tools == 0 ? to_string(linkspan::diagnosis_code::no_tools) : "OK";
    return to_string(linkspan::diagnosis_code_of(report.ec));
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

// Returns a hint for an error of a connection or of a start; empty: none.
std::string hint_for_error(linkspan::error_code ec, linkspan::server_config const& server, std::string_view detail)
{
    if (linkspan::diagnosis_code_of(ec) == linkspan::diagnosis_code::auth_failed)
        return "the server requires authorization: check the token in its headers";
    if (ec == boost::system::errc::connection_refused)
        return "check that the server is running and that the port is correct";
    return server.url.empty() ? hint_for_command(ec, server) : hint_for_address(ec, server.url, detail);
}

// Returns a hint for a failed check; empty: none.
std::string hint(linkspan::server_report const& report, linkspan::server_config const& server)
{
    namespace errc = boost::system::errc;
    using linkspan::open_phase;
    if (!report.ec)
        return report.tools == 0 ? "the server works, but has no tools" : "";
    auto const found = hint_for_error(report.ec, server, report.detail);
    if (!found.empty())
        return found;
    if (report.phase == open_phase::negotiate && report.ec == errc::timed_out)
        return "the server started but sent no message: check that the program supports MCP over standard streams";
    if (report.phase == open_phase::negotiate && server.url.empty())
        return "the server started, then exited or refused the handshake: the end of its stderr may contain the "
               "reason; check the variables of its environment";
    if (report.phase == open_phase::list_tools)
        return "the server was opened, but listing its tools failed";
    return {};
}

std::int64_t milliseconds(linkspan::duration span)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
}

std::string lines(linkspan::server_report const& report, std::string const& help)
{
    std::string out = report.server + "  " + std::string(verdict(report)) + "  " +
                      std::string(to_string(report.phase)) + "  " + std::to_string(milliseconds(report.elapsed)) +
                      " ms  ";
    if (!report.ec)
        out += std::string(to_string(*report.protocol_version)) + "  " + std::to_string(report.tools) + " tools";
    else
        out += terminal_line(report.ec.message());
    out += '\n';
    if (report.ec && !report.detail.empty())
        out += "    " + terminal_text(report.detail) + "\n";
    return help.empty() ? out : out + "    hint: " + terminal_line(help) + "\n";
}

std::string document(linkspan::server_report const& report, std::string const& help)
{
    return R"({"server":)" + json_string(report.server) + R"(,"verdict":)" + json_string(verdict(report)) +
           R"(,"phase":)" + json_string(to_string(report.phase)) + R"(,"elapsed_ms":)" +
           std::to_string(milliseconds(report.elapsed)) + R"(,"protocol_version":)" +
           (report.protocol_version ? json_string(to_string(*report.protocol_version)) : "null") + R"(,"tools":)" +
           std::to_string(report.tools) + R"(,"error":)" + (report.ec ? json_string(report.ec.message()) : "null") +
           R"(,"detail":)" + json_string(report.detail) + R"(,"hint":)" + json_string(help) + "}";
}

} // namespace

std::string text(linkspan::open_report const& report, server_set const& set, bool json)
{
    std::string out = json ? "[" : "";
    for (auto const& one : report.servers) {
        auto const* const config = set.find(one.server);
        auto const help = config ? hint(one, *config) : std::string();
        if (json)
            out += (out == "[" ? "\n" : ",\n") + document(one, help);
        else
            out += lines(one, help);
    }
    return json ? out + "\n]\n" : out;
}

std::string text(linkspan::diagnosis const& result, linkspan::server_config const* server, bool json)
{
    auto const help = result.ec && server ? hint_for_error(result.ec, *server, result.detail) : std::string();
    if (json) {
        auto object = to_json(result);
        object["hint"] = help;
        std::string out;
        linkspan::append_json(out, object);
        return clean_json(out) + "\n";
    }
    auto const word = result.code               ? to_string(*result.code)
                      : result.warnings.empty() ? std::string_view("OK")
                                                : to_string(result.warnings.front());
    std::string out = terminal_line(result.name.empty() ? "the server" : result.name) + "  " + std::string(word) +
                      "  " + std::to_string(milliseconds(result.elapsed)) + " ms";
    if (result.success)
        out += "  " + std::string(to_string(*result.protocol_version)) + "  " + std::to_string(result.tools.size()) +
               " tools";
    out += '\n';
    auto reason = result.ec ? result.ec.message() : std::string();
    if (result.detail.find(reason) != result.detail.npos)
        reason.clear();
    for (std::string const& line : {result.message, reason, result.detail, result.challenge})
        if (!line.empty())
            out += "    " + terminal_text(line) + "\n";
    return help.empty() ? out : out + "    hint: " + terminal_line(help) + "\n";
}

} // namespace cli::doctor
