#include <linkspan/core/error.hpp>

namespace linkspan {}
