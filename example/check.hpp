#ifndef LINKSPAN_EXAMPLE_CHECK_HPP
#define LINKSPAN_EXAMPLE_CHECK_HPP

#include <linkspan/connector_state.hpp>
#include <linkspan/json_writer.hpp>
#include <linkspan/validate.hpp>

#include <boost/json/object.hpp>
#include <boost/system/errc.hpp>

#include <chrono>
#include <iostream>
#include <string>
#include <string_view>

// What `linkspan check` says of a server.

namespace check {

/// One word for how it went.
inline std::string_view verdict(linkspan::server_report const& how)
{
    if (!how.ec)
        return how.tools == 0 ? to_string(linkspan::validation_code::no_tools) : "OK";
    return to_string(linkspan::validation_code_of(how.ec));
}

/// What may help.
inline std::string_view hint(linkspan::server_report const& how)
{
    namespace errc = boost::system::errc;
    using linkspan::open_phase;
    if (!how.ec)
        return how.tools == 0 ? "it works, and offers no tools" : "";
    if (linkspan::validation_code_of(how.ec) == linkspan::validation_code::auth_failed)
        return "it wants to know who asks: is the header with the token right?";
    if (how.ec == errc::connection_refused)
        return "does it run, and is the port right?";
    if (how.ec == errc::no_such_file_or_directory)
        return "is the command installed, and in the PATH?";
    if (how.ec == errc::permission_denied)
        return "may this user execute the command?";
    if (how.phase == open_phase::negotiate && how.ec == errc::timed_out)
        return "it started, and said nothing: is it an MCP server that speaks over its standard streams?";
    if (how.phase == open_phase::negotiate)
        return "it started, and ended or refused: its last words may say why; is a variable of its environment "
               "missing?";
    if (how.phase == open_phase::discover)
        return "it answers, but not when it is asked for its tools";
    return "";
}

inline std::int64_t milliseconds(linkspan::duration span)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
}

inline void print(linkspan::server_report const& how)
{
    std::cout << how.server << "  " << verdict(how) << "  " << to_string(how.phase) << "  " << milliseconds(how.elapsed)
              << " ms";
    if (!how.ec)
        std::cout << "  " << to_string(*how.spoken) << "  " << how.tools << " tools";
    else
        std::cout << "  " << how.ec.message();
    std::cout << '\n';
    if (how.ec && !how.detail.empty())
        std::cout << "    " << how.detail << '\n';
    if (auto const help = hint(how); !help.empty())
        std::cout << "    hint: " << help << '\n';
}

inline void print_json(linkspan::server_report const& how)
{
    boost::json::object line;
    line["server"] = how.server;
    line["verdict"] = verdict(how);
    line["phase"] = to_string(how.phase);
    line["elapsed_ms"] = milliseconds(how.elapsed);
    line["protocol_version"] = how.spoken ? boost::json::value(to_string(*how.spoken)) : boost::json::value();
    line["tools"] = how.tools;
    line["error"] = how.ec ? boost::json::value(how.ec.message()) : boost::json::value();
    line["detail"] = how.detail;
    line["hint"] = hint(how);
    std::string text;
    linkspan::append_json(text, line);
    std::cout << text << '\n';
}

/// Of one server that was tried by itself.
inline void print(linkspan::validation_report const& how)
{
    auto const word = how.code               ? to_string(*how.code)
                      : how.warnings.empty() ? std::string_view("OK")
                                             : to_string(how.warnings.front());
    std::cout << (how.name.empty() ? "the server" : how.name) << "  " << word << "  " << milliseconds(how.elapsed) << " ms";
    if (how.success)
        std::cout << "  " << to_string(*how.spoken) << "  " << how.tools.size() << " tools";
    std::cout << '\n';
    for (std::string const& line : {how.message, how.ec ? how.ec.message() : std::string(), how.detail, how.challenge})
        if (!line.empty())
            std::cout << "    " << line << '\n';
}

} // namespace check

#endif
