// Chaos tests of a connector with each kind of fault that occurs in one process, in memory and over HTTP in both eras,
// and over HTTP+SSE: half an hour of virtual time with many faults, and 300 hours with few calls and probes. A gateway
// has faults on both of its sides, for ten minutes.
//
// LINKSPAN_CHAOS_SEEDS in the environment replaces the number of seeds per kind, and LINKSPAN_CHAOS_FIRST_SEED the
// first one; test/build/nightly.sh uses them for runs without a bound of time. A failure is reported with the seed and
// the plan of the faults.

#include <linkspan/connector.hpp>
#include <linkspan/policy/health/probed_breaker.hpp>
#include <linkspan/test/chaos.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/chaos_seeds.hpp"
#include "support/fault_occurrence.hpp"
#include "support/http_case.hpp"
#include "support/sanitizers.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(chaos_suite_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr duration call_timeout = 1min;

struct run_plan {
    duration length;
    int calls;
    int lists;                 // parts, between which the connector requests the lists of tools, so that faults end
    duration probes;           // interval of the probes of idle servers
    bool has_server_in_second; // a `server` is behind the rules of the second scripted server
    bool has_gateway;          // calls are made by a client of a `server`, which forwards them to the connector
};

constexpr run_plan short_run{
    .length = 30min, .calls = 24, .lists = 10, .probes = 30s, .has_server_in_second = false, .has_gateway = false};
constexpr run_plan gateway_run{
    .length = 10min, .calls = 8, .lists = 10, .probes = 30s, .has_server_in_second = false, .has_gateway = true};
#if LINKSPAN_TEST_WITH_SANITIZER
constexpr run_plan long_run{
    .length = 30h, .calls = 20, .lists = 40, .probes = 4h, .has_server_in_second = true, .has_gateway = false};
#else
constexpr run_plan long_run{
    .length = 300h, .calls = 200, .lists = 10, .probes = 4h, .has_server_in_second = true, .has_gateway = false};
#endif

probed_breaker probed_each(duration interval)
{
    probed_breaker out;
    out.interval = interval;
    return out;
}

// Forwards a call of a client to a connector, and its cancellation too.
template<class Connector>
void forward_call(server_request request, std::string const& tool, Connector& to)
{
    struct forwarded_call {
        server_request request;
        asio::cancellation_signal cancel{};
    };
    auto const call = std::make_shared<forwarded_call>(std::move(request));
    call->request.on_cancelled([of = std::weak_ptr(call)] {
        if (auto const outstanding = of.lock())
            outstanding->cancel.emit(asio::cancellation_type::terminal);
    });
    call_options options;
    options.timeout = call_timeout;
    auto const arguments = boost::json::parse(call->request.arguments());
    to.async_call(tool, arguments.as_object(), options,
                  asio::bind_cancellation_slot(call->cancel.slot(), [call](error_code ec, call_result const& result) {
                      if (ec)
                          call->request.fail(-32603, ec.message());
                      else
                          call->request.complete(tool_output::text(result.text()));
                  }));
}

// Two servers with the same tools, one of which is safe to repeat, and a connector. With a gateway, calls are made by
// another connector, whose only server is the gateway.
class chaos_run {
public:
    chaos_run(run_plan const& plan, fault_kind kind, protocol_version version, fault_carrier over, std::uint64_t seed)
        : plan_(plan),
          kind_(kind),
          version_(version),
          over_(over),
          world_(seed, schedule::shuffled),
          hub_(std::in_place, world_.executor, probed_each(plan.probes)),
          front_(std::in_place, world_.executor, probed_each(plan.probes))
    {
        connect(*hub_, "a", add_scripted("a"));
        connect(*hub_, "b", plan.has_server_in_second ? add_server("b") : add_scripted("b"));
        if (plan.has_gateway)
            connect(*front_, "gateway", add_gateway("gateway"));
        // Each fault is rare, so that most calls find a working server; those with megabytes take long. A run has few
        // responses to `initialize`: the first one has the fault. A server without capabilities has no tools, for all
        // its time: the other server has them.
        bool const is_large = kind == fault_kind::oversize || kind == fault_kind::deep_nesting;
        bool const is_of_first = description_of(kind).on == "initialize";
        world_.set_chaos(chaos(seed, {.percent = is_of_first ? 100U : 15U,
                                      .max_delay = 90s,
                                      .kinds = {kind},
                                      .max_faults = is_of_first || kind == fault_kind::no_capabilities ? 1U
                                                    : is_large                                         ? 2U
                                                                                                       : 40U}));
    }

