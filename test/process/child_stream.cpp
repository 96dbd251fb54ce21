#include <linkspan/core/detail/sigpipe_block.hpp>
#include <linkspan/transport/stdio/child_stream.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/contains.hpp"
#include "support/grace_periods.hpp"
#include "support/process_observation.hpp"
#include "support/shell_script.hpp"

namespace child_stream_test {

using linkspan::child_stream;
using linkspan::error_code;
using linkspan::stdio_config;
using linkspan::test::contains;
using linkspan::test::sh;
using linkspan::test::with_grace_periods;
using observe::leaves_nothing;
namespace asio = boost::asio;
namespace errc = boost::system::errc;
using namespace std::chrono_literals;

namespace {

// Prevents that a step of a shutdown is triggered by a timeout.
stdio_config patient(stdio_config config) { return with_grace_periods(std::move(config), 1h); }

// Records one completion.
struct completion {
    std::optional<error_code> ec;
    std::size_t size = 0;

    auto handler()
    {
        return [this](error_code result, std::size_t n = 0) {
            BOOST_TEST(!ec);
            ec = result;
            size = n;
        };
    }
};

// A child process with its stream.
struct connection {
    explicit connection(stdio_config const& config) { stream.emplace(context.get_executor(), config); }

    // Starts the child process and reads until the end.
    connection& start()
    {
        open();
        read();
        return *this;
    }

    connection& open()
    {
        error_code ec;
        stream->open(ec);
        BOOST_TEST_REQUIRE(!ec, stream->diagnostics());
        return *this;
    }

    void read()
    {
        stream->async_read_some(asio::buffer(buffer), [this](error_code ec, std::size_t size) {
            output.append(buffer.data(), size);
            if (ec)
                end = ec;
            else
                read();
        });
    }

    template<class Done>
    void run_until(Done done)
    {
        observe::run_until(context, std::move(done));
    }

    // A child process closes its output slightly before its status is available.
    void wait_for_status()
    {
        run_until([this] { return !contains(stream->diagnostics(), " running"); });
    }

    std::string next_line()
    {
        run_until([this] { return contains(output, "\n"); });
        auto const size = output.find('\n');
        auto line = output.substr(0, size);
        output.erase(0, size + 1);
        return line;
    }

    void write(std::string_view text)
    {
        error_code ec;
        BOOST_TEST(stream->write_some(asio::buffer(text), ec) == text.size());
        BOOST_TEST(!ec);
    }

    error_code wait_for_end()
    {
        run_until([this] { return end.has_value(); });
        return *end;
    }

    error_code shut_down()
    {
        completion done;
        stream->async_shutdown(done.handler());
        BOOST_TEST(!done.ec);
        run_until([&] { return done.ec.has_value(); });
        return *done.ec;
    }

    std::string pid() const { return "pid " + std::to_string(stream->pid()); }

    asio::io_context context{1};
    std::optional<child_stream> stream;
    std::vector<char> buffer = std::vector<char>(64 * 1024);
    std::string output;
    std::optional<error_code> end;
};

} // namespace

} // namespace child_stream_test

BOOST_FIXTURE_TEST_SUITE(child_stream_test, leaves_nothing)

// Opening

BOOST_AUTO_TEST_CASE(unopened_stream_rejects_writes_and_shuts_down)
{
    connection c({.command = "cat"});
    BOOST_TEST(c.stream->diagnostics() == "not started");
    BOOST_TEST(c.stream->pid() == 0);
    error_code ec;
    BOOST_TEST(c.stream->write_some(asio::buffer("x", 1), ec) == 0u);
    BOOST_TEST((ec == asio::error::broken_pipe));
    BOOST_TEST(!c.shut_down());
}

BOOST_AUTO_TEST_CASE(failed_start_is_described_by_diagnostics)
{
    connection c({.command = "/no/such/program", .cwd = "/tmp"});
    error_code ec;
    c.stream->open(ec);
    BOOST_TEST((ec == errc::no_such_file_or_directory));
    BOOST_TEST(c.stream->pid() == 0);
    BOOST_TEST(c.stream->diagnostics() ==
               "cannot start /no/such/program in /tmp: exec: No such file or directory (errno 2)");
    BOOST_TEST(!c.shut_down());
    c.stream->close();
    BOOST_TEST(contains(c.stream->diagnostics(), "cannot start /no/such/program"));
}

