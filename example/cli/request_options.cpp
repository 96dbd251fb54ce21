#include "request_options.hpp"

#include "clean_text.hpp"
#include "json_text.hpp"

namespace cli {

linkspan::call_options options_for(command const& what)
{
    linkspan::call_options out;
    out.timeout = what.timeout;
    for (auto const& [key, value] : what.meta) {
        boost::system::error_code ec;
        parse_json(value, ec);
        out.meta += (out.meta.empty() ? "{" : ",") + json_string(key) + ":" + (ec ? json_string(value) : value);
    }
    out.meta += out.meta.empty() ? "" : "}";
    return out;
}

} // namespace cli
