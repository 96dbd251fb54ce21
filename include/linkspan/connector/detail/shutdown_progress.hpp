#ifndef LINKSPAN_CONNECTOR_DETAIL_SHUTDOWN_PROGRESS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SHUTDOWN_PROGRESS_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Progress of an `async_shutdown`, without I/O: the report and the servers that have not ended.
//
// Invariant: the operation completes once, when all added servers have ended and on_started() was called.
class shutdown_progress {
public:
    // Adds a server that is being shut down. Returns the number of its line in the report.
    std::size_t add(std::string_view server)
    {
        server_end added;
        added.server = server;
        has_ended_.reserve(has_ended_.size() + 1);
        report_.servers.push_back(std::move(added));
        has_ended_.push_back(false);
        ++left_;
        return report_.servers.size() - 1;
    }

    // Event: the server has ended. Returns whether the operation completes.
    [[nodiscard]] bool on_ended(std::size_t line, error_code ec, duration elapsed)
    {
        has_ended_[line] = true;
        auto& end = report_.servers[line];
        end.ec = ec && is_late_ ? error_code(error::deadline_exceeded) : ec;
        end.elapsed = elapsed;
        return --left_ == 0;
    }

    // Event: all servers were added. Returns whether the operation completes.
    [[nodiscard]] bool on_started() noexcept { return --left_ == 0; }

    // Event: the timeout of the operation expired. Servers that end with an error from now on are reported with
    // `deadline_exceeded`.
    void on_timeout() noexcept { is_late_ = true; }

    // Returns whether the server with this line in the report has ended.
    bool has_ended(std::size_t line) const { return has_ended_[line]; }

    // Returns the error of the operation: the first error of a server.
    error_code result() const
    {
        auto const failed = std::ranges::find_if(report_.servers, [](auto const& end) { return end.ec.failed(); });
        return failed == report_.servers.end() ? error_code() : failed->ec;
    }

    // Moves the report out, when the operation completes.
    shutdown_report take() noexcept { return std::move(report_); }

    // Returns a copy of the report for a cancelled operation: servers that have not ended were aborted.
    shutdown_report aborted() const
    {
        auto out = report_;
        for (std::size_t line = 0; line != has_ended_.size(); ++line)
            if (!has_ended_[line])
                out.servers[line].ec = boost::asio::error::operation_aborted;
        return out;
    }

private:
    shutdown_report report_;      // one line per server, completed by on_ended(); moved out by take()
    std::vector<bool> has_ended_; // one element per line; set by on_ended()
    bool is_late_ = false;        // set by on_timeout()
    std::size_t left_ = 1;        // shutdowns in progress, plus one until on_started()
};

} // namespace linkspan::detail

#endif
