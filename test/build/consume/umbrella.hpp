// Lists the headers that a consumer includes.
#include <linkspan.hpp>
