#ifndef LINKSPAN_CONNECTOR_DETAIL_OPEN_PROGRESS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_OPEN_PROGRESS_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Progress of an `async_open`, without I/O: the report and the number of openings in progress.
//
// Invariant: the operation completes once, when the openings of all added servers have completed, successfully or not,
// and on_started() was called.
class open_progress {
public:
    // Adds a server that is being opened. Returns the number of its line in the report.
    std::size_t add(std::string_view server)
    {
        server_report added;
        added.server = server;
        report_.servers.push_back(std::move(added));
        ++left_;
        return report_.servers.size() - 1;
    }

    // Event: the opening of the server completed. `is_required`: `server_options::required`. Returns whether the
    // operation completes.
    [[nodiscard]] bool on_opened(std::size_t line, server_report const& opened, bool is_required)
    {
        report_.servers[line] = opened;
        misses_required_ = misses_required_ || (is_required && !opened);
        return --left_ == 0;
    }

    // Event: all servers were added. Returns whether the operation completes.
    [[nodiscard]] bool on_started() noexcept { return --left_ == 0; }

    // Returns the error of the operation: no server was opened, or a required server failed.
    error_code result() const
    {
        bool const none = !report_.servers.empty() && report_.failures() == report_.servers.size();
        return none || misses_required_ ? error_code(error::connection_failed) : error_code();
    }

    // Moves the report out, when the operation completes.
    open_report take() noexcept { return std::move(report_); }

    // Returns a copy of the report for a cancelled operation, because servers that continue to open still write to the
    // original. The entry of a server without an error receives `operation_aborted`, unless the opening of the server
    // is complete and `is_ready(key)` returns true.
    template<class Ready>
    open_report aborted(Ready is_ready) const
    {
        auto out = report_;
        for (auto& line : out.servers)
            if (!line.ec && !(line.phase == open_phase::done && is_ready(line.server)))
                line.ec = boost::asio::error::operation_aborted;
        return out;
    }

private:
    open_report report_;           // one line per server, set when its opening completes; moved out by take()
    bool misses_required_ = false; // set when a required server fails to open
    std::size_t left_ = 1;         // openings in progress, plus one until on_started()
};

} // namespace linkspan::detail

#endif
