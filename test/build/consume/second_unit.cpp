#include <boost/json/parse.hpp>

#include "umbrella.hpp"

linkspan::error_code from_second_unit();

linkspan::error_code from_second_unit()
{
    // The body of Boost.JSON is in its library or in json_src.cpp.
    if (boost::json::parse("[]").is_array())
        return linkspan::error::outcome_unknown;
    return {};
}
