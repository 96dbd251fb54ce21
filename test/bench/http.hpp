#ifndef LINKSPAN_TEST_BENCH_HTTP_HPP
#define LINKSPAN_TEST_BENCH_HTTP_HPP

namespace bench {

struct options;

/// Runs the same sections with a server over HTTP.
void measure_http(options const& with);

} // namespace bench

#endif
