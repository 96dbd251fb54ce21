#ifndef LINKSPAN_CONFIG_IMPL_DIAGNOSE_IPP
#define LINKSPAN_CONFIG_IMPL_DIAGNOSE_IPP

#include <linkspan/config/diagnose.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/session.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/system/errc.hpp>

#include <stdexcept>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Operation `async_diagnose`: opens a session, lists the tools, shuts down, and completes.
//
// Outstanding operations share the ownership of the object. `report_` is complete when `finish` is called.
class diagnose_op : public std::enable_shared_from_this<diagnose_op> {
public:
    diagnose_op(asio::any_io_executor const& executor, diagnosis_plan plan, diagnosis_handler done)
        : time_(time_source::of(executor)),
          began_(time_.now()),
          secrets_(std::move(plan.secrets)),
          timeout_(plan.timeout),
          peer_certificate_(std::move(plan.peer_certificate)),
          done_(make_cancellable(std::move(done), executor)),
          timer_(executor),
          session_(executor, std::move(plan.factory), options_for(plan))
    {
        report_.name = std::move(plan.name);
    }

    void start()
    {
        done_->on_cancel(asio::cancellation_type::all, [weak = weak_from_this()] { return weak.lock()->cancel(); });
        timer_.expires_after(timeout_);
        start_wait(timer_, [weak = weak_from_this()](error_code ec) {
            auto const self = weak.lock();
            if (ec || !self)
                return;
            self->is_timed_out_ = true; // set also during the shutdown, which close() aborts
            self->session_.close();
        });
        session_.async_open([self = shared_from_this()](error_code ec) {
            if (ec)
                return self->fail(ec, self->session_.diagnostics());
            if (!self->session_.server().offers_tools())
                return self->succeed();
            self->session_.async_list_tools([self](error_code failed, tool_list list) {
                self->report_.tools = std::move(list.tools);
                if (failed)
                    self->fail_list(failed, list.detail);
                else
                    self->succeed();
            });
        });
    }

private:
    static session_options options_for(diagnosis_plan const& plan)
    {
        session_options out;
        out.startup_timeout = out.idle_timeout = out.attempt_timeout = plan.timeout;
        out.probe_timeout = plan.probe_timeout;
        return out;
    }

    // Returns a duration in seconds, such as "10" or "0.5".
    static std::string seconds_of(duration span)
    {
        auto const milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
        auto out = std::to_string(milliseconds / 1000);
        if (auto const rest = milliseconds % 1000; rest != 0) {
            out += "." + std::to_string(1000 + rest).substr(1);
            out.erase(out.find_last_not_of('0') + 1);
        }
        return out;
    }

    void succeed()
    {
        report_.success = true;
        if (report_.tools.empty()) {
            report_.warnings.push_back(diagnosis_code::no_tools);
            report_.message = "Connected but no tools found.";
        }
        finish();
    }

    // Returns `ec`, or the timeout of the operation, which closed the session and is the reason for `ec`.
    error_code reason_of(error_code ec) const { return is_timed_out_ ? error_code(error::attempt_timed_out) : ec; }

    // `text`: text of the server; may be empty.
    void fail_list(error_code ec, std::string const& text)
    {
        fail(ec, "tools/list failed: " + reason_of(ec).message() + (text.empty() ? "" : ": " + text));
    }

    void fail(error_code ec, std::string const& detail)
    {
        ec = reason_of(ec);
        report_.ec = ec;
        report_.code = diagnosis_code_of(ec);
        report_.detail = secrets_(detail);
        switch (*report_.code) {
        case diagnosis_code::timeout:
            report_.message = "Connection timed out after " + seconds_of(timeout_) + " seconds.";
            break;
        case diagnosis_code::auth_failed: report_.message = "Authentication failed."; break;
        case diagnosis_code::connection_failed: report_.message = "Cannot connect to server."; break;
        default: report_.message = "Not a valid MCP server."; break;
        }
        finish();
    }

    void finish()
    {
        report_.server = session_.server();
        report_.protocol_version = session_.protocol_version();
        report_.challenge = secrets_(session_.challenge());
        report_.peer_certificate = *peer_certificate_;
        report_.elapsed = time_.now() - began_;
        session_.async_shutdown([self = shared_from_this()](error_code) {
            self->timer_.cancel();
            self->done_->complete({}, std::move(self->report_));
        });
    }

    // Outstanding operations complete later; their results are discarded.
    std::tuple<diagnosis> cancel()
    {
        session_.close();
        auto out = report_;
        out.ec = asio::error::operation_aborted;
        out.elapsed = time_.now() - began_;
        return out;
    }

    // Set by the constructor and not changed later.
    time_source& time_;
    time_point began_;
    redactor secrets_;
    duration timeout_;

    // set by the transport when a connection over TLS was made
    std::shared_ptr<std::optional<certificate>> peer_certificate_;
    std::shared_ptr<cancellable_completion<void(error_code, diagnosis)>> done_;
    diagnosis report_;
    timer timer_;
    bool is_timed_out_ = false; // set when the timeout expires; `fail` then reports a timeout
    session session_;
};