    // Makes calls at intervals, and checks them, and that nothing is outstanding after the shutdown.
    void run()
    {
        hub_->async_open([](error_code, auto const&) {});
        front_->async_open([](error_code, auto const&) {});
        for (int i = 0; i != plan_.calls; ++i)
            world_.post_at(plan_.length * i / plan_.calls, [this, i] { call(i % 2 == 0 ? "read" : "pay", i); });
        for (int i = 1; i != plan_.lists; ++i)
            world_.post_at(plan_.length * i / plan_.lists,
                           [this] { hub_->async_refresh_tools([](error_code, auto const&) {}); });
        world_.run_for(plan_.length);
        BOOST_TEST_CONTEXT("plan " << to_json(world_.faults()))
            check();
        front_->async_shutdown([](error_code, auto const&) {});
        hub_->async_shutdown([](error_code, auto const&) {});
        world_.run_for(5min);
        front_.reset();
        hub_.reset();
        webs_.clear();
        world_.run_for(5min);
        BOOST_TEST_CONTEXT("plan " << to_json(world_.faults()))
            for (auto const& leak : world_.leaks())
                BOOST_TEST(false, leak);
    }

    duration virtual_time() const { return world_.now().time_since_epoch(); }
    std::size_t faults() const { return world_.faults().faults.size(); }

private:
    using calling_connector = connector<transports<inproc, streamable_http, http_sse>, probed_breaker>;

    struct made_call {
        std::string key;
        time_point began{}, ended{};
        int completions = 0;
        error_code ec{};
        std::string text{};
    };

    // Counts an execution, and returns the key of the call.
    std::string execute(std::string_view arguments)
    {
        auto key = json_scan::string(json_scan::member(arguments, "key")).value_or("");
        ++executions_[key];
        return key;
    }

    scripted_server& add_scripted(std::string const& name)
    {
        auto& server = world_.add_server(name, {version_});
        auto const run = [this](std::string_view arguments) {
            return R"("content":[{"type":"text","text":")" + execute(arguments) + "\"}]";
        };
        server.tool("read", R"({"type":"object"})", run, R"({"readOnlyHint":true})");
        server.tool("pay", R"({"type":"object"})", run);
        return server;
    }

    scripted_server& add_server(std::string const& name)
    {
        return add_server(name, [this](server_request request, std::string const&) {
            request.complete(tool_output::text(execute(request.arguments())));
        });
    }

    scripted_server& add_gateway(std::string const& name)
    {
        return add_server(name, [this](server_request request, std::string const& tool) {
            forward_call(std::move(request), tool, *hub_);
        });
    }

    // `run`: called with each call and the name of its tool.
    template<class Run>
    scripted_server& add_server(std::string const& name, Run run)
    {
        serving_options serving;
        serving.protocol_versions = {version_};
        auto& own = servers_.emplace_back(world_.executor, implementation{.name = name, .version = "1"}, serving);
        auto read = any_tool("read");
        read.annotations.read_only = true;
        read.has_hints = true;
        own.add(std::move(read), [run](server_request request) { run(std::move(request), "read"); });
        own.add(any_tool("pay"), [run](server_request request) { run(std::move(request), "pay"); });
        return world_.add_server(name, own);
    }

    void connect(calling_connector& from, std::string const& name, scripted_server& server)
    {
        server_options options;
        options.restart.max_restarts = 1'000'000;
        if (over_ == fault_carrier::inproc) {
            from.add<inproc>(name, server, options);
            return;
        }
        http_server_options serving;
        if (over_ == fault_carrier::http_sse)
            serving.sse_path = "/sse";
        auto& web = *webs_.emplace_back(std::make_unique<http_server>(world_.executor, server, serving));
        auto const net = std::make_shared<memory_dialer>();
        net->accept = [&web](std::unique_ptr<byte_stream> stream) { web.serve(std::move(stream)); };
        if (over_ == fault_carrier::http_sse)
            from.add<http_sse>(name, {.url = "http://" + name + "/sse", .dialer = net}, options);
        else
            from.add<streamable_http>(name, {.url = "http://" + name + "/mcp", .dialer = net}, options);
    }

    void call(std::string_view tool, int number)
    {
        auto& made = calls_.emplace_back();
        made.key = std::string(tool) + std::to_string(number);
        made.began = world_.now();
        boost::json::object arguments;
        arguments["key"] = made.key;
        call_options options;
        options.timeout = call_timeout;
        auto& caller = plan_.has_gateway ? *front_ : *hub_;
        caller.async_call(tool, arguments, options, [this, &made](error_code ec, call_result const& result) {
            ++made.completions;
            made.ended = world_.now();
            made.ec = ec;
            made.text = result.text();
        });
    }

    void check() const
    {
        for (auto const& made : calls_) {
            auto const found = executions_.find(made.key);
            auto const executions = found == executions_.end() ? 0 : found->second;
            BOOST_TEST(made.completions == 1, made.key << " has no completion");
            BOOST_TEST((made.ended - made.began <= call_timeout), made.key << " took too long");
            if (made.key.starts_with("pay") && !claims_refusal())
                BOOST_TEST(executions <= 1, made.key << " was executed " << executions << " times");
            if (!made.ec && !changes_results())
                BOOST_TEST(made.text == made.key);
            if (made.ec == error::all_servers_failed && made.key.starts_with("pay") && !claims_refusal())
                BOOST_TEST(executions == 0, made.key << " was executed, and repeating it was called safe");
        }
        // A client that fails all calls would be safe too.
        bool const has_result = std::ranges::any_of(calls_, [](made_call const& made) { return !made.ec; });
        if (!loses_gateway())
            BOOST_TEST(has_result, "no call has a result");
    }

    // Whether the gateway may be of no use for the ten minutes of the run: it sends nothing more, sends one message for
    // longer than that, has a session that the client does not know, or has no tools.
    bool loses_gateway() const
    {
        return plan_.has_gateway && (kind_ == fault_kind::limit_data || kind_ == fault_kind::slow ||
                                     kind_ == fault_kind::session_id_missing || kind_ == fault_kind::no_capabilities);
    }

    // Whether the response with the fault states that the call was not executed, although it was.
    bool claims_refusal() const
    {
        auto const name = name_of(kind_);
        return name.starts_with("http-4") || kind_ == fault_kind::http_307 || kind_ == fault_kind::header_mismatch ||
               kind_ == fault_kind::skew || description_of(kind_).layer == fault_layer::authorization;
    }

    // Whether a server with the fault sends another result.
    bool changes_results() const
    {
        return kind_ == fault_kind::corrupt || kind_ == fault_kind::unknown_content_type ||
               kind_ == fault_kind::input_endless || kind_ == fault_kind::input_bad_state;
    }

    run_plan plan_;
    fault_kind kind_;
    protocol_version version_;
    fault_carrier over_;
    std::map<std::string, int> executions_; // by the key of the call
    world world_;
    std::deque<server> servers_; // of the program: the second server, and the gateway
    std::vector<std::unique_ptr<http_server>> webs_;
    std::optional<calling_connector> hub_;   // reset by run()
    std::optional<calling_connector> front_; // its only server is the gateway; without one, none; reset by run()
    std::deque<made_call> calls_;
};

