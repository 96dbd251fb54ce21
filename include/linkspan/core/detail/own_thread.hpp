#ifndef LINKSPAN_CORE_DETAIL_OWN_THREAD_HPP
#define LINKSPAN_CORE_DETAIL_OWN_THREAD_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/sigpipe_block.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/assert.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Thread that runs an io_context, for programs without an event loop. SIGPIPE is blocked on the thread.
//
// Functions that other threads post are collected in one queue, so that the event loop is woken once for several
// functions.
//
// Invariants: `run_posted` is scheduled if and only if `queue_` is not empty. The thread runs from the constructor
// until `finish`. Several threads use `queue_`; only `thread_` uses `running_`.
class own_thread {
public:
    own_thread()
        : work_(context_.get_executor()), thread_([this] {
              block_sigpipe();
              context_.run();
          })
    {}

    own_thread(own_thread const&) = delete;
    own_thread& operator=(own_thread const&) = delete;

    ~own_thread() { finish(); }

    asio::any_io_executor executor() { return context_.get_executor(); }

    bool is_here() const noexcept { return std::this_thread::get_id() == thread_.get_id(); }

    template<class Function>
    void post(Function function)
    {
        auto next = std::make_unique<posted<Function>>(std::move(function));
        bool is_first = false;
        {
            std::lock_guard const lock(mutex_);
            is_first = queue_.empty();
            queue_.push_back(std::move(next));
        }
        if (is_first)
            asio::post(context_, [this] { run_posted(); });
    }

    // Runs `start(done)` on the thread, and blocks the caller until `done()` is called on the thread.
    template<class Start>
    void wait(Start start)
    {
        if (is_here())
            throw boost::system::system_error(
                make_error_code(boost::system::errc::resource_deadlock_would_occur),
                "linkspan: a blocking connector was called from its own thread, which would block forever");
        waiter over;
        post([&] { start([&over] { over.set(); }); });
        over.wait();
    }

    // Waits until the context has no more work, and ends the thread. Called from another thread; may be repeated.
    void finish()
    {
        if (!thread_.joinable())
            return;
        BOOST_ASSERT_MSG(!is_here(), "linkspan: a blocking connector is destroyed on its own thread");
        work_.reset();
        thread_.join();
    }

private:
    struct task {
        virtual ~task() = default;
        virtual void run() = 0;
    };

    template<class Function>
    struct posted final : task {
        explicit posted(Function given) : function(std::move(given)) {}
        void run() override { function(); }

        Function function; // set by the constructor
    };

    // Blocks one thread until another one calls `set`.
    class waiter {
    public:
        void set()
        {
            std::lock_guard const lock(mutex_);
            done_ = true;
            condition_.notify_one(); // inside the lock: wait() destroys this object as soon as it acquires the lock
        }

        void wait()
        {
            std::unique_lock lock(mutex_);
            condition_.wait(lock, [this] { return done_; });
        }

    private:
        std::mutex mutex_;                  // guards `done_`
        std::condition_variable condition_; // notified by set()
        bool done_ = false;                 // set by set(), never cleared
    };

    void run_posted()
    {
        {
            std::lock_guard const lock(mutex_);
            std::swap(queue_, running_);
        }
        for (auto& next : running_)
            next->run();
        running_.clear(); // keeps the capacity for the next swap
    }

    asio::io_context context_{1}; // run by `thread_` until `work_` is released and no other work is left
    asio::executor_work_guard<asio::io_context::executor_type> work_; // set by the constructor, released by finish()
    std::mutex mutex_;                                                // guards `queue_`
    std::vector<std::unique_ptr<task>> queue_;   // posted functions; guarded by `mutex_`, emptied by run_posted()
    std::vector<std::unique_ptr<task>> running_; // filled and emptied by run_posted(); used only on `thread_`
    std::thread thread_;                         // started by the constructor, joined by finish()
};

} // namespace linkspan::detail

#endif