LINKSPAN_DECL void require_valid(diagnose_options const& options)
{
    if (options.timeout <= duration::zero())
        throw std::invalid_argument("linkspan: diagnose_options::timeout must be greater than 0");
}

LINKSPAN_DECL std::string explain_exclusion(resolved_server const& server, reachable reach)
{
    bool const is_local = server.stdio || !server.unix_socket.empty();
    if (!is_local || reach != reachable::public_only)
        return {};
    return std::string("server rejected: found a ") + (server.stdio ? "command" : "Unix socket") +
           ", expected an http or https URL, because diagnose_options::reach is public_only";
}

LINKSPAN_DECL std::string explain_missing_transport(resolved_server const& server)
{
    if (server.stdio)
        return "command '" + server.stdio->command + "' requires the transport stdio, which the list does not contain";
    return "URL '" + server.url +
           "' requires a transport over HTTP, such as auto_http, which the list does not contain";
}

LINKSPAN_DECL void start_diagnosis(asio::any_io_executor const& executor, diagnosis_plan plan, diagnosis_handler done)
{
    if (plan.factory)
        return std::make_shared<diagnose_op>(executor, std::move(plan), std::move(done))->start();
    diagnosis report;
    report.name = std::move(plan.name);
    report.code = diagnosis_code::invalid_url;
    report.message = "Invalid URL format. Must be HTTP/HTTPS.";
    report.detail = plan.secrets(plan.fault);
    report.ec = asio::error::invalid_argument;
    post_handler(executor, [done = std::move(done), report = std::move(report)]() mutable {
        done.complete({}, std::move(report));
    });
}

inline boost::json::value json_or_null(std::string_view text)
{
    return text.empty() ? boost::json::value() : boost::json::value(boost::json::string_view(text.data(), text.size()));
}

} // namespace detail

LINKSPAN_DECL std::string_view to_string(diagnosis_code code) noexcept
{
    switch (code) {
    case diagnosis_code::invalid_url: return "INVALID_URL";
    case diagnosis_code::connection_failed: return "CONNECTION_FAILED";
    case diagnosis_code::timeout: return "TIMEOUT";
    case diagnosis_code::auth_failed: return "AUTH_FAILED";
    case diagnosis_code::invalid_mcp_server: return "INVALID_MCP_SERVER";
    case diagnosis_code::no_tools: return "NO_TOOLS";
    }
    return "?";
}

LINKSPAN_DECL diagnosis_code diagnosis_code_of(error_code ec) noexcept
{
    if (ec == boost::system::errc::timed_out)
        return diagnosis_code::timeout;
    if (ec.category() == http_category())
        return ec.value() == 401 || ec.value() == 403 ? diagnosis_code::auth_failed
                                                      : diagnosis_code::invalid_mcp_server;
    if (ec == error::stream_ended || ec == error::truncated_line) // the peer accepted the connection
        return diagnosis_code::invalid_mcp_server;
    return ec == condition::transport_failed ? diagnosis_code::connection_failed : diagnosis_code::invalid_mcp_server;
}

LINKSPAN_DECL boost::json::object to_json(diagnosis const& report)
{
    using detail::json_or_null;
    using json_text = boost::json::string_view;
    auto const text = [](std::string_view from) { return json_text(from.data(), from.size()); };
    boost::json::object out;
    out["name"] = json_or_null(report.name);
    out["success"] = report.success;
    out["error_code"] = report.code ? boost::json::value(text(to_string(*report.code))) : boost::json::value();
    out["error_message"] = json_or_null(report.message);
    boost::json::array tools;
    for (auto const& tool : report.tools) {
        boost::json::object one;
        one["name"] = tool.name;
        one["description"] = tool.description;
        tools.push_back(std::move(one));
    }
    out["tools"] = std::move(tools);
    boost::json::object info;
    info["name"] = report.server.name;
    info["version"] = report.server.version;
    out["server_info"] = report.protocol_version ? boost::json::value(std::move(info)) : boost::json::value();
    out["protocol_version"] =
        json_or_null(report.protocol_version ? to_string(*report.protocol_version) : std::string_view());
    bool const is_stateless = report.protocol_version && traits_of(*report.protocol_version).era == era::stateless;
    out["era"] = json_or_null(!report.protocol_version ? "" : is_stateless ? "stateless" : "handshake");
    boost::json::array warnings;
    for (auto const warning : report.warnings)
        warnings.emplace_back(text(to_string(warning)));
    out["warnings"] = std::move(warnings);
    out["elapsed_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(report.elapsed).count();
    if (auto const& received = report.peer_certificate) {
        boost::json::object members;
        members["subject"] = received->subject;
        members["issuer"] = received->issuer;
        members["not_before"] = received->not_before;
        members["not_after"] = received->not_after;
        members["protocol"] = received->protocol;
        out["certificate"] = std::move(members);
    } else {
        out["certificate"] = nullptr;
    }
    out["challenge"] = json_or_null(report.challenge);
    out["detail"] = json_or_null(report.detail);
    return out;
}

} // namespace linkspan

#endif
