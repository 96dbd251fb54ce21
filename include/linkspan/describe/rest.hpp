#ifndef LINKSPAN_DESCRIBE_REST_HPP
#define LINKSPAN_DESCRIBE_REST_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <functional>
#include <map>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// The members of a JSON object that no other member of the struct describes. A struct has at most one `rest`.
///
///     struct labels { std::string name; linkspan::rest<std::string> others; };
///     // {"name":"a","color":"red"}: name is "a", others is {{"color", "red"}}
///
/// `encode` writes the entries as members of the enclosing object. `check` reports entries whose name is that of
/// another member. Notes of a `rest` apply to the values of its entries.
///
/// \tparam T The type of the values; `boost::json::value` accepts any value.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
/// \par Specification
/// JSON Schema 2020-12, "additionalProperties".
template<class T = boost::json::value>
class rest : public std::map<std::string, T, std::less<>> {
public:
    using std::map<std::string, T, std::less<>>::map;
};

} // namespace linkspan

#endif
