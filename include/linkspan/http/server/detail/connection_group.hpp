#ifndef LINKSPAN_HTTP_SERVER_DETAIL_CONNECTION_GROUP_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_CONNECTION_GROUP_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/detail/body_budget.hpp>
#include <linkspan/http/server/detail/output_budget.hpp>
#include <linkspan/http/server/http_counters.hpp>
#include <linkspan/http/server/http_server_limits.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Objects that all connections of a listener share.
struct connection_group {
    explicit connection_group(http_server_limits const& limits)
        : bodies(limits.max_all_bodies == 0 && limits.max_bodies_per_address == 0
                     ? nullptr
                     : std::make_shared<body_budget>(limits.max_all_bodies, limits.max_bodies_per_address)),
          output(limits.max_all_queued)
    {}

    std::shared_ptr<body_budget> const bodies; // set by the constructor; null: not limited
    output_budget output;
    http_counters counters; // without `connections` and `sessions`
};

} // namespace linkspan::detail

#endif
