#include <linkspan/policy/name.hpp>

namespace linkspan {

struct list {};

} // namespace linkspan

#include <linkspan/policy/impl/list.ipp>
