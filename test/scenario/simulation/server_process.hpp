#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_SERVER_PROCESS_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_SERVER_PROCESS_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "random_choices.hpp"
#include "scenario.hpp"

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// Reaction of a server to a call.
enum class reaction {
    respond,
    fail,              // a result with `isError`
    respond_late,      // regardless of a cancellation
    respond_and_crash, // the response is delivered
    garbage,           // a malformed line before the response
    unreadable,        // a malformed response
    refuse_request,    // -32600
    refuse_method,     // -32601
    reject_params,     // -32602
    fail_inside,       // -32603: the tool may have been executed
    server_error,      // -32000
    fail_in_tool,      // an application error code
    drop_tool,         // -32602, and the tool is removed from the list
    hang,
    crash,
};

// A call that a server has received completely.
struct arrival {
    std::size_t order = 0; // among all arrivals of the scenario
    std::size_t call = 0;
    request_id id = 0;
    time_point at{};
    reaction what = reaction::hang;
    bool ran = false;       // the tool was or may have been executed
    bool responded = false; // with a result
    int code = 0;           // error code of the response; 0: none
    bool is_listed = true;  // whether the tool was listed at the time of the error
    std::string text;       // of the result
};

// One process of a server and its connection.
class server_process {
public:
    // `order` counts the arrivals at all servers.
    server_process(asio::any_io_executor executor, server_plan const& plan, random_choices& chance, std::size_t number,
                   std::size_t& order)
        : executor_(std::move(executor)),
          plan_(plan),
          random_(chance),
          number_(number),
          order_(order),
          server_(plan.protocol_versions)
    {
        for (auto const& tool : plan.tools)
            add_tool(tool);
        draw_start();
        auto& calls = server_.on(request("tools/call"));
        calls.then([this](exchange& on, auto next) { receive_call(on, std::move(next)); },
                   [this](exchange& on, auto next) { delay_response(on, std::move(next)); },
                   [this](exchange& on, auto const&) { act(on); });
    }

    server_process(server_process const&) = delete;
    server_process& operator=(server_process const&) = delete;

    void serve(memory_end const& end)
    {
        auto const die = [this, in = std::weak_ptr(end.in), out = std::weak_ptr(end.out)] {
            memory_end const both{in.lock(), out.lock()};
            if (both.in && both.out)
                both.close();
            over();
        };
        if (random_.chance(plan_.fault_percent / 8))
            end.in->cut_after(random_.between(200, 4000), die);
        else if (random_.chance(plan_.fault_percent / 8))
            end.out->cut_after(random_.between(200, 4000), die);
        auto transport = any_transport::make<linkspan::inproc_server>(executor_, {end});
        server_.serve(executor_, std::move(transport), [this] { over(); });
    }

    void crash()
    {
        over();
        server_.drop_connections();
    }

    void drop_tool(std::string_view name, bool notifies)
    {
        lost_.emplace(name);
        server_.remove_tool(name);
        if (notifies)
            server_.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    }

    // Cancels late responses at the end of the scenario.
    void cancel_late_responses() { late_.clear(); }

    std::size_t number() const noexcept { return number_; }
    server_plan const& plan() const noexcept { return plan_; }
    std::deque<arrival> const& arrivals() const noexcept { return arrivals_; }
    std::vector<std::string> const& received() const noexcept { return server_.received(); }
    std::optional<time_point> ended() const noexcept { return ended_; }

    std::function<void(std::string const&)> log;

private:
    using ms = std::chrono::milliseconds;

    time_point now() const { return time_source::of(executor_).now(); }

    void over()
    {
        if (!ended_)
            ended_ = now();
    }

    void add_tool(tool_plan const& tool)
    {
        auto const text = [](bool value) { return value ? std::string("true") : std::string("false"); };
        auto hints =
            R"({"readOnlyHint":)" + text(tool.hint_read_only) + R"(,"idempotentHint":)" + text(tool.hint_idempotent);
        if (tool.hint_destructive)
            hints += R"(,"destructiveHint":)" + text(*tool.hint_destructive);
        server_.tool(tool.name, R"({"type":"object"})", nullptr, hints + "}");
    }

    // Expects the name on the server; a group name is configured by the operator.
    bool lists(std::string_view name) const
    {
        return !lost_.contains(name) && std::ranges::find(plan_.tools, name, &tool_plan::name) != plan_.tools.end();
    }

    void draw_start()
    {
        for (auto const* const method : {"server/discover", "initialize", "tools/list"})
            if (random_.chance(plan_.start_fault_percent))
                draw_start_fault(server_.on(request(method)));
        if (random_.chance(plan_.start_fault_percent))
            draw_start_fault(server_.on(request("ping")).pass(random_.below(4)));
    }

    void draw_start_fault(rule& on)
    {
        switch (random_.below(6)) {
        case 0: on.once(hang()); return;
        case 1: on.once(drop_connection()); return;
        case 2: on.once(rpc_error(random_.one_of({-32601, -32602, -32603, -32000}), "no")); return;
        case 3: on.once(raw("no JSON"), hang()); return;
        default: on.once(delay(random_.span(ms(1), std::chrono::seconds(4))), rpc_error(-32601, "no")); return;
        }
    }

