#include "pipeline.hpp"

#include <linkspan/connector/call_many.hpp>
#include <linkspan/describe/call_result_as.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "question.hpp"
#include "table.hpp"

namespace pipeline {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

// A failed step, with its name.
class step_failure : public std::runtime_error {
public:
    step_failure(std::string step, std::string const& reason) : std::runtime_error(reason), step_(std::move(step)) {}
    std::string const& step() const noexcept { return step_; }

private:
    std::string step_;
};

// The text of a result of the servers.
struct tool_reply {
    std::optional<std::vector<json::object>> rows{};
    std::optional<bool> truncated{};
};
LINKSPAN_STRUCT(tool_reply, rows, truncated)

void log(std::string const& line) { std::cerr << "[pipeline] " << line << '\n'; }

// Returns the reply of a call, or throws the reason of its failure.
tool_reply reply_of(std::string const& step, linkspan::error_code ec, linkspan::call_result const& result)
{
    if (ec)
        throw step_failure(step, linkspan::explain(ec, result));
    if (result.is_error()) // also for a result with the status "error", because of the classifier of main.cpp
        throw step_failure(step, result.text());
    auto reply = result.as<tool_reply>();
    if (!reply)
        throw step_failure(step, "the result of the tool is not as expected: " + result.text());
    return *std::move(reply);
}

// Returns the rows of a query, each with this number of columns.
std::vector<json::object> rows_of(linkspan::call_outcome const& outcome, std::size_t columns)
{
    auto reply = reply_of("database", outcome.ec, outcome.result);
    auto const has_columns = [columns](json::object const& row) { return row.size() == columns; };
    if (!reply.rows || !std::ranges::all_of(*reply.rows, has_columns))
        throw step_failure("database", "expected rows with " + std::to_string(columns) +
                                           " columns, found: " + outcome.result.text());
    if (reply.truncated.value_or(false))
        throw step_failure("database", "the result has more rows than the server returns");
    return *std::move(reply.rows);
}

linkspan::tool_call query(std::string const& sql)
{
    json::object arguments;
    arguments["sql"] = sql;
    return linkspan::tool_call("db.query_supabase", arguments);
}

// Executes both statements concurrently. Returns the rows, and the total as text.
asio::awaitable<std::pair<table, std::string>> query_database(linkspan::connector_base& servers, queries const& both)
{
    std::vector<linkspan::tool_call> calls;
    calls.push_back(query(both.rows));
    calls.push_back(query(both.total));
    auto const results = co_await linkspan::async_call_many(servers, calls, asio::use_awaitable);
    table found{.columns = {both.group, "value"}, .rows = rows_of(results[0], 2)};
    auto const totals = rows_of(results[1], 1);
    log("db_done_mcp - {'status':'success','count':" + std::to_string(found.rows.size()) + "}");
    std::string text = totals.empty() ? std::string() : text_of(totals.front().begin()->value());
    co_return std::pair(std::move(found), std::move(text));
}

std::string timestamp()
{
    auto const now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> out{};
    std::strftime(out.data(), out.size(), "%Y%m%d-%H%M%S", &parts);
    return out.data();
}

// Writes a new file, whose name has a number if another run has written a file at the same time. Returns its path.
std::string write(std::string const& stem, std::string const& extension, std::string const& content)
{
    constexpr int max_tries = 100;
    for (int number = 1; number != max_tries; ++number) {
        auto const path = stem + (number == 1 ? "" : "-" + std::to_string(number)) + extension;
        std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbx"), std::fclose);
        if (!file && errno == EEXIST)
            continue;
        if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
            std::fclose(file.release()) != 0)
            throw step_failure("artifacts", "cannot write '" + path + "': " + std::strerror(errno));
        log("wrote " + path);
        return path;
    }
    throw step_failure("artifacts", "cannot write '" + stem + extension + "': all names are used");
}

// Returns "sent", or the reason of the failure, which does not fail the answer.
asio::awaitable<std::string> send_report(linkspan::connector_base& servers, std::string recipient, std::string subject,
                                         answer const& what)
{
    json::array to, paths;
    to.emplace_back(recipient);
    for (auto const& path : what.artifacts)
        paths.emplace_back(path.substr(path.rfind('/') + 1));
    json::object arguments;
    arguments["to"] = std::move(to);
    arguments["subject"] = std::move(subject);
    arguments["body"] = what.text;
    arguments["attachments"] = std::move(paths);
    auto const [ec, result] =
        co_await servers.async_call("email.send_report", arguments, asio::as_tuple(asio::use_awaitable));
    std::string out = "sent";
    try {
        reply_of("email", ec, result);
        log("email_done_mcp - {'status':'success','via':'mcp'}");
    } catch (step_failure const& failed) {
        out = failed.what();
        log("email_failed - " + out);
    }
    co_return out;
}

asio::awaitable<void> run_steps(linkspan::connector_base& servers, options const& with, std::string const& question,
                                answer& out)
{
    queries both;
    try {
        both = translate(question);
    } catch (unknown_question const& unknown) {
        throw step_failure("question", unknown.what());
    }
    out.sql = both.rows;
    log("sql - " + both.rows);
    auto const [found, total] = co_await query_database(servers, both);
    auto const stamp = timestamp();
    out.artifacts.push_back(write(with.artifacts + "/data-" + stamp, ".csv", to_csv(found)));
    out.artifacts.push_back(write(with.artifacts + "/report-" + stamp, ".html", to_report(question, found, total)));
    out.rows = found.rows.size();
    out.text = std::to_string(out.rows) + " rows" + (total.empty() ? "" : ", total " + total);
    out.email = "not requested";
    if (!with.recipient.empty())
        out.email = co_await send_report(servers, with.recipient, question, out);
    out.status = "success";
}

} // namespace

asio::awaitable<answer> ask(linkspan::connector_base& servers, conversations& store, options with, std::string question)
{
    answer out;
    try {
        co_await run_steps(servers, with, question, out);
    } catch (step_failure const& failed) {
        out.status = "error";
        out.text = failed.what();
        out.failed_step = failed.step();
        log(failed.step() + "_failed - " + out.text);
    }
    try {
        out.conversation_id = store.add(question, out.text);
        log("conversation " + std::to_string(out.conversation_id));
    } catch (std::exception const& failed) { // the answer is not lost
        out.conversation = failed.what();
        log("conversation_failed - " + out.conversation);
    }
    co_return out;
}

} // namespace pipeline
