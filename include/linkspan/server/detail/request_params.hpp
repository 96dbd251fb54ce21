#ifndef LINKSPAN_SERVER_DETAIL_REQUEST_PARAMS_HPP
#define LINKSPAN_SERVER_DETAIL_REQUEST_PARAMS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_scan.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Members of the params of a request that a server reads, as JSON texts; empty: missing. Read in one pass, because each
// request needs several of them.
struct request_params {
    std::string_view name, arguments, input_responses, request_state, task;

    static request_params read(std::string_view params) noexcept
    {
        request_params out;
        for (json_scan::reader each(params); auto const one = each.next();) {
            if (one->key == "name")
                out.name = one->value;
            else if (one->key == "arguments")
                out.arguments = one->value;
            else if (one->key == "inputResponses")
                out.input_responses = one->value;
            else if (one->key == "requestState")
                out.request_state = one->value;
            else if (one->key == "task")
                out.task = one->value;
        }
        return out;
    }
};

} // namespace linkspan::detail

#endif
