// The one place that says what a consumer includes.
#include <linkspan.hpp>
