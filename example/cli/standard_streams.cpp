#include "standard_streams.hpp"

#include <linkspan/core/detail/code_points.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "clean_text.hpp"
#include "exit_status.hpp"

namespace cli {
namespace {

constexpr std::size_t max_bytes = std::size_t{64} << 20; // bytes of a file or of stdin

std::string read_all(int descriptor, std::string const& name)
{
    std::string out;
    std::array<char, 65536> buffer;
    for (;;) {
        auto const size = ::read(descriptor, buffer.data(), buffer.size());
        if (size == 0)
            return out;
        if (size < 0 && errno != EINTR)
            throw usage_error("reading " + name + " failed: " + std::generic_category().message(errno));
        out.append(buffer.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
        if (out.size() > max_bytes)
            throw usage_error("reading " + name + " failed: larger than 64 MiB");
    }
}

struct descriptor {
    int number;
    ~descriptor() { ::close(number); }
};

// Hides typed characters of a password. Ctrl-C is read as a character, so that the settings are always restored.
class terminal_mode {
public:
    terminal_mode(int terminal, bool is_password) : terminal_(terminal)
    {
        ::tcgetattr(terminal_, &before_);
        auto mode = before_;
        mode.c_lflag &= ~static_cast<tcflag_t>(ISIG | ICANON | ECHO);
        mode.c_lflag |= is_password ? 0U : static_cast<tcflag_t>(ECHO);
        mode.c_cc[VMIN] = 1;
        mode.c_cc[VTIME] = 0;
        ::tcsetattr(terminal_, TCSAFLUSH, &mode);
    }
    terminal_mode(terminal_mode const&) = delete;
    terminal_mode& operator=(terminal_mode const&) = delete;
    ~terminal_mode() { ::tcsetattr(terminal_, TCSAFLUSH, &before_); }

private:
    int terminal_;
    termios before_{};
};

// Returns the width of a line on stderr. The last column is not used, because some terminals wrap there.
std::size_t max_columns()
{
    constexpr std::size_t max_width = 100;
    winsize window{};
    bool const is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    return is_known ? std::min<std::size_t>(max_width, window.ws_col - 1U) : max_width;
}

// Returns the beginning of a text within a number of columns. A non-ASCII character counts as two columns, because
// characters of some scripts are that wide.
std::string cut(std::string text, std::size_t columns)
{
    std::size_t size = 0;
    while (size != text.size()) {
        auto const next = linkspan::detail::first_code_point(std::string_view(text).substr(size));
        std::size_t const width = next.code < 0x80 ? 1 : 2;
        if (width > columns)
            break;
        columns -= width;
        size += next.size;
    }
    text.resize(size);
    return text;
}

} // namespace

bool prepare_standard_streams()
{
    std::signal(SIGPIPE, SIG_IGN);
    bool has_stdout = true;
    for (int number = 0; number != 3; ++number)
        if (::fcntl(number, F_GETFD) < 0) {
            has_stdout &= number != STDOUT_FILENO;
            if (::open("/dev/null", O_RDWR) < 0) // `open` returns the lowest free number, which is this one
                return false;
        }
    return has_stdout;
}

std::error_code write_all(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        auto const size = ::write(descriptor, text.data(), text.size());
        if (size >= 0) {
            text.remove_prefix(static_cast<std::size_t>(size));
        } else if (errno == EAGAIN) {
            pollfd writable{descriptor, POLLOUT, 0};
            ::poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            return {errno, std::generic_category()};
        }
    }
    return {};
}

std::error_code write_to_stdout(std::string_view text) { return write_all(STDOUT_FILENO, text); }

void note(std::string_view text) { write_all(STDERR_FILENO, "linkspan: " + terminal_text(text) + "\n"); }

std::string read_stdin() { return read_all(STDIN_FILENO, "stdin"); }

std::string read_file(std::string const& path)
{
    descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.number < 0)
        throw usage_error("reading '" + path + "' failed: " + std::generic_category().message(errno));
    struct stat about {};
    if (::fstat(file.number, &about) == 0 && S_ISDIR(about.st_mode))
        throw usage_error("reading '" + path + "' failed: expected a file, not a directory");
    return read_all(file.number, "'" + path + "'");
}

std::optional<std::string> prompt_on_terminal(std::string const& question, bool is_password)
{
    descriptor const terminal{::open("/dev/tty", O_RDWR | O_CLOEXEC)};
    if (terminal.number < 0)
        return std::nullopt;
    terminal_mode const mode(terminal.number, is_password);
    write_all(terminal.number, terminal_line(question) + ": ");
    std::string line;
    constexpr char ctrl_c = 3, ctrl_d = 4, backspace = 8, rubout = 127;
    for (char c = 0; ::read(terminal.number, &c, 1) == 1 && c != '\n' && c != '\r';) {
        if (c == ctrl_c || c == ctrl_d) {
            write_all(terminal.number, "\n");
            throw interrupted_prompt();
        }
        if (c != backspace && c != rubout)
            line += c;
        else if (!line.empty())
            line.pop_back();
    }
    write_all(terminal.number, is_password ? "\n" : "");
    return line;
}

progress_line::progress_line() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void progress_line::show(std::string_view text)
{
    if (!on_terminal_)
        return;
    write_all(STDERR_FILENO, "\r\x1b[K" + cut(terminal_line(text), max_columns()));
    has_text_ = true;
}

void progress_line::clear()
{
    if (has_text_)
        write_all(STDERR_FILENO, "\r\x1b[K");
    has_text_ = false;
}

} // namespace cli
