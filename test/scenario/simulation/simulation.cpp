// Simulation of many servers with every kind of fault in virtual time. Each scenario is drawn from its seed and must
// satisfy the invariants of the call semantics. LINKSPAN_SEED=n in the environment replays one scenario and prints it;
// CTest runs all scenarios regardless of the environment.

#include <linkspan/policy.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "oracle.hpp"
#include "scenario_maker.hpp"
#include "scenario_run.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(simulation_test)

namespace simulation = linkspan::test::simulation;
namespace data = boost::unit_test::data;

namespace {

constexpr std::uint64_t parts = 8;               // equal to the number of parts in test/CMakeLists.txt
constexpr std::size_t max_reported_failures = 5; // maximum number of failures reported per part

#if LINKSPAN_TEST_WITH_SANITIZER
constexpr std::uint64_t seeds = 4000;
#else
constexpr std::uint64_t seeds = 10'000;
#endif

std::optional<std::uint64_t> seed_of_environment()
{
    auto const* const text = std::getenv("LINKSPAN_SEED");
    if (!text)
        return std::nullopt;
    std::uint64_t seed = 0;
    auto const* const end = text + std::strlen(text);
    if (auto const [rest, ec] = std::from_chars(text, end, seed); ec != std::errc() || rest != end)
        throw std::invalid_argument("LINKSPAN_SEED: expected an unsigned 64-bit integer, found '" + std::string(text) +
                                    "'");
    return seed;
}

// Returns the violated invariant, or an empty string.
std::string violation_of(std::uint64_t seed, std::function<void(std::string const&)> log = {})
{
    auto const plan = simulation::scenario_maker(seed).make();
    try {
        simulation::run played(plan, std::move(log));
        played.play();
        simulation::oracle(played).check_all();
    } catch (std::exception const& failure) {
        return failure.what();
    }
    return {};
}

} // namespace

// The scenarios are split into parts, which CTest runs in parallel. The timeout ensures that a scenario without end is
// reported with its seed.
BOOST_TEST_DECORATOR(*boost::unit_test::timeout(55))
BOOST_DATA_TEST_CASE(every_scenario_satisfies_invariants, data::xrange(parts))
{
    if (auto const seed = seed_of_environment()) {
        if (sample != *seed % parts) {
            std::cout << "LINKSPAN_SEED=" << *seed << " belongs to part " << *seed % parts << '\n';
            return;
        }
        auto const fault = violation_of(*seed, [](std::string const& what) { BOOST_TEST_MESSAGE(what); });
        BOOST_TEST(fault == "");
        return;
    }
    std::size_t played = 0, faults = 0;
    for (std::uint64_t seed = sample; seed < seeds && faults != max_reported_failures; seed += parts, ++played) {
        BOOST_TEST_CHECKPOINT("LINKSPAN_SEED=" << seed);
        if (auto const fault = violation_of(seed); !fault.empty()) {
            BOOST_ERROR("LINKSPAN_SEED=" << seed << ": " << fault);
            ++faults;
        }
    }
    BOOST_TEST(faults == 0u);
    std::cout << played << " scenarios with the seeds " << sample << " + " << parts << "n\n";
}

BOOST_AUTO_TEST_SUITE_END()
