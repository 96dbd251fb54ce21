#ifndef LINKSPAN_TEST_SUPPORT_SEEDED_REQUESTS_HPP
#define LINKSPAN_TEST_SUPPORT_SEEDED_REQUESTS_HPP

// A client of a server that makes many calls, of which a seed selects those with a fault.

#include <linkspan/model/protocol_version.hpp>
#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chaos_seeds.hpp"
#include "contains.hpp"
#include "faulty_request.hpp"

namespace linkspan::inline LINKSPAN_ABI::test::faulty_request {

// Makes 200 calls, with a pause after each of them. A quarter of the calls has a fault. The client connects again after
// each end of its connection. `World`: the server and its raw clients.
template<class World>
class seeded_requests {
public:
    seeded_requests(protocol_version version, std::uint64_t seed) : world_(version), draw_(seed)
    {
        for (auto const& what : fault_descriptions())
            if (applies_to_requests(what))
                kinds_.push_back(what.kind);
    }

    void run()
    {
        constexpr int calls = 200;
        // One inverted bit does not change an id to another one: the differences of two ids are multiples of 3.
        for (int id = 1000; id != 1000 + 3 * calls; id += 3) {
            if (!on_ || !world_.is_open(on_->connection))
                on_ = &used_.emplace_back(world_.connect());
            if (draw_.one_in(4))
                call_with_fault(id);
            else
                call(id);
            world_.run_for(std::chrono::milliseconds(draw_.below(World::longest_pause / std::chrono::milliseconds(1))));
        }
        BOOST_TEST_CONTEXT("plan " << to_json(plan_)) {
            for (auto const& each : used_)
                check(each);
            BOOST_TEST(world_.runs == results_);
            BOOST_TEST(world_.responses_after_call(world_.connect(), 3).ends_with("3 sum 23"));
            world_.close("seeded faults");
        }
    }

    // Returns the faults of the calls. The number of a message is that of the call.
    chaos_plan const& plan() const noexcept { return plan_; }
    duration virtual_time() const { return world_.time.now().time_since_epoch(); }

private:
    using connection_type = std::remove_reference_t<decltype(std::declval<World&>().connect())>;

    struct used_connection {
        explicit used_connection(connection_type& of) : connection(of) {}

        connection_type& connection;
        std::vector<int> calls{};      // ids of the calls without a fault, which begin at the start of a message
        std::vector<int> faulty{};     // ids of the calls with a fault, except `duplicates`
        std::vector<int> duplicates{}; // ids of the calls that are sent twice
    };

    void call(int id)
    {
        if (World::begins_message(on_->connection))
            on_->calls.push_back(id);
        world_.write_message(on_->connection, add_call(world_.version, id, 20));
    }

    void call_with_fault(int id)
    {
        auto const text = add_call(world_.version, id, 20);
        fault_setting fault{.kind = draw_.pick(kinds_), .delay_ms = 1 + draw_.below(90'000)};
        if (fault.kind == fault_kind::corrupt)
            fault.amount = draw_.below(8 * text.size());
        if (fault.kind == fault_kind::cut)
            fault.amount = 1 + draw_.below(text.size());
        (fault.kind == fault_kind::duplicate ? on_->duplicates : on_->faulty).push_back(id);
        plan_.faults.push_back({.server = "own",
                                .connection = used_.size(),
                                .message = static_cast<std::uint64_t>((id - 1000) / 3 + 1),
                                .fault = fault.kind,
                                .delay_ms = fault.delay_ms,
                                .amount = fault.amount});
        world_.write_faulty(on_->connection, fault, text);
    }

    // Each call without a fault has one result, and each other call at most one per message.
    void check(used_connection const& used)
    {
        auto const responses = World::responses(used.connection);
        auto const results_of = [&responses](int id) { return count_of(responses, std::to_string(id) + " sum 23"); };
        BOOST_TEST(!contains(responses, "invalid"), responses);
        for (int const id : used.calls)
            BOOST_TEST(results_of(id) == 1U, id << ": " << responses);
        for (int const id : used.faulty)
            BOOST_TEST(results_of(id) <= 1U, id << ": " << responses);
        for (int const id : used.duplicates)
            BOOST_TEST(results_of(id) <= 2U, id << ": " << responses);
        results_ += count_of(responses, " sum ");
    }

    World world_;
    draws draw_;
    std::vector<fault_kind> kinds_{}; // those that apply to requests
    chaos_plan plan_{};
    std::deque<used_connection> used_{};
    used_connection* on_ = nullptr; // current element of `used_`
    std::size_t results_ = 0;       // results of all connections, counted by check()
};

// Makes runs with 20 seeds in both eras. Each kind must occur, and the virtual time is at least `least`.
// LINKSPAN_CHAOS_SEEDS in the environment replaces the number of seeds, and LINKSPAN_CHAOS_FIRST_SEED the first one;
// fewer seeds have neither condition.
template<class World>
void run_seeded_requests(duration least)
{
    constexpr std::uint64_t seeds = 20;
    auto const [first, end] = chaos_seeds(seeds);
    std::set<fault_kind> occurred;
    duration total{};
    for (auto seed = first; seed != end; ++seed)
        for (auto const version : {protocol_version::v2025_11_25, stateless})
            BOOST_TEST_CONTEXT(label_of(version, "seed " + std::to_string(seed))) {
                seeded_requests<World> one(version, seed);
                one.run();
                for (auto const& fault : one.plan().faults)
                    occurred.insert(fault.fault);
                total += one.virtual_time();
            }
    BOOST_TEST_MESSAGE(total / std::chrono::hours(1) << " virtual hours");
    if (end - first < seeds)
        return;
    BOOST_TEST((total >= least));
    for (auto const& what : fault_descriptions())
        BOOST_TEST((!applies_to_requests(what) || occurred.contains(what.kind)), name_of(what.kind));
}

} // namespace linkspan::test::faulty_request

#endif
