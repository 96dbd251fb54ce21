#include <linkspan/policy/list.hpp>

namespace linkspan {

struct entry : list {};

} // namespace linkspan
