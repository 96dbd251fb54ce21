#ifndef LINKSPAN_TEST_BENCH_MEASURE_HPP
#define LINKSPAN_TEST_BENCH_MEASURE_HPP

// Clocks, percentiles and counters of the benchmark.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace bench {

using clock = std::chrono::steady_clock;

inline double microseconds_since(clock::time_point start)
{
    return std::chrono::duration<double, std::micro>(clock::now() - start).count();
}

/// Returns user and system CPU time of this process in microseconds. Child processes count only after they were waited
/// for.
inline double cpu_microseconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    auto const of = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return of(used.ru_utime) + of(used.ru_stime);
}

/// Returns a number from /proc/self/status.
inline long status(char const* key)
{
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            return std::atol(line.c_str() + std::strlen(key));
    return -1;
}

inline double percentile(std::vector<double>& values, double share)
{
    if (values.empty())
        return 0;
    auto const index = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[static_cast<std::size_t>(index)];
}

/// Returns the number of calls of `operator new` in this process; see allocations.cpp.
std::size_t allocations() noexcept;

/// Measures CPU time and allocations per call between its construction and `per_call`.
class meter {
public:
    struct cost {
        double cpu_us, allocations;
    };

    cost per_call(std::size_t calls) const
    {
        auto const n = static_cast<double>(calls);
        return {(cpu_microseconds() - cpu_) / n, static_cast<double>(allocations() - allocations_) / n};
    }

private:
    double cpu_ = cpu_microseconds();
    std::size_t allocations_ = allocations();
};

} // namespace bench

#endif
