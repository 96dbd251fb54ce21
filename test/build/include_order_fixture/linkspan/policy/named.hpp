#include <linkspan/policy/name.hpp>

namespace linkspan {

struct named : name {};

} // namespace linkspan

#include <linkspan/policy/impl/named.ipp>
