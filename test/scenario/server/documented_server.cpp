// The code of doc/server.md that belongs to no example.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/server/http_endpoint.hpp>
#include <linkspan/server/require_elicitations.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(documented_server_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

//[ chart
void add_chart(linkspan::server& own)
{
    linkspan::tool chart{.name = "chart", .description = "Draws the sales of a year"};
    chart.input_schema = R"({"type":"object","properties":{"year":{"type":"integer"}},"required":["year"]})";
    chart.output_schema = R"({"type":"object","properties":{"total":{"type":"number"}},"required":["total"]})";
    chart.annotations.read_only = true;
    chart.has_hints = true; // the server lists the annotations
    own.add(chart, [](linkspan::server_request request) {
        auto const year = linkspan::json_scan::integer(linkspan::json_scan::member(request.arguments(), "year"));
        if (!year) // the schema also permits 2026.0 and 1e30
            return request.complete(linkspan::tool_output::failure("write the year without a fraction or exponent"));
        linkspan::tool_output out;
        out.structured = R"({"total":)" + std::to_string(*year) + "}";
        out.content.emplace_back(linkspan::text_content{"the chart", {}, {}});
        out.content.emplace_back(linkspan::image_content{"iVBORw0KGgo=", "image/png", {}, {}}); // Base64
        request.complete(out);
    });
}
//]

//[ copy
void add_copy(linkspan::server& own, linkspan::tool copy)
{
    own.add(copy, [](linkspan::server_request request) -> asio::awaitable<void> {
        linkspan::timer pause(request.get_executor());
        request.on_cancelled([&pause] { pause.cancel(); });
        for (int file = 1; file <= 10 && !request.is_over(); ++file) {
            request.report_progress(file, 10, "copying");
            request.log(linkspan::log_level::info, linkspan::raw_json(R"({"file":1})"), "copy");
            pause.expires_after(1s);
            co_await pause.async_wait(asio::as_tuple(asio::deferred)); // without an exception if cancelled
        }
        request.complete(linkspan::tool_output::text("copied")); // no effect after a cancellation
    });
}
//]

//[ patient
asio::awaitable<void> ask_patiently(linkspan::server_request request)
{
    linkspan::elicit_request form;
    form.message = "Approve the invoice?";
    linkspan::ask_options options;
    options.task.emplace().timeout = std::chrono::hours(8);
    auto const [ec, input] =
        co_await request.async_ask<linkspan::elicitation>(form, options, asio::as_tuple(asio::deferred));
    bool const is_approved = !ec && input.action == linkspan::elicit_action::accept;
    request.complete(linkspan::tool_output::text(is_approved ? "approved" : "not approved"));
}
//]

//[ sign_in
// Clients that wait until the end user has signed in.
struct sign_in {
    bool is_signed_in = false;
    std::vector<linkspan::client_session> waiting;

    void handle_export(linkspan::server_request request)
    {
        if (is_signed_in)
            return request.complete(linkspan::tool_output::text("exported"));
        linkspan::elicit_request page;
        page.mode = linkspan::elicit_mode::url;
        page.message = "Please sign in";
        page.url = "https://files.example/sign-in";
        page.elicitation_id = "sign-in-7";
        waiting.push_back(request.session());
        linkspan::require_elicitations(request, {&page, 1});
    }

    void complete()
    {
        is_signed_in = true;
        for (auto const& session : std::exchange(waiting, {}))
            session.complete_elicitation("sign-in-7");
    }
};
//]

std::string user_of(std::string_view authorization) { return authorization == "Bearer good" ? "ada" : ""; }

//[ authenticate
linkspan::http_endpoint_options options_for_other_machines()
{
    linkspan::http_endpoint_options serving;
    serving.address = "0.0.0.0";
    serving.port = 8080;
    serving.hosts = {"tools.example"}; // the names by which clients address the server
    serving.authenticate = [](linkspan::http_server_request const& request, auto done) {
        linkspan::http_admission admission;
        admission.principal = user_of(request.header("Authorization")); // a function of the program
        if (admission.principal.empty()) {
            admission.status = 401;
            admission.challenge =
                R"(Bearer resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp")";
        }
        done(admission);
    };
    serving.protected_resource =
        R"({"resource":"https://tools.example/mcp","authorization_servers":["https://login.example"]})";
    return serving;
}
//]