BOOST_AUTO_TEST_CASE(second_open_fails_with_already_open)
{
    connection c({.command = "cat"});
    c.open();
    error_code ec;
    c.stream->open(ec);
    BOOST_TEST((ec == asio::error::already_open));
}

BOOST_AUTO_TEST_CASE(two_hundred_streams_leave_no_resources)
{
    for (int i = 0; i < 200; ++i) {
        connection c(sh("exit 1"));
        c.start();
        if (i % 2 == 0)
            BOOST_TEST((c.wait_for_end() == asio::error::eof));
    }
}

// Reading and writing

BOOST_AUTO_TEST_CASE(bytes_written_are_echoed)
{
    connection c({.command = "cat"});
    c.start().write("hello\n");
    BOOST_TEST(c.next_line() == "hello");
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " running");
}

BOOST_AUTO_TEST_CASE(handlers_are_not_invoked_inside_initiating_function)
{
    connection c(sh("echo ready; cat"));
    c.open();
    completion read, writable, end;
    c.stream->async_read_some(asio::buffer(c.buffer), read.handler());
    c.stream->async_wait_writable(writable.handler());
    BOOST_TEST((!read.ec && !writable.ec));
    c.run_until([&] { return read.ec && writable.ec; });
    BOOST_TEST(!*read.ec);
    BOOST_TEST(!*writable.ec);
    c.stream->async_shutdown(end.handler());
    BOOST_TEST(!end.ec);
    c.run_until([&] { return end.ec.has_value(); });
    BOOST_TEST(!*end.ec);
}

BOOST_AUTO_TEST_CASE(handler_runs_on_associated_executor)
{
    connection c({.command = "cat"});
    c.open();
    auto const strand = asio::make_strand(c.context);
    int runs = 0;
    auto const count = [&](auto...) { runs += strand.running_in_this_thread() ? 1 : 0; };
    c.stream->async_wait_writable(asio::bind_executor(strand, count));
    c.stream->async_read_some(asio::buffer(c.buffer), asio::bind_executor(strand, count));
    c.stream->async_shutdown(asio::bind_executor(strand, count));
    c.context.run();
    BOOST_TEST(runs == 3);
}

BOOST_AUTO_TEST_CASE(write_to_full_pipe_would_block_until_child_reads)
{
    connection c(sh("kill -STOP $$; exec cat"));
    c.open();
    observe::await_stop(c.stream->pid());
    std::string const block(64 * 1024, 'x');
    std::size_t written = 0;
    error_code ec;
    while (!ec)
        written += c.stream->write_some(asio::buffer(block), ec);
    BOOST_TEST((ec == asio::error::would_block));
    BOOST_TEST(written >= block.size());
    completion writable;
    c.stream->async_wait_writable(writable.handler());
    c.context.poll();
    BOOST_TEST(!writable.ec);
    ::kill(c.stream->pid(), SIGCONT);
    c.read();
    c.run_until([&] { return writable.ec.has_value(); });
    BOOST_TEST(!*writable.ec);
    BOOST_TEST(c.stream->write_some(asio::buffer(block), ec) > 0u);
}

BOOST_AUTO_TEST_CASE(megabyte_is_transferred_unchanged)
{
    connection c({.command = "cat"});
    c.start();
    std::string sent(1024 * 1024, ' ');
    for (std::size_t i = 0; i < sent.size(); ++i)
        sent[i] = static_cast<char>(i * 7 % 251);
    std::string_view rest = sent;
    std::function<void(error_code)> const write = [&](error_code ec) {
        while (!ec && !rest.empty())
            rest.remove_prefix(c.stream->write_some(asio::buffer(rest), ec));
        if (ec == asio::error::would_block)
            c.stream->async_wait_writable(write);
    };
    write({});
    c.run_until([&] { return c.output.size() >= sent.size(); });
    BOOST_TEST((c.output == sent));
}

// Exited child processes

