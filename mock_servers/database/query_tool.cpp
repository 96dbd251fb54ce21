#include "query_tool.hpp"

#include <linkspan/describe.hpp>

#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "../reply_text.hpp"
#include "statement.hpp"

namespace mock_database {

struct query_arguments {
    std::string sql{};
    std::optional<std::int64_t> limit{};
};
LINKSPAN_STRUCT(query_arguments, (sql, "One SELECT statement", linkspan::note::min_length{1}),
                (limit, "The maximum number of rows", linkspan::note::min{1}))

namespace {

namespace asio = boost::asio;

std::string text_of(query_rows const& rows)
{
    auto out = R"({"status":"success","rows":[)" + rows.json + R"(],"count":)" + std::to_string(rows.count);
    if (rows.truncated)
        out += R"(,"truncated":true)";
    return out += '}';
}

// A database and the thread that uses it. The destructor waits for the current query, and discards the later ones.
struct query_thread {
    explicit query_thread(std::unique_ptr<database> from) : source(std::move(from)) {}

    std::unique_ptr<database> source;
    asio::thread_pool thread{1};
};

// Blocks until the end of the query. Returns the text of the result.
std::string run(database& source, std::string const& sql, query_limits const& limits, std::stop_token const& stop)
try {
    return text_of(source.select(read_statement(sql), limits, stop));
} catch (std::exception const& failed) {
    return mock_servers::failure_text(failed.what());
}

} // namespace

void add_query_tool(linkspan::server& server, std::unique_ptr<database> source, query_limits limits)
{
    linkspan::tool definition{.name = "db.query_supabase", .description = "Executes one SELECT statement"};
    definition.annotations = {.read_only = true, .destructive = false, .idempotent = true, .open_world = false};
    definition.has_hints = true;
    auto const worker = std::make_shared<query_thread>(std::move(source));
    server.add(std::move(definition), [worker, limits](query_arguments const& what, linkspan::server_request request) {
        auto with = limits;
        if (what.limit)
            with.max_rows = static_cast<std::size_t>(
                std::min<std::uint64_t>(static_cast<std::uint64_t>(*what.limit), limits.max_rows));
        std::stop_source stop;
        request.on_cancelled([stop]() mutable { stop.request_stop(); });
        // The request is used by the thread of the server only; the event loop does not end before the result.
        auto const server_executor = asio::prefer(request.get_executor(), asio::execution::outstanding_work.tracked);
        auto pending = std::make_shared<linkspan::server_request>(std::move(request));
        // The destructor of the thread waits for this function, so that it must not own the thread.
        asio::post(worker->thread,
                   [&source = *worker->source, sql = what.sql, with, stop, server_executor, pending]() mutable {
                       auto text = run(source, sql, with, stop.get_token());
                       asio::post(server_executor, [pending = std::move(pending), text = std::move(text)] {
                           pending->complete(mock_servers::reply_with(text));
                       });
                   });
    });
}

} // namespace mock_database