    reaction draw_reaction()
    {
        if (!random_.chance(plan_.fault_percent))
            return reaction::respond;
        return static_cast<reaction>(random_.below(static_cast<std::size_t>(reaction::crash) + 1));
    }

    void receive_call(exchange& on, std::function<void()> next)
    {
        auto& call = arrivals_.emplace_back();
        call.order = order_++;
        call.at = now();
        call.call = static_cast<std::size_t>(json_scan::integer(json_scan::member(on.arguments(), "call")).value_or(0));
        call.id = id_of(on);
        call.what = draw_reaction();
        if (!lists(on.tool()))
            call.what = reaction::reject_params;
        call.ran = call.what != reaction::refuse_request && call.what != reaction::refuse_method &&
                   call.what != reaction::reject_params && call.what != reaction::drop_tool;
        if (call.what == reaction::respond_late)
            respond_late(call);
        if (log)
            log("  call " + std::to_string(call.call) + " is received by " + plan_.key + " as request " +
                std::to_string(call.id) + ", reaction " + std::to_string(static_cast<int>(call.what)));
        if (random_.chance(50))
            return next();
        on.wait(random_.span(ms(0), std::chrono::seconds(random_.one_of({1, 1, 12}))), std::move(next));
    }

    void delay_response(exchange& on, std::function<void()> next)
    {
        switch (random_.below(8)) {
        case 0: on.progress(1, 2); return on.wait(random_.span(ms(0), std::chrono::seconds(25)), std::move(next));
        case 1: on.progress(1, 2); break;
        case 2:
            if (plan_.protocol_versions.front() == protocol_version::v2025_11_25 && plan_.protocol_versions.size() == 1)
                return on.send_request("roots/list", {}, std::move(next));
            break;
        default: break;
        }
        next();
    }

    void act(exchange& on)
    {
        auto& call = *std::ranges::find(arrivals_, id_of(on), &arrival::id);
        switch (call.what) {
        case reaction::respond: return respond(call, on);
        case reaction::fail: return respond(call, on, R"(,"isError":true)");
        case reaction::respond_late:
        case reaction::hang: return;
        case reaction::respond_and_crash: respond(call, on); return crash();
        case reaction::garbage: on.send("no JSON"); return respond(call, on);
        case reaction::unreadable:
            return on.send(R"({"jsonrpc":"2.0","id":)" + std::to_string(call.id) + R"(,"result":7})");
        case reaction::refuse_request: return refuse(call, on, -32600);
        case reaction::refuse_method: return refuse(call, on, -32601);
        case reaction::reject_params: return refuse(call, on, -32602);
        case reaction::fail_inside: return refuse(call, on, -32603);
        case reaction::server_error: return refuse(call, on, -32000);
        case reaction::fail_in_tool: return refuse(call, on, 1234);
        case reaction::drop_tool: drop_tool(on.tool(), random_.chance(50)); return refuse(call, on, -32602);
        case reaction::crash: return crash();
        }
    }

    void respond(arrival& call, exchange& on, std::string_view more = {})
    {
        record_response(call);
        on.reply(members_of(call) + std::string(more));
    }

    void refuse(arrival& call, exchange& on, int code)
    {
        call.code = code;
        call.is_listed = lists(on.tool());
        on.refuse(code, "no");
    }

    // Uses a timer that a cancellation of the request does not affect.
    void respond_late(arrival& call)
    {
        auto& late = late_.emplace_back(executor_);
        late.expires_after(random_.span(ms(1), std::chrono::seconds(40)));
        late.async_wait([this, &call](error_code ec) {
            if (ec || ended_)
                return;
            record_response(call);
            server_.broadcast(R"({"jsonrpc":"2.0","id":)" + std::to_string(call.id) + R"(,"result":{)" +
                              members_of(call) + "}}");
        });
    }

    void record_response(arrival& call)
    {
        call.responded = true;
        call.text =
            plan_.key + " " + std::to_string(number_) + " " + std::to_string(call.id) + " " + std::to_string(call.call);
    }

    static std::string members_of(arrival const& call)
    {
        return R"("content":[{"type":"text","text":")" + call.text + R"("}])";
    }

    // The progress token of a request equals its id.
    static request_id id_of(exchange const& on)
    {
        auto const token = json_scan::member(json_scan::member(on.params(), "_meta"), "progressToken");
        return json_scan::integer(token).value_or(0);
    }

    asio::any_io_executor executor_;
    server_plan const& plan_;
    random_choices& random_;
    std::size_t number_;
    std::size_t& order_;
    scripted_server server_;
    std::deque<arrival> arrivals_;
    std::deque<timer> late_;
    std::set<std::string, std::less<>> lost_;
    std::optional<time_point> ended_;
};

} // namespace linkspan::test::simulation

#endif