BOOST_AUTO_TEST_CASE(exited_child_ends_stream_and_has_status)
{
    connection c(sh("echo last words; echo why >&2; exit 3"));
    c.start();
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    c.wait_for_status();
    BOOST_TEST(c.output == "last words\n");
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " exited with status 3; stderr, the last 4 of 4 bytes:\nwhy\n");
    c.stream->close();
    BOOST_TEST(contains(c.stream->diagnostics(), "exited with status 3; stderr, the last 4 of 4 bytes:\nwhy\n"));
}

BOOST_AUTO_TEST_CASE(killed_child_ends_stream_and_has_signal_in_status)
{
    connection c(sh("echo ready; exec sleep 1000"));
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    ::kill(c.stream->pid(), SIGKILL);
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    c.wait_for_status();
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " killed by signal 9");
}

BOOST_AUTO_TEST_CASE(output_written_before_exit_is_read_afterwards)
{
    // all of the output fits into the pipe
    connection c(sh("read line; head -c 50000 /dev/zero; exit 3"));
    c.open();
    observe::process const child(c.stream->pid());
    c.write("\n");
    BOOST_TEST(child.ends());
    c.run_until([&] { return contains(c.stream->diagnostics(), "exited with status 3"); });
    c.context.poll();
    c.buffer.resize(1000);
    c.read();
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    BOOST_TEST(c.output.size() == 50'000u);
}

BOOST_AUTO_TEST_CASE(grandchild_holding_pipes_does_not_keep_stream_open)
{
    // The grandchild has left the process group, so it is not killed with the group.
    connection c(sh("setsid sh -c 'echo $$; exec sleep 1000' & read line; exit 3"));
    c.start();
    auto const pid = std::stoi(c.next_line());
    observe::process const grandchild(pid);
    completion writable;
    c.write("\n");
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    c.wait_for_status();
    BOOST_TEST(contains(c.stream->diagnostics(), "exited with status 3"));
    BOOST_TEST(!grandchild.has_ended());
    error_code ec;
    c.stream->write_some(asio::buffer("x", 1), ec);
    BOOST_TEST((ec == asio::error::broken_pipe));
    c.stream->async_wait_writable(writable.handler());
    c.end.reset();
    c.read();
    c.run_until([&] { return c.end && writable.ec; });
    BOOST_TEST((c.end == asio::error::eof));
    ::kill(pid, SIGKILL);
    BOOST_TEST(grandchild.ends());
}

BOOST_AUTO_TEST_CASE(child_that_closes_stdout_ends_stream)
{
    connection c(sh("exec >&-; read line"));
    c.start();
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " running");
    BOOST_TEST(!c.shut_down());
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " exited with status 1");
}

BOOST_AUTO_TEST_CASE(child_reaped_elsewhere_has_no_status)
{
    connection c({.command = "cat"});
    c.start();
    ::kill(c.stream->pid(), SIGKILL);
    ::waitpid(c.stream->pid(), nullptr, 0);
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    c.wait_for_status();
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " ended with unknown exit status");
    BOOST_TEST(!c.shut_down());
}

// SIGPIPE, which would end this process

BOOST_AUTO_TEST_CASE(write_to_exited_child_is_broken_pipe)
{
    connection c(sh("read line"));
    c.open();
    observe::process const child(c.stream->pid());
    c.write("\n");
    BOOST_TEST(child.ends());
    error_code ec;
    BOOST_TEST(c.stream->write_some(asio::buffer("x", 1), ec) == 0u);
    BOOST_TEST((ec == asio::error::broken_pipe));
}

BOOST_AUTO_TEST_CASE(write_to_closed_stdin_raises_no_sigpipe)
{
    connection c(sh("exec <&-; echo ready; exec sleep 1000"));
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    completion writable;
    c.stream->async_wait_writable(writable.handler());
    c.run_until([&] { return writable.ec.has_value(); });
    BOOST_TEST(!*writable.ec);
    error_code ec;
    c.stream->write_some(asio::buffer("x", 1), ec);
    BOOST_TEST((ec == asio::error::broken_pipe));
    sigset_t now;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
    BOOST_TEST(::sigismember(&now, SIGPIPE) == 0);
    ::sigpending(&now);
    BOOST_TEST(::sigismember(&now, SIGPIPE) == 0);
}

