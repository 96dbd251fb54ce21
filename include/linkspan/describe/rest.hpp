#ifndef LINKSPAN_DESCRIBE_REST_HPP
#define LINKSPAN_DESCRIBE_REST_HPP

#include <boost/json/value.hpp>

#include <functional>
#include <map>
#include <string>

namespace linkspan {

/// The members of an object that no other member of its struct names. There is at most one in a struct.
///
///     struct labels { std::string name; linkspan::rest<std::string> others; };
///
/// JSON Schema: `additionalProperties`.
template<class T = boost::json::value>
class rest : public std::map<std::string, T, std::less<>> {
public:
    using std::map<std::string, T, std::less<>>::map;
};

} // namespace linkspan

#endif
