#include <linkspan/test/src_http.hpp>