BOOST_AUTO_TEST_CASE(write_to_closed_stdin_is_broken_pipe_if_sigpipe_is_ignored)
{
    auto const before = ::signal(SIGPIPE, SIG_IGN);
    auto config = sh("exec <&-; echo ready; exec sleep 1000");
    config.sigpipe_is_ignored = true;
    connection c(std::move(config));
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    error_code ec;
    c.stream->write_some(asio::buffer("x", 1), ec);
    BOOST_TEST((ec == asio::error::broken_pipe));
    ::signal(SIGPIPE, before);
}

BOOST_AUTO_TEST_CASE(write_on_thread_that_blocks_sigpipe_is_broken_pipe)
{
    connection c(sh("exec <&-; echo ready; exec sleep 1000"));
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    error_code ec;
    bool is_blocked = false;
    std::thread([&] {
        linkspan::detail::block_sigpipe();
        c.stream->write_some(asio::buffer("x", 1), ec);
        sigset_t now;
        ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
        is_blocked = ::sigismember(&now, SIGPIPE) == 1;
    }).join();
    BOOST_TEST((ec == asio::error::broken_pipe));
    BOOST_TEST(is_blocked);
    BOOST_TEST(!linkspan::detail::is_sigpipe_blocked);
}

BOOST_AUTO_TEST_CASE(pending_sigpipe_is_preserved_by_write)
{
    connection c(sh("exec <&-; echo ready; exec sleep 1000"));
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    sigset_t pipe, before, now;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    for (bool const pending : {false, true}) {
        if (pending)
            ::pthread_kill(::pthread_self(), SIGPIPE);
        error_code ec;
        c.stream->write_some(asio::buffer("x", 1), ec);
        BOOST_TEST((ec == asio::error::broken_pipe));
        ::sigpending(&now);
        BOOST_TEST((::sigismember(&now, SIGPIPE) == 1) == pending);
        ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
        BOOST_TEST(::sigismember(&now, SIGPIPE) == 1);
    }
    int taken = 0;
    ::sigwait(&pipe, &taken);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// stderr

BOOST_AUTO_TEST_CASE(stderr_never_blocks_child_and_its_tail_is_kept)
{
    connection c(sh("head -c 262144 /dev/zero | tr '\\0' a >&2; printf %s the-end >&2; echo done; read line"));
    c.start();
    BOOST_TEST(c.next_line() == "done");
    auto const tail = c.stream->stderr_tail();
    BOOST_TEST(c.stream->stderr_size() == 262144u + 7u);
    BOOST_TEST(tail.size() == 64u * 1024u);
    BOOST_TEST((tail == std::string(64 * 1024 - 7, 'a') + "the-end"));
    BOOST_TEST(contains(c.stream->diagnostics(), "stderr, the last 4096 of 262151 bytes:\naaa"));
}

BOOST_AUTO_TEST_CASE(size_of_stderr_tail_is_configurable)
{
    for (std::size_t const size : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{100}}) {
        auto config = sh("echo first >&2; echo second >&2; echo third >&2");
        config.stderr_tail = size;
        connection c(config);
        c.start();
        c.wait_for_end();
        std::string const all = "first\nsecond\nthird\n";
        BOOST_TEST(c.stream->stderr_tail() == all.substr(all.size() - std::min(size, all.size())));
        BOOST_TEST(c.stream->stderr_size() == all.size());
    }
}

BOOST_AUTO_TEST_CASE(stderr_tail_can_be_read_while_it_grows)
{
    auto config = sh("for i in 1 2 3 4 5 6; do printf %s abc$i >&2; echo; read line; done");
    config.stderr_tail = 10;
    connection c(config);
    c.start();
    std::string all;
    for (char i = '1'; i <= '6'; ++i) {
        BOOST_TEST(c.next_line() == "");
        (all += "abc") += i;
        BOOST_TEST(c.stream->stderr_tail() == all.substr(all.size() - std::min<std::size_t>(all.size(), 10)));
        c.write("\n");
    }
}

