#ifndef LINKSPAN_SESSION_DETAIL_REQUEST_TEXTS_HPP
#define LINKSPAN_SESSION_DETAIL_REQUEST_TEXTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Texts of a request of a caller.
struct request_texts {
    std::string method;
    std::string name;      // of the tool, prompt or resource, if known
    std::string params;    // a JSON object, or its members without braces
    std::string problem{}; // reason why the parameters are invalid; not empty: the request fails without being sent
};

} // namespace linkspan::detail

#endif
