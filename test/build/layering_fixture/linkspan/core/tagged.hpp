#include <linkspan/core/error.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {}