//[ socket
linkspan::http_endpoint_options options_of_socket(std::string path)
{
    linkspan::http_endpoint_options serving;
    serving.unix_socket = std::move(path); // such as "/run/user/1000/tools.sock"
    return serving;
}
//]

//[ extension
void add_search(linkspan::server& own)
{
    own.declare_extension("com.example/search", R"({"languages":["en"]})");
    own.set_request_handler("com.example/search", [](linkspan::server_request request) {
        request.complete(linkspan::raw_json(R"({"hits":[]})")); // the result, as the text of a JSON object
    });
}

void follow_roots(linkspan::server& own, std::function<void(linkspan::roots_result const&)> use)
{
    own.on_roots_changed([use](linkspan::client_session const& from) {
        from.async_ask<linkspan::roots>({}, [use](linkspan::error_code ec, linkspan::roots_result const& now) {
            if (!ec)
                use(now);
        });
    });
}
//]

void add_tools(server& calculator)
{
    calculator.add(any_tool("count"), [](server_request request) -> asio::awaitable<void> {
        timer pause(request.get_executor());
        pause.expires_after(3ms);
        co_await pause.async_wait(in_tuple);
        request.complete(tool_output::text("counted"));
    });
}

} // namespace

// The text of the document, whose messages are not recorded: those of the following cases have the same form.
//[ test
LINKSPAN_CASE(count_takes_three_milliseconds)
{
    linkspan::server calculator(executor, {.name = "calculator", .version = "1.0"});
    add_tools(calculator);
    linkspan::session client(executor, linkspan::via<linkspan::inproc>(linkspan::inproc_to(calculator)));
    co_await client.async_open();
    auto const started = time.now();
    auto const result = co_await client.async_call_tool("count");
    BOOST_TEST(result.text() == "counted");
    BOOST_TEST((time.now() - started == 3ms));
}
//]

LINKSPAN_CASE_IN(server_world, an_extension_has_its_own_method)
{
    add_search(make(protocol_version::v2026_07_28));
    auto& calls = client.emplace(executor, via<inproc>(recorded_inproc_to(*served)));
    co_await calls.async_open();
    auto const found = co_await calls.async_request("com.example/search", boost::json::object());
    BOOST_TEST(contains(found.raw(), R"("hits":[])"));
}

