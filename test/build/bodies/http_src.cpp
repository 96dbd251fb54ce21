#include <linkspan/src_http.hpp>
