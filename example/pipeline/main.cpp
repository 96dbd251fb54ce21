// pipeline [OPTION...] QUESTION: answers a question about the table `sales` with a database server and an email server.
// See usage.

#include <linkspan/config/make_connector.hpp>
#include <linkspan/connector/result_classifier.hpp>
#include <linkspan/core/run.hpp>
#include <linkspan/describe/encode.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "front_end.hpp"
#include "pipeline.hpp"

namespace {

namespace asio = boost::asio;

constexpr std::string_view usage = R"(usage: pipeline --config FILE [OPTION...] QUESTION
       pipeline --config FILE [OPTION...] --http PORT

Answers a question such as 'top 2 cities' with the servers `db` and `email` of the configuration.

  --config FILE         the servers, in the format {"mcpServers": {...}}
  --artifacts FOLDER    the folder of the CSV file and of the report, default artifacts
  --to ADDRESS          sends the report to this address; default: no message
  --conversations FILE  the SQLite file of the conversations, default conversations.db
  --http PORT           answers questions over HTTP on 127.0.0.1 until SIGINT; 0: a free port. The first line on stdout
                        is the URL. POST /questions with {"question": "top 2 cities", "to": "ann@example.org"} answers
                        a question; GET /state returns the state of the servers
  --timeout SECONDS     the time for a question over HTTP, 1 to 3600, default 60
  --help                writes this text

The answer is one JSON object on stdout; the steps are lines on stderr. Exit status: 0 after an answer; 1 after a failed
step, also if only the message or the conversation failed; 2 for a wrong command line; 130 after SIGINT.
)";

struct command_line {
    std::string config, conversations = "conversations.db", question;
    pipeline::options with;
    std::optional<pipeline::front_end::settings> http; // empty: one question
    std::chrono::seconds timeout{60};
    bool help = false;
};

template<class Number>
Number read_number(std::string const& option, std::string const& text, Number min, Number max)
{
    Number out{};
    auto const end = text.data() + text.size();
    auto const read = std::from_chars(text.data(), end, out);
    if (read.ec != std::errc() || read.ptr != end || out < min || out > max)
        throw std::invalid_argument("option '" + option + "': expected a number from " + std::to_string(min) + " to " +
                                    std::to_string(max) + ", found '" + text + "'");
    return out;
}

command_line read_command_line(std::vector<std::string> const& words)
{
    command_line out;
    for (std::size_t i = 0; i != words.size(); ++i) {
        auto const& word = words[i];
        auto const value = [&]() -> std::string const& {
            if (++i == words.size())
                throw std::invalid_argument("option '" + word + "': expected a value");
            return words[i];
        };
        if (word == "--config")
            out.config = value();
        else if (word == "--artifacts")
            out.with.artifacts = value();
        else if (word == "--to")
            out.with.recipient = value();
        else if (word == "--conversations")
            out.conversations = value();
        else if (word == "--http")
            out.http.emplace().port = read_number<std::uint16_t>(word, value(), 0, 65535);
        else if (word == "--timeout")
            out.timeout = std::chrono::seconds(read_number(word, value(), 1, 3600));
        else if (word == "--help")
            out.help = true;
        else if (word.starts_with("--"))
            throw std::invalid_argument("unknown option '" + word + "'");
        else
            out.question += (out.question.empty() ? "" : " ") + word;
    }
    if (!out.help && (out.config.empty() || out.question.empty() != out.http.has_value()))
        throw std::invalid_argument("expected '--config FILE', and a question or '--http PORT'");
    if (out.http)
        out.http->timeout = out.timeout;
    return out;
}

linkspan::connector_config read_config(std::string const& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    if (!in)
        throw std::runtime_error("cannot read '" + path + "'");
    return linkspan::connector_config::from_json(text, path);
}

// Returns the exit status of an answer, which is written to stdout.
int finish(pipeline::answer const& what)
{
    std::string text;
    linkspan::encode(text, what);
    std::cout << text << '\n';
    return what.status == "success" && (what.email == "sent" || what.email == "not requested") &&
                   what.conversation.empty()
               ? 0
               : 1;
}

// The connector, and the front end that uses it.
struct program {
    std::unique_ptr<linkspan::configured_connector> hub{};
    std::unique_ptr<pipeline::front_end> http{};
};

// Opens the connector, and answers the question, or those over HTTP until the operation is cancelled. Returns the exit
// status. The connector outlives a cancellation of the operation.
asio::awaitable<int> open_and_answer(command_line const& words, pipeline::conversations& store, program& self)
{
    auto const executor = co_await asio::this_coro::executor;
    auto config = read_config(words.config);
    for (auto& server : config.servers) // their tools report failures as results with the status "error"
        server.options.result_classifier = linkspan::find_status_error;
    auto made = co_await linkspan::async_make_connector(executor, config);
    self.hub = std::move(made.hub);
    for (auto const& problem : made.problems)
        std::cerr << linkspan::to_string(problem) << '\n';
    for (auto const& server : made.report.servers)
        std::cerr << "[MCP] " << server.server << (server.ec ? " failed: " + server.detail : " started") << '\n';
    if (!words.http) {
        auto const what = co_await pipeline::ask(*self.hub, store, words.with, words.question);
        co_return finish(what);
    }
    self.http = std::make_unique<pipeline::front_end>(executor, *self.hub, store, words.with, *words.http);
    std::cout << self.http->listen() << std::endl; // flushed, because another program waits for the line
    asio::steady_timer never(executor, asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
    co_return 0;
}

asio::awaitable<int> work(command_line const& words)
{
    using asio::experimental::wait_for_one;
    auto const executor = co_await asio::this_coro::executor;
    std::filesystem::create_directories(words.with.artifacts);
    pipeline::conversations store(words.conversations);
    program self;
    asio::signal_set signals(executor, SIGINT, SIGTERM);
    // The first one that completes, also by an exception, cancels the other.
    auto both = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, open_and_answer(words, store, self), asio::deferred),
        signals.async_wait(asio::deferred));
    auto const [order, failure, status, ec, signal] = co_await both.async_wait(wait_for_one(), asio::use_awaitable);
    if (self.http)
        co_await self.http->stop();
    if (self.hub)
        co_await self.hub->async_shutdown(asio::use_awaitable); // ends the server processes
    if (order[0] == 1)
        co_return 128 + signal;
    if (failure)
        std::rethrow_exception(failure);
    co_return status;
}

} // namespace

int main(int argc, char** argv)
{
    command_line words;
    try {
        words = read_command_line({argv + 1, argv + argc});
    } catch (std::invalid_argument const& wrong) {
        std::cerr << "pipeline: " << wrong.what() << "\n\n" << usage;
        return 2;
    }
    if (words.help) {
        std::cout << usage;
        return 0;
    }
    try {
        asio::io_context context(1);
        return linkspan::run(context, work(words));
    } catch (std::exception const& failed) {
        std::cerr << "pipeline: " << failed.what() << '\n';
        return 1;
    }
}