LINKSPAN_CASE_IN(server_world, the_server_reads_changed_roots)
{
    std::vector<std::string> uris;
    follow_roots(make(protocol_version::v2025_11_25), [&](roots_result const& now) {
        for (auto const& each : now.roots)
            uris.push_back(each.uri);
    });
    auto& calls = connect();
    auto const list = [](roots_request const&, typed_responder<roots> reply) {
        roots_result result;
        result.roots.push_back({"file:///home", ""});
        reply(result);
    };
    calls.set_handler<roots>(list, {.list_changed = true});
    co_await calls.async_open();
    BOOST_TEST(calls.notify_roots_changed());
    co_await settle(executor);
    BOOST_TEST(uris == std::vector<std::string>{"file:///home"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_path_of_a_socket_replaces_the_port)
{
    BOOST_TEST(options_of_socket("/run/user/1000/tools.sock").unix_socket == "/run/user/1000/tools.sock");
}

LINKSPAN_CASE_IN(server_world, the_chart_has_structured_content_a_text_and_an_image)
{
    add_chart(make());
    auto& calls = connect();
    co_await calls.async_open();
    arguments const year{{"year", 2026}};
    auto const result = co_await calls.async_call_tool("chart", year);
    BOOST_TEST(result.structured() == R"({"total":2026})");
    BOOST_TEST(result.content().size() == 2u);
    BOOST_TEST(result.text() == "the chart");
    arguments const too_large{{"year", 1e30}};
    auto const refused = co_await calls.async_call_tool("chart", too_large);
    BOOST_TEST(refused.is_error());
}

LINKSPAN_CASE_IN(server_world, the_copy_reports_progress_and_ends_when_it_is_cancelled)
{
    add_copy(make(), any_tool("copy"));
    auto& calls = connect();
    co_await calls.async_open();
    std::vector<double> progress;
    call_options with_progress;
    with_progress.on_progress = [&](progress_update const& update) { progress.push_back(update.progress); };
    auto const started = since_start(time);
    BOOST_TEST((co_await calls.async_call_tool("copy", arguments(), with_progress)).text() == "copied");
    BOOST_TEST((since_start(time) - started == 10s));
    BOOST_TEST(progress.size() == 10u);
    asio::cancellation_signal cancel;
    completion_box result;
    calls.async_call_tool("copy", asio::bind_cancellation_slot(cancel.slot(), result.handler()));
    co_await pass(executor, 2s);
    cancel.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(served->counters().cancelled == 1u);
    BOOST_TEST(served->counters().defects == 0u);
}

LINKSPAN_CASE_IN(server_world, an_invoice_is_approved_after_hours)
{
    options.input_timeout = 10min;
    make(protocol_version::v2025_11_25).add(any_tool("approve"), ask_patiently);
    session_options hosting;
    hosting.max_hosted_tasks = 1;
    auto& calls = client.emplace(executor, via<inproc>(recorded_inproc_to(*served)), hosting);
    calls.set_handler<elicitation>([this](elicit_request const&, typed_responder<elicitation> reply) {
        auto const wait = std::make_shared<timer>(executor);
        wait->expires_after(5h);
        wait->async_wait([wait, reply = std::move(reply)](error_code) mutable {
            elicit_result accepted;
            accepted.action = elicit_action::accept;
            reply(accepted);
        });
    });
    co_await calls.async_open();
    call_options patient;
    patient.timeout = patient.idle_timeout = patient.attempt_timeout = duration::max();
    auto const result = co_await calls.async_call_tool("approve", arguments(), patient);
    BOOST_TEST(result.text() == "approved");
    BOOST_TEST((since_start(time) >= 5h));
}

LINKSPAN_CASE_IN(server_world, an_export_is_refused_until_the_user_has_signed_in)
{
    sign_in pages;
    make(protocol_version::v2025_11_25).add(any_tool("export"), [&pages](server_request request) {
        pages.handle_export(std::move(request));
    });
    auto& calls = connect();
    calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation>) {}, {.url = true});
    co_await calls.async_open();
    auto const refused = co_await calls.async_call_tool("export", in_tuple);
    BOOST_TEST(std::get<0>(refused).value() == -32042);
    BOOST_TEST_REQUIRE(pages.waiting.size() == 1u);
    pages.complete();
    BOOST_TEST((co_await calls.async_call_tool("export")).text() == "exported");
}

LINKSPAN_CASE_IN(endpoint_world, clients_on_other_machines_need_a_token)
{
    serving = options_for_other_machines();
    add_chart(make_endpoint());
    auto const request = [](std::string_view token) {
        return "POST /mcp HTTP/1.1\r\nHost: tools.example\r\nContent-Type: application/json\r\n"
               "Accept: application/json, text/event-stream\r\nAuthorization: Bearer " +
               std::string(token);
    };
    auto const refused = co_await exchange(request("bad"), std::string(initialize));
    BOOST_TEST(refused.starts_with("HTTP/1.1 401"), refused);
    BOOST_TEST(contains(refused, "resource_metadata=\"https://tools.example/.well-known"), refused);
    auto const accepted = co_await exchange(request("good"), std::string(initialize));
    BOOST_TEST(accepted.starts_with("HTTP/1.1 200"), accepted);
    auto const metadata =
        co_await exchange("GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: any.example", "");
    BOOST_TEST(metadata.starts_with("HTTP/1.1 200"), metadata);
}

BOOST_AUTO_TEST_SUITE_END()
