// Chaos tests of a connector: half an hour of virtual time with each kind of fault, in both eras, in process and over HTTP.
//
// LINKSPAN_CHAOS_SEEDS in the environment replaces the number of seeds per kind, for runs without a bound of time.

#include <linkspan/connector.hpp>
#include <linkspan/test/chaos.hpp>

#include <boost/json/object.hpp>

#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(chaos_suite_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto length = 30min; // of one run
constexpr int calls_per_run = 12;
constexpr duration call_timeout = 1min;

// Two servers with the same tools, one of which is safe to repeat, and a connector.
class chaos_run {
public:
    chaos_run(fault_kind kind, protocol_version version, bool over_http, std::uint64_t seed)
        : kind_(kind), version_(version), over_http_(over_http), world_(seed, schedule::shuffled)
    {
        for (auto const* const name : {"a", "b"})
            add_server(name);
        // Each fault is rare, so that most calls find a working server; those with megabytes take long.
        bool const is_large = kind == fault_kind::oversize || kind == fault_kind::deep_nesting;
        world_.set_chaos(
            chaos(seed, {.percent = 15, .max_delay = 90s, .kinds = {kind}, .max_faults = is_large ? 2U : 40U}));
    }

    // Makes calls at intervals, and checks them. Returns the virtual time.
    duration run()
    {
        hub_.async_open([](error_code, auto const&) {});
        for (int i = 0; i != calls_per_run; ++i) {
            world_.post_at(length * i / calls_per_run, [this, i] { call(i % 2 == 0 ? "read" : "pay", i); });
        }
        world_.run_for(length);
        check();
        hub_.async_shutdown([](error_code, auto const&) {});
        world_.run_for(5min);
        return world_.now().time_since_epoch();
    }

private:
    struct made_call {
        std::string key;
        time_point began{}, ended{};
        int completions = 0;
        error_code ec{};
        std::string text{};
    };

    void add_server(std::string const& name)
    {
        auto& server = world_.add_server(name, {version_});
        auto const run = [this](std::string_view arguments) {
            auto const key = json_scan::string(json_scan::member(arguments, "key")).value_or("");
            ++executions_[key];
            return R"("content":[{"type":"text","text":")" + key + "\"}]";
        };
        server.tool("read", R"({"type":"object"})", run, R"({"readOnlyHint":true})");
        server.tool("pay", R"({"type":"object"})", run);
        server_options options;
        options.restart.max_restarts = 1'000'000;
        if (!over_http_) {
            hub_.add<inproc>(name, server, options);
            return;
        }
        auto& web = *webs_.emplace_back(std::make_unique<http_server>(world_.executor, server));
        auto const net = std::make_shared<memory_dialer>();
        net->accept = [&web](std::unique_ptr<byte_stream> stream) { web.serve(std::move(stream)); };
        hub_.add<streamable_http>(name, {.url = "http://" + name + "/mcp", .dialer = net}, options);
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
        hub_.async_call(tool, arguments, options, [this, &made](error_code ec, call_result const& result) {
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
    }

    // Whether a server with the fault says that it has not executed a call which it has executed. No client can know.
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

    fault_kind kind_;
    protocol_version version_;
    bool over_http_;
    std::map<std::string, int> executions_; // by the key of the call
    world world_;
    std::vector<std::unique_ptr<http_server>> webs_;
    connector<transports<inproc, streamable_http>> hub_{world_.executor};
    std::deque<made_call> calls_;
};

std::uint64_t seeds()
{
    constexpr std::uint64_t by_default = 1;
    auto const* const text = std::getenv("LINKSPAN_CHAOS_SEEDS");
    return text ? std::strtoull(text, nullptr, 10) : by_default;
}

} // namespace

BOOST_AUTO_TEST_CASE(calls_are_safe_with_every_fault)
{
    duration total{};
    std::size_t runs = 0;
    for (auto const& what : fault_descriptions())
        for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28})
            for (bool const over_http : {false, true}) {
                if (!(over_http ? what.carriers.http : what.carriers.inproc))
                    continue;
                for (std::uint64_t seed = 1; seed <= seeds(); ++seed)
                    BOOST_TEST_CONTEXT(name_of(what.kind)
                                       << ", " << to_string(version) << (over_http ? ", HTTP" : ", in process")
                                       << ", seed " << seed) {
                        total += chaos_run(what.kind, version, over_http, seed).run();
                        ++runs;
                    }
            }
    BOOST_TEST_MESSAGE(runs << " runs, " << total / 1h << " virtual hours");
}

BOOST_AUTO_TEST_SUITE_END()
