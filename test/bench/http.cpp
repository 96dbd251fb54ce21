#include "http.hpp"

#include <linkspan/http/client/streamable_http.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "http_floors.hpp"
#include "sections.hpp"

namespace bench {
namespace {

// Adds the conversion to the configuration of an HTTP transport. `target` does not have it, so that the measurements
// over stdio do not include headers of HTTP.
struct http_target : target {
    operator linkspan::http_config() const
    {
        linkspan::http_config config;
        config.url = "http://127.0.0.1:" + std::to_string(port) + "/mcp";
        return config;
    }
};

// Layer over Streamable HTTP.
template<template<class> class Layer>
struct over_http : Layer<linkspan::streamable_http> {
    over_http(asio::io_context& context, target const& to) : Layer<linkspan::streamable_http>(context, http_target{to})
    {}
};

// Measures the latency with JSON responses and with event streams by alternating calls, and reports the ratio. The
// server responds with event streams at `sse_port`.
template<class Layer>
void measure_events(options const& with, report& out)
{
    auto with_events = with.to;
    with_events.port = with.sse_port;
    client<Layer> plain(with.to), events(with_events);
    auto const args = arguments(with.payload, 'x');
    std::vector<double> plain_times, event_times;
    plain.sequence(args, 100, plain_times);
    events.sequence(args, 100, event_times);
    plain_times.clear();
    event_times.clear();
    for (int i = 0; i != 10; ++i) {
        plain.sequence(args, with.lat / 10, plain_times);
        events.sequence(args, with.lat / 10, event_times);
    }
    auto const p50 = percentile(plain_times, .5), events_p50 = percentile(event_times, .5);
    out.number("sse_lat_p50_us", events_p50);
    out.number("sse_lat_p50_to_json", events_p50 / p50);
    plain.close();
    events.close();
}

template<class Layer>
void measure(options const& with)
{
    report out(std::string("linkspan ") + Layer::name, "http");
    if (with.includes("conn"))
        measure_connections<Layer>(with, out);
    client<Layer> measured(with.to);
    beast_http beast(with.to.port);
    raw_http raw(with.to.port);
    if (with.includes("lat"))
        measure_latency(with, measured, beast, out);
    if (with.includes("thr"))
        measure_throughput(with, measured, beast, out);
    if (with.includes("big"))
        measure_large(with, measured, raw, out);
    measured.close();
    if (with.sse_port != 0)
        measure_events<Layer>(with, out);
}

} // namespace

void measure_http(options const& with)
{
    if (with.layer == "session")
        measure<over_http<session_layer>>(with);
    else if (with.layer == "connector")
        measure<over_http<connector_layer>>(with);
    else
        throw std::runtime_error("over HTTP, the layer must be session or connector");
}

} // namespace bench
