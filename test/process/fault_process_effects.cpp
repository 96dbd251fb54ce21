// The effect of each kind of fault on the process of linkspan-mock, for a client that reads and writes its pipes. A
// slow machine fails no condition, unless an event takes longer than `observe::limit`.

#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/transport/stdio/child_process.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <initializer_list>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "support/contains.hpp"
#include "support/folder.hpp"
#include "support/harness.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(fault_process_effects_test)

using namespace std::chrono_literals;
using linkspan::name_of;
using linkspan::test::contains;
using linkspan::test::fault_description;
using linkspan::test::fault_descriptions;
using linkspan::test::fault_kind;
using linkspan::test::fault_layer;
using observe::folder;

namespace {

constexpr auto span = 200ms; // of faults with a delay

std::string script_of(fault_description const& what)
{
    std::string const method = what.on == "opening" ? "server/discover" : "tools/call";
    return R"({"mock":1,"protocolVersions":["2026-07-28"],"tools":[{"name":"forecast"}],"rules":[)"
           R"({"on":{"connect":true},"do":[{"stderr":"ready"}]},{"on":{"request":")" +
           method + R"("},"times":1,"do":[{"fault":{"kind":")" + std::string(name_of(what.kind)) +
           R"(","delay":"200ms"}},{"default":true}]}]})";
}

std::string request_of(fault_description const& what)
{
    std::string const call = what.on == "opening" ? R"("server/discover","params":{)"
                                                  : R"("tools/call","params":{"name":"forecast","arguments":{},)";
    return R"({"jsonrpc":"2.0","id":2,"method":)" + call +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
           "\n";
}

bool has_event(int fd, short event, std::chrono::milliseconds within)
{
    pollfd wanted{.fd = fd, .events = event, .revents = 0};
    return ::poll(&wanted, 1, static_cast<int>(within.count())) == 1 && (wanted.revents & event) != 0;
}

// A process of linkspan-mock, which has received a request whose response has a fault. The destructor kills its process
// group.
class faulty_process {
public:
    faulty_process(folder const& files, fault_description const& what) : child_(start(files, what))
    {
        auto const request = request_of(what);
        errors("ready\n", 1);
        sent_ = std::chrono::steady_clock::now();
        BOOST_TEST_REQUIRE(::write(child_.to.get(), request.data(), request.size()) ==
                           static_cast<ssize_t>(request.size()));
    }
    faulty_process(faulty_process const&) = delete;
    faulty_process& operator=(faulty_process const&) = delete;

    ~faulty_process()
    {
        kill_group();
        ::waitpid(child_.pid, nullptr, 0);
    }

    pid_t pid() const { return child_.pid; }
    std::chrono::steady_clock::duration since_request() const { return std::chrono::steady_clock::now() - sent_; }
    int output() const { return child_.from.get(); }
    int input() const { return child_.to.get(); }
    void close_input() { child_.to = {}; }
    void kill_group() const { linkspan::detail::kill_group(child_.pid, child_.pidfd.get(), SIGKILL); }
    bool has_ended() const { return observe::process(child_.pid).has_ended(); }

    // Returns the bytes of stdout up to a line end, or up to the end of the stream.
    std::string response() const { return read_from(child_.from.get(), "\n", 1); }
    // Returns the bytes of stderr up to the part, at least `size` bytes.
    std::string errors(std::string_view part, std::size_t size) const
    {
        return read_from(child_.errors.get(), part, size);
    }

    // Waits for the end of the process. Returns whether it has this status, which is a signal if the code is not
    // CLD_EXITED.
    bool ends_with(std::initializer_list<int> codes, int status) const
    {
        BOOST_TEST_REQUIRE(observe::process(child_.pid).ends());
        siginfo_t info{};
        BOOST_TEST_REQUIRE(::waitid(P_PID, static_cast<id_t>(child_.pid), &info, WEXITED | WNOWAIT) == 0);
        return std::ranges::find(codes, info.si_code) != codes.end() && info.si_status == status;
    }

    // Whether a field of the kernel for sets of signals contains SIGTERM.
    bool has_sigterm(std::string const& field) const
    {
        auto const text = observe::status_of(child_.pid, field);
        return !text.empty() && (std::stoull(text, nullptr, 16) >> (SIGTERM - 1) & 1U) != 0;
    }

    // Waits until the end of `main` or of the process: the program then handles no signal.
    void await_end_of_main() const
    {
        auto const until = std::chrono::steady_clock::now() + observe::limit;
        while (has_sigterm("SigCgt") && std::chrono::steady_clock::now() < until)
            ::poll(nullptr, 0, 1);
    }