constexpr std::array<std::pair<fault_carrier, protocol_version>, 5> connections{
    {{fault_carrier::inproc, protocol_version::v2025_11_25},
     {fault_carrier::inproc, protocol_version::v2026_07_28},
     {fault_carrier::http, protocol_version::v2025_11_25},
     {fault_carrier::http, protocol_version::v2026_07_28},
     {fault_carrier::http_sse, protocol_version::v2024_11_05}}};

// Makes runs with each kind of fault on each carrier, and returns their virtual time. With the seed 1, each kind occurs
// in each run in which it can; a run has few openings, whose faults other seeds may not select. Of the kinds, those
// whose number has the remainder `part` are used.
duration run_all(run_plan const& plan, std::size_t part, std::size_t parts)
{
    duration total{};
    std::size_t runs = 0;
    auto const& kinds = fault_descriptions();
    auto const [first_seed, end] = chaos_seeds(1);
    for (std::size_t i = part; i < kinds.size(); i += parts)
        for (auto const& [over, version] : connections) {
            auto const& what = kinds[i];
            if (!what.carriers.contains(over))
                continue;
            auto const name = std::string(name_of(what.kind)) + ", " + std::string(to_string(version)) + ", over " +
                              std::string(linkspan::test::detail::name_of_carrier(over));
            std::size_t faults = 0;
            for (auto seed = first_seed; seed != end; ++seed)
                BOOST_TEST_CONTEXT(name << ", seed " << seed) {
                    chaos_run one(plan, what.kind, version, over, seed);
                    one.run();
                    total += one.virtual_time();
                    faults += one.faults();
                    ++runs;
                }
            if (occurs_in(what, version) && first_seed == 1)
                BOOST_TEST(faults > 0u, name << " has not occurred");
        }
    BOOST_TEST_MESSAGE(runs << " runs, " << total / 1h << " virtual hours");
    return total;
}

// The parts run in parallel. The numbers are those in test/CMakeLists.txt.
constexpr std::size_t short_parts = 3, long_parts = 6;

} // namespace

BOOST_DATA_TEST_CASE(calls_are_safe_with_every_fault, boost::unit_test::data::xrange(short_parts))
{
    run_all(short_run, sample, short_parts);
}

BOOST_DATA_TEST_CASE(calls_through_gateway_are_safe_with_every_fault, boost::unit_test::data::xrange(short_parts))
{
    run_all(gateway_run, sample, short_parts);
}

BOOST_DATA_TEST_CASE(calls_are_safe_for_weeks_with_every_fault, boost::unit_test::data::xrange(long_parts))
{
    auto const total = run_all(long_run, sample, long_parts);
#if !LINKSPAN_TEST_WITH_SANITIZER
    BOOST_TEST((total * long_parts >= 100'000h));
#else
    static_cast<void>(total);
#endif
}

BOOST_AUTO_TEST_SUITE_END()
