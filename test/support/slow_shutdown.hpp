#ifndef LINKSPAN_TEST_SUPPORT_SLOW_SHUTDOWN_HPP
#define LINKSPAN_TEST_SUPPORT_SLOW_SHUTDOWN_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/error.hpp>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// A stream to an in-process server whose graceful end takes three seconds and which reports a clean exit.
class slow_shutdown_stream : public memory_stream {
public:
    static constexpr std::string_view kind = "slow";
    static constexpr auto shutdown_time = std::chrono::seconds(3);

    slow_shutdown_stream(asio::any_io_executor executor, inproc_config const& config)
        : memory_stream(executor, config), end_(std::make_unique<timer>(executor))
    {}

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        end_->expires_after(shutdown_time);
        end_->async_wait(std::forward<Handler>(handler));
    }

    void close() noexcept
    {
        end_->cancel();
        memory_stream::close();
    }

    bool exited_cleanly() const noexcept { return true; }

private:
    std::unique_ptr<timer> end_;
};

using slow_shutdown = line_connection<slow_shutdown_stream>;

} // namespace linkspan::test

#endif