    // Waits until a child process of the process has ended and is not reaped. Returns whether there is one.
    bool has_zombie() const
    {
        auto const is_zombie = [](pid_t one) { return observe::status_of(one, "State").starts_with('Z'); };
        auto const until = std::chrono::steady_clock::now() + observe::limit;
        while (std::chrono::steady_clock::now() < until) {
            if (std::ranges::any_of(observe::children_of(child_.pid), is_zombie))
                return true;
            ::poll(nullptr, 0, 1);
        }
        return false;
    }

private:
    static linkspan::child_process start(folder const& files, fault_description const& what)
    {
        auto const path =
            files.add(std::string(name_of(what.kind)) + ".json", script_of(what), std::filesystem::perms::owner_all);
        linkspan::error_code ec;
        std::string reason;
        auto out = linkspan::launch(harness::mock("linkspan-mock", {"--script", path}), ec, reason);
        BOOST_TEST_REQUIRE(!ec, reason);
        return out;
    }

    static std::string read_from(int fd, std::string_view part, std::size_t size)
    {
        std::string out;
        std::array<char, 65536> bytes;
        while (!contains(out, part) || out.size() < size) {
            BOOST_TEST_REQUIRE(has_event(fd, POLLIN | POLLHUP, observe::limit));
            auto const read = ::read(fd, bytes.data(), bytes.size());
            if (read <= 0)
                break;
            out.append(bytes.data(), static_cast<std::size_t>(read));
        }
        return out;
    }

    linkspan::child_process child_;
    std::chrono::steady_clock::time_point sent_; // set before the request is sent
};

// Whether the process has stopped to read: the pipe stays full.
bool is_input_unread(faulty_process const& process)
{
    constexpr std::size_t max_bytes = 1U << 20; // more than the capacity of a pipe
    ::fcntl(process.input(), F_SETFL, O_NONBLOCK);
    std::string const blank(4096, '\n');
    ssize_t written = 0;
    for (std::size_t total = 0; written >= 0 && total < max_bytes; total += blank.size())
        written = ::write(process.input(), blank.data(), blank.size());
    return written < 0 && errno == EAGAIN && !has_event(process.input(), POLLOUT, 100ms);
}

// Whether the end of the standard input does not end the process, which a signal ends.
bool ends_by_signal_only(faulty_process& process, int signal)
{
    BOOST_TEST(process.has_sigterm("SigCgt"));
    process.close_input();
    process.await_end_of_main();
    ::kill(process.pid(), signal);
    return process.ends_with({CLD_KILLED}, signal);
}

bool is_sigterm_ignored(faulty_process& process)
{
    BOOST_TEST(process.has_sigterm("SigBlk"));
    process.close_input();
    process.await_end_of_main();
    ::kill(process.pid(), SIGTERM);
    BOOST_TEST(process.has_sigterm("ShdPnd"));
    ::kill(process.pid(), SIGKILL);
    return process.ends_with({CLD_KILLED}, SIGKILL);
}

bool is_output_closed(faulty_process& process)
{
    if (!process.response().empty() || process.has_ended())
        return false;
    process.close_input();
    return process.ends_with({CLD_EXITED}, 0);
}

// Whether the process has ended, and another one of its group has its output.
bool has_grandchild(faulty_process const& process)
{
    if (!process.ends_with({CLD_EXITED}, 0) || has_event(process.output(), POLLHUP, 0ms))
        return false;
    process.kill_group();
    return process.response().empty();
}

bool has_effect(fault_kind kind, faulty_process& process)
{
    auto const responds = [&process] { return contains(process.response(), R"("id":2,"result")"); };
    constexpr std::string_view binary("\x00\xff\xfe\x80", 4);
    switch (kind) {
    case fault_kind::start_slow: return responds() && process.since_request() >= span;
    case fault_kind::exit:
    case fault_kind::exit_before_init: return process.response().empty() && process.ends_with({CLD_EXITED}, 1);
    case fault_kind::exit_zero: return process.response().empty() && process.ends_with({CLD_EXITED}, 0);
    case fault_kind::crash: return process.response().empty() && process.ends_with({CLD_KILLED, CLD_DUMPED}, SIGSEGV);
    case fault_kind::stderr_flood: return contains(process.errors("e\n", 1U << 20), "eeee") && responds();
    case fault_kind::stderr_binary: return contains(process.errors(binary, 4), binary) && responds();
    case fault_kind::half_close:
    case fault_kind::stdout_closed: return is_output_closed(process);
    case fault_kind::stdin_unread: return responds() && is_input_unread(process);
    case fault_kind::ignore_stdin_eof: return responds() && ends_by_signal_only(process, SIGTERM);
    case fault_kind::ignore_sigterm: return responds() && is_sigterm_ignored(process);
    case fault_kind::grandchild: return has_grandchild(process);
    case fault_kind::zombie: return responds() && process.has_zombie();
    default: return false;
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_fault_of_a_process_has_its_effect)
{
    observe::leaves_nothing const nothing;
    folder const files;
    for (auto const& what : fault_descriptions())
        if (what.layer == fault_layer::process || what.kind == fault_kind::half_close)
            BOOST_TEST_CONTEXT(name_of(what.kind)) {
                faulty_process process(files, what);
                BOOST_TEST(has_effect(what.kind, process));
            }
}

BOOST_AUTO_TEST_SUITE_END()