BOOST_AUTO_TEST_CASE(stderr_is_delivered_line_by_line)
{
    std::vector<std::string> lines;
    auto config = sh(R"(printf 'one\ntw' >&2; echo; read line; printf 'o\r\n\nthree' >&2)");
    config.on_stderr = [&lines](std::string_view line) { lines.emplace_back(line); };
    connection c(config);
    c.start();
    BOOST_TEST(c.next_line() == "");
    c.run_until([&] { return !lines.empty(); });
    BOOST_TEST(lines == std::vector<std::string>{"one"}, boost::test_tools::per_element());
    c.write("\n");
    c.wait_for_end();
    c.run_until([&] { return lines.size() == 4; });
    BOOST_TEST(lines == (std::vector<std::string>{"one", "two", "", "three"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(endless_stderr_line_is_delivered_in_pieces)
{
    std::vector<std::string> lines;
    auto config = sh("head -c 150000 /dev/zero >&2; echo >&2");
    config.on_stderr = [&lines](std::string_view line) { lines.emplace_back(line); };
    connection c(config);
    c.start();
    c.wait_for_end();
    c.run_until([&] { return lines.size() == 3; });
    BOOST_TEST(lines[0].size() == 64u * 1024u);
    BOOST_TEST(lines[1].size() == 64u * 1024u);
    BOOST_TEST(lines[2].size() == 150'000u - 128u * 1024u);
}

BOOST_AUTO_TEST_CASE(lines_read_by_diagnostics_are_delivered_later)
{
    std::string lines;
    auto config = sh("echo one >&2; echo two >&2; kill -STOP $$");
    config.on_stderr = [&lines](std::string_view line) { lines.append(line).append(" "); };
    connection c(config);
    c.open();
    observe::await_stop(c.stream->pid());
    BOOST_TEST(contains(c.stream->diagnostics(), "running; stderr, the last 8 of 8 bytes:\none\ntwo\n"));
    BOOST_TEST(lines == "");
    c.run_until([&] { return lines == "one two "; });
}

BOOST_AUTO_TEST_CASE(line_handler_may_destroy_stream)
{
    std::optional<connection> c;
    int lines = 0;
    auto config = sh("echo one >&2; echo two >&2; exec sleep 1000");
    config.on_stderr = [&](std::string_view) {
        ++lines;
        c->stream.reset();
    };
    c.emplace(config);
    c->start();
    BOOST_TEST((c->wait_for_end() == asio::error::operation_aborted));
    BOOST_TEST(lines == 1);
}

// Shutdown

BOOST_AUTO_TEST_CASE(shutdown_of_child_that_exits_at_end_of_input_sends_no_signal)
{
    connection c(patient({.command = "cat"}));
    c.start();
    BOOST_TEST(!c.shut_down());
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " exited with status 0");
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    BOOST_TEST(!observe::has_children());
    BOOST_TEST(!c.shut_down());
}

BOOST_AUTO_TEST_CASE(shutdown_of_exited_child_completes_immediately)
{
    connection c(patient(sh("exit 3")));
    c.start();
    c.wait_for_end();
    BOOST_TEST(!c.shut_down());
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " exited with status 3");
}

BOOST_AUTO_TEST_CASE(shutdown_sends_sigterm_to_child_that_ignores_end_of_input)
{
    auto config = sh("echo ready; exec sleep 1000");
    config.close_grace = 20ms;
    config.term_grace = 1h;
    connection c(config);
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    BOOST_TEST(!c.shut_down());
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " killed by signal 15, which the client sent");
}

BOOST_AUTO_TEST_CASE(shutdown_kills_child_that_ignores_sigterm)
{
    connection c(with_grace_periods(sh("trap '' TERM; echo ready; while :; do sleep 1000; done"), 20ms));
    c.start();
    BOOST_TEST(c.next_line() == "ready");
    BOOST_TEST(!c.shut_down());
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " killed by signal 9, which the client sent");
}

BOOST_AUTO_TEST_CASE(shutdown_terminates_grandchildren)
{
    for (auto const* const script : {"sleep 1000 & echo $!; cat >/dev/null", "sleep 1000 & echo $!; wait",
                                     "trap '' TERM; sleep 1000 & echo $!; while :; do wait; done"}) {
        connection c(with_grace_periods(sh(script), 20ms));
        c.start();
        observe::process const grandchild(std::stoi(c.next_line()));
        BOOST_TEST(!c.shut_down());
        BOOST_TEST(grandchild.ends(), script);
        BOOST_TEST(!observe::has_children());
    }
}

BOOST_AUTO_TEST_CASE(shutdown_drains_output_of_blocked_child)
{
    for (bool const read_is_out : {false, true}) {
        connection c(patient(sh("head -c 2000000 /dev/zero; head -c 2000000 /dev/zero >&2; exit 5")));
        c.open();
        completion read;
        if (read_is_out)
            c.stream->async_read_some(asio::buffer(c.buffer), read.handler());
        BOOST_TEST(!c.shut_down());
        BOOST_TEST(contains(c.stream->diagnostics(), "exited with status 5"));
        BOOST_TEST(read.ec.has_value() == read_is_out);
        BOOST_TEST((read.size > 0) == read_is_out);
    }
}

BOOST_AUTO_TEST_CASE(reads_during_shutdown_receive_all_output)
{
    connection c(patient(sh("read line; head -c 2000000 /dev/zero; echo end; exit 5")));
    c.start();
    BOOST_TEST(!c.shut_down());
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    BOOST_TEST(c.output.size() == 2'000'004u);
}

BOOST_AUTO_TEST_CASE(stream_with_discarded_output_reads_eof)
{
    connection c(patient(sh("head -c 2000000 /dev/zero; exec >&-; exit 5")));
    c.open();
    BOOST_TEST(!c.shut_down());
    c.read();
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    BOOST_TEST(c.output == "");
}

BOOST_AUTO_TEST_CASE(shutdown_aborts_wait_for_writability)
{
    connection c(patient({.command = "cat"}));
    c.start();
    completion writable;
    c.stream->async_wait_writable(writable.handler());
    BOOST_TEST(!c.shut_down());
    BOOST_TEST((writable.ec == asio::error::operation_aborted));
    error_code ec;
    c.stream->write_some(asio::buffer("x", 1), ec);
    BOOST_TEST((ec == asio::error::broken_pipe));
}

// Close

BOOST_AUTO_TEST_CASE(close_kills_and_reaps_child_immediately)
{
    connection c(sh("trap '' TERM; sleep 1000 & echo $!; while :; do wait; done"));
    c.start();
    observe::process const grandchild(std::stoi(c.next_line()));
    c.stream->close();
    BOOST_TEST(!observe::has_children());
    BOOST_TEST(grandchild.ends());
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " killed by signal 9, which the client sent");
    c.stream->close();
    BOOST_TEST((c.wait_for_end() == asio::error::operation_aborted));
}

