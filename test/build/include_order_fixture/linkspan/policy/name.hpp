namespace linkspan {

struct name {};

} // namespace linkspan

// Its body needs both headers, and is after the declarations of both.
#include <linkspan/policy/named.hpp>
