#ifndef LINKSPAN_TEST_BENCH_REPORT_HPP
#define LINKSPAN_TEST_BENCH_REPORT_HPP

// Measures functions one after another and prints the results as members of one JSON object.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "measure.hpp"

namespace bench {

inline double seconds = 0.5; // duration of each measurement
inline bool is_first = true;

/// Reads `--seconds N`.
inline void read_options(int argc, char** argv)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (std::string_view(argv[i]) == "--seconds")
            seconds = std::strtod(argv[i + 1], nullptr);
}

[[noreturn]] inline void stop(char const* why)
{
    std::fprintf(stderr, "%s\n", why);
    std::exit(1);
}

/// Prevents the optimizer from removing the computation of `value`.
template<class T>
void keep(T const& value)
{
    asm volatile("" : : "g"(&value) : "memory");
}

struct cost {
    double ns, allocations;
};

/// Returns the minimum of five parts, because disturbances can only increase a measurement.
inline cost measure(std::function<void()> const& run)
{
    run();
    cost best{1e18, 0};
    for (int part = 0; part != 5; ++part) {
        std::size_t times = 0;
        auto const allocated = allocations();
        auto const start = bench::clock::now();
        double spent = 0;
        do {
            for (int i = 0; i != 8; ++i)
                run();
            times += 8;
            spent = microseconds_since(start);
        } while (spent < seconds * 2e5);
        auto const n = static_cast<double>(times);
        if (spent * 1e3 / n < best.ns)
            best = {spent * 1e3 / n, static_cast<double>(allocations() - allocated) / n};
    }
    return best;
}

inline void begin_member(std::string const& name)
{
    std::printf("%s\n  \"%s\": ", is_first ? "{" : ",", name.c_str());
    is_first = false;
}

/// `bytes` is the number of bytes that one run reads or writes.
inline cost report(std::string const& what, std::string const& how, std::size_t bytes, std::function<void()> const& run)
{
    auto const found = measure(run);
    begin_member(what + ", " + how);
    std::printf("{\"ns\": %.1f, \"allocations\": %.2f, \"GB/s\": %.3f}", found.ns, found.allocations,
                static_cast<double>(bytes) / found.ns);
    return found;
}

inline void report_number(std::string const& what, double number)
{
    begin_member(what);
    std::printf("%.2f", number);
}

inline void report_text(std::string const& what, std::string const& text)
{
    begin_member(what);
    std::printf("\"%s\"", text.c_str());
}

inline void end_report() { std::printf("%s\n}\n", is_first ? "{" : ""); }

} // namespace bench

#endif
