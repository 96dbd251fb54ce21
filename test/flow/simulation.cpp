// Many servers that fail in every way, on virtual time: what a scenario does is drawn from its seed, and the invariants
// of the call semantics hold whatever it does. LINKSPAN_SEED=n in the environment replays one scenario and tells it.

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "simulation/draw.hpp"
#include "simulation/oracle.hpp"
#include "simulation/run.hpp"

namespace simulation = linkspan::test::simulation;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t seeds = 1000;
#else
constexpr std::uint64_t seeds = 10'000;
#endif

std::optional<std::uint64_t> seed_of_environment()
{
    if (auto const* const text = std::getenv("LINKSPAN_SEED"))
        return std::strtoull(text, nullptr, 10);
    return std::nullopt;
}

// What is wrong with it; empty: nothing.
std::string fault_of(std::uint64_t seed, std::function<void(std::string const&)> tell = {})
{
    auto const plan = simulation::scenario_maker(seed).make();
    try {
        simulation::run played(plan, std::move(tell));
        played.play();
        simulation::oracle(played).judge();
    } catch (std::exception const& failure) {
        return failure.what();
    }
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(simulation_test)

BOOST_AUTO_TEST_CASE(every_scenario_keeps_the_rules)
{
    if (auto const seed = seed_of_environment()) {
        auto const fault = fault_of(*seed, [](std::string const& what) { BOOST_TEST_MESSAGE(what); });
        BOOST_TEST(fault == "");
        return;
    }
    std::size_t faults = 0;
    for (std::uint64_t seed = 1; seed <= seeds && faults != 5; ++seed)
        if (auto const fault = fault_of(seed); !fault.empty()) {
            BOOST_ERROR("LINKSPAN_SEED=" << seed << ": " << fault);
            ++faults;
        }
    BOOST_TEST_MESSAGE(seeds << " scenarios");
}

BOOST_AUTO_TEST_SUITE_END()