// A process that another process has killed also closes its output before it can be reaped.
BOOST_AUTO_TEST_CASE(signal_of_close_after_end_of_output_is_not_attributed_to_client)
{
    connection c(sh("exec sleep 1000 >&-"));
    c.start();
    BOOST_TEST((c.wait_for_end() == asio::error::eof));
    c.stream->close();
    BOOST_TEST(c.stream->diagnostics() == c.pid() + " killed by signal 9");
}

BOOST_AUTO_TEST_CASE(close_aborts_outstanding_operations_later)
{
    connection c(patient(sh("exec sleep 1000")));
    c.open();
    completion read, writable, end;
    c.stream->async_read_some(asio::buffer(c.buffer), read.handler());
    c.stream->async_wait_writable(writable.handler());
    c.stream->async_shutdown(end.handler());
    c.stream->close();
    BOOST_TEST((!read.ec && !writable.ec && !end.ec));
    c.run_until([&] { return read.ec && writable.ec && end.ec; });
    for (auto const* const done : {&read, &writable, &end})
        BOOST_TEST((done->ec == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(operations_started_after_close_are_aborted)
{
    connection c({.command = "cat"});
    c.open().stream->close();
    completion read, writable, end;
    c.stream->async_read_some(asio::buffer(c.buffer), read.handler());
    c.stream->async_wait_writable(writable.handler());
    c.stream->async_shutdown(end.handler());
    BOOST_TEST((!read.ec && !writable.ec && !end.ec));
    c.run_until([&] { return read.ec && writable.ec && end.ec; });
    for (auto const* const done : {&read, &writable, &end})
        BOOST_TEST((done->ec == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(read_with_available_bytes_is_aborted_by_close)
{
    connection c(sh("echo words; kill -STOP $$"));
    c.open();
    observe::await_stop(c.stream->pid());
    completion read;
    c.stream->async_read_some(asio::buffer(c.buffer), read.handler());
    BOOST_TEST((std::string_view(c.buffer.data(), 5) == "words"));
    c.stream->close();
    c.run_until([&] { return read.ec.has_value(); });
    BOOST_TEST((read.ec == asio::error::operation_aborted));
    BOOST_TEST(read.size == 0u);
}

BOOST_AUTO_TEST_CASE(stream_may_be_destroyed_at_any_turn)
{
    for (int turns = 0; turns < 12; ++turns)
        for (bool const shuts_down : {false, true}) {
            auto config = sh("echo words; echo why >&2; kill -STOP $$");
            config.close_grace = config.term_grace = 0s;
            connection c(config);
            c.open();
            observe::await_stop(c.stream->pid());
            completion read, writable, end;
            c.stream->async_read_some(asio::buffer(c.buffer), read.handler());
            c.stream->async_wait_writable(writable.handler());
            if (shuts_down)
                c.stream->async_shutdown(end.handler());
            for (int i = 0; i < turns; ++i)
                c.context.poll_one();
            c.stream.reset();
            c.context.restart();
            c.context.run();
            BOOST_TEST((read.ec && writable.ec));
            BOOST_TEST(end.ec.has_value() == shuts_down);
        }
}

BOOST_AUTO_TEST_CASE(destroyed_context_drops_all_handlers)
{
    auto const alive = std::make_shared<int>();
    auto const never = [alive](auto...) { BOOST_ERROR("must not be called"); };
    {
        connection c({.command = "cat"});
        c.open();
        c.stream->async_read_some(asio::buffer(c.buffer), never);
        c.stream->async_wait_writable(never);
        c.stream->async_shutdown(never);
    }
    BOOST_TEST(alive.use_count() == 2);
}

BOOST_AUTO_TEST_CASE(stream_owned_by_its_handler_is_released_with_context)
{
    auto context = std::make_unique<asio::io_context>(1);
    auto owner = std::make_shared<child_stream>(context->get_executor(), stdio_config{.command = "cat"});
    std::weak_ptr<child_stream> const alive = owner;
    error_code ec;
    owner->open(ec);
    BOOST_TEST_REQUIRE(!ec);
    char byte;
    owner->async_read_some(asio::buffer(&byte, 1), [owner](error_code, std::size_t) {});
    owner.reset();
    BOOST_TEST(!alive.expired());
    context.reset();
    BOOST_TEST(alive.expired());
}

// Death of the parent process

// Starts a child process in a process of its own, which is then killed. Returns true if the child process ends, too.
template<class Start>
bool is_killed_with_its_parent(Start start)
{
    int pipe[2];
    BOOST_TEST_REQUIRE(::pipe2(pipe, O_CLOEXEC) == 0);
    linkspan::detail::unique_fd const read(pipe[0]);
    linkspan::detail::unique_fd write(pipe[1]);
    pid_t const parent = ::fork();
    if (parent == 0) {
        pid_t const child = start();
        if (::write(write.get(), &child, sizeof child) == sizeof child)
            for (;;)
                ::pause();
        ::_exit(1);
    }
    write = {};
    pid_t child = 0;
    BOOST_TEST_REQUIRE(::read(read.get(), &child, sizeof child) == static_cast<ssize_t>(sizeof child));
    observe::process const watched(child);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    return watched.ends();
}

BOOST_AUTO_TEST_CASE(child_is_killed_with_its_parent)
{
    // The child process does not read its input, so the end of the input does not end it.
    auto const start = [] {
        auto* const c = new connection(sh("exec sleep 1000"));
        return c->open().stream->pid();
    };
    BOOST_TEST(is_killed_with_its_parent(start));
}

BOOST_AUTO_TEST_CASE(child_outlives_thread_that_started_it)
{
    connection c({.command = "cat"});
    std::thread([&c] { c.start(); }).join();
    c.write("hello\n");
    BOOST_TEST(c.next_line() == "hello");
}

// `die_with_parent` refers to the process, not to the thread.
BOOST_AUTO_TEST_CASE(child_with_die_with_parent_outlives_thread_that_started_it)
{
    connection c({.command = "cat", .die_with_parent = true});
    std::thread([&c] { c.start(); }).join();
    c.write("hello\n");
    BOOST_TEST(c.next_line() == "hello");
}

BOOST_AUTO_TEST_SUITE_END()
